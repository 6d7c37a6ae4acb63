// What Gemini CLI needs of the home in a box. Seen: 0.61.0, a new home and a used one. Settings of an older form are migrated in
// place at a start: in the box it reports that it could not save them, and works.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: { GEMINI_CLI_HOME: '~' },
  writable: ['$GEMINI_CLI_HOME/.gemini/'],
  readOnly: [
    '$GEMINI_CLI_HOME/.gemini/settings.json',
    '$GEMINI_CLI_HOME/.gemini/GEMINI.md',
    '$GEMINI_CLI_HOME/.gemini/extensions/',
    '$GEMINI_CLI_HOME/.gemini/commands/',
    '$GEMINI_CLI_HOME/.gemini/agents/',
    '$GEMINI_CLI_HOME/.gemini/skills/',
    '$GEMINI_CLI_HOME/.gemini/policies/',
    '$GEMINI_CLI_HOME/.gemini/hooks/',
    '$GEMINI_CLI_HOME/.gemini/trustedFolders.json',
    '$GEMINI_CLI_HOME/.gemini/trusted_hooks.json',
    // Read for a key where there is none in its own folder.
    '~/.env',
    '~/.agents/',
  ],
  asideIfNew: [
    // Empty, it hides ~/.env.
    '$GEMINI_CLI_HOME/.gemini/.env',
    // Takes the place of its own instructions.
    '$GEMINI_CLI_HOME/.gemini/system.md',
  ],
};
