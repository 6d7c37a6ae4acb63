// What GitHub Copilot CLI needs of the home in a box. Seen: 1.0.102, a new home and a used one. Its config.json holds what it
// remembers, a login without a keyring too. A login that is in a keyring cannot be reached from the box: set COPILOT_GITHUB_TOKEN.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: { COPILOT_HOME: '~/.copilot', COPILOT_CACHE_HOME: '~/.cache/copilot' },
  writable: ['$COPILOT_HOME/'],
  readOnly: [
    '$COPILOT_HOME/settings.json',
    '$COPILOT_HOME/copilot-instructions.md',
    '$COPILOT_HOME/instructions/',
    '$COPILOT_HOME/agents/',
    '$COPILOT_HOME/hooks/',
    '$COPILOT_HOME/skills/',
    '$COPILOT_HOME/installed-plugins/',
    '$COPILOT_HOME/mcp-config.json',
    '$COPILOT_HOME/mcp-config/',
    '$COPILOT_HOME/lsp-config.json',
    '$COPILOT_HOME/permissions-config.json',
    '$COPILOT_HOME/providers.json',
    '~/.agents/',
  ],
  // The code of each version, which it unpacks at its first start and starts from: 235 MB.
  copied: [
    '$COPILOT_CACHE_HOME/pkg/linux-x64/',
    '$COPILOT_CACHE_HOME/pkg/linux-arm64/',
    '$COPILOT_CACHE_HOME/pkg/linuxmusl-x64/',
    '$COPILOT_CACHE_HOME/pkg/linuxmusl-arm64/',
  ],
  asideIfNew: ['$COPILOT_HOME/mcp-installations.json', '$COPILOT_HOME/mcp-activations.json'],
};
