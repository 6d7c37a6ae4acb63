// What Aider needs of the home in a box. From its source (0.86), not run by us: keys and options from files of the home, and its
// caches. Its history of chats is in the project.

import type { AgentBox } from '../../kernel/agent-box.ts';

export const box: AgentBox = {
  writable: ['~/.aider/caches/'],
  readOnly: [
    '~/.aider.conf.yml',
    '~/.aider.model.settings.yml',
    '~/.aider.model.metadata.json',
    '~/.aider/oauth-keys.env',
    '~/.env',
  ],
};
