// What Qwen Code needs of the home in a box. Seen: 0.24.4, a new home and a used one. It locks its store of extensions at every
// start and ends when it cannot.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  homes: { QWEN_HOME: '~/.qwen', QWEN_RUNTIME_DIR: '~/.qwen' },
  writable: ['$QWEN_HOME/', '$QWEN_RUNTIME_DIR/'],
  readOnly: [
    '$QWEN_HOME/settings.json',
    '$QWEN_HOME/QWEN.md',
    '$QWEN_HOME/AGENTS.md',
    // Made at the first start; a part of the instructions. An empty one adds nothing to them.
    '$QWEN_HOME/output-language.md',
    '$QWEN_HOME/agents/',
    '$QWEN_HOME/commands/',
    '$QWEN_HOME/skills/',
    '$QWEN_HOME/extensions/',
    '$QWEN_HOME/rules/',
    '$QWEN_HOME/output-styles/',
    '$QWEN_HOME/locales/',
    '$QWEN_HOME/trustedFolders.json',
    // The version of the program that it starts next.
    '$QWEN_HOME/updates/',
    '~/.env',
    '~/.agents/',
  ],
  copied: ['$QWEN_HOME/extension-store/'],
  asideIfNew: ['$QWEN_HOME/.env', '$QWEN_HOME/system.md'],
};
