// Seen with 1.0.102.

import type { McpFacts } from '../../kernel/agent-mcp.ts';

export const mcp: McpFacts = {
  client: 'github-copilot-developer',
  tool: 'foreword-{tool}',
};
