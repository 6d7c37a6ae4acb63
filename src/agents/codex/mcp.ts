// Seen with 0.166.0: it uses protocol 2025-06-18, and starts its servers outside of the sandbox of its commands.

import type { McpFacts } from '../../kernel/agent-mcp.ts';

export const mcp: McpFacts = {
  client: 'codex-mcp-client',
  tool: 'mcp__foreword.{tool}',
  add: ['mcp', 'add', 'foreword', '--'],
};
