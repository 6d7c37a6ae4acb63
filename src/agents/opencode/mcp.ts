// Seen with 1.18.33: it uses protocol 2025-11-25.

import type { McpFacts } from '../../kernel/agent-mcp.ts';

export const mcp: McpFacts = {
  client: 'opencode',
  tool: 'foreword_{tool}',
  settings: {
    file: '.config/opencode/opencode.json',
    key: 'mcp',
    entry: { type: 'local', command: '{line}', enabled: true },
  },
};
