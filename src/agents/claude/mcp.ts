// Seen with 2.1.325: it uses protocol 2026-07-28.

import type { McpFacts } from '../../kernel/agent-mcp.ts';

export const mcp: McpFacts = {
  client: 'claude-code',
  tool: 'mcp__foreword__{tool}',
  add: ['mcp', 'add', '--scope', 'user', 'foreword', '--'],
  allow: ['--allowedTools=mcp__foreword'],
};
