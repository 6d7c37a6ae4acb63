// Seen with 0.61.0: it uses protocol 2025-06-18.

import type { McpFacts } from '../../kernel/agent-mcp.ts';

export const mcp: McpFacts = {
  client: 'gemini-cli-mcp-client',
  tool: 'mcp_foreword_{tool}',
  add: ['mcp', 'add', '--scope', 'user', 'foreword'],
};
