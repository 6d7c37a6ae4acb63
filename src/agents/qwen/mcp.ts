// Seen with 0.24.4: it uses protocol 2025-11-25, and adds the name of the server to its own.

import type { McpFacts } from '../../kernel/agent-mcp.ts';

export const mcp: McpFacts = {
  client: 'qwen-cli-mcp-client',
  tool: 'mcp__foreword__{tool}',
  add: ['mcp', 'add', '--scope', 'user', 'foreword'],
};
