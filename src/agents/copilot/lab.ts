// GitHub Copilot CLI against our model: with a provider of one's own and offline it needs no account.

import { json, type LabFacts } from '../../kernel/agent-lab.ts';

export const lab: LabFacts = {
  pin: {
    package: '@github/copilot',
    version: '1.0.102',
    older: ['1.0.89', '1.0.73'],
    program: '.bin/copilot',
  },
  questions: ['trust', 'login', 'approval'],
  files: ({ home, project }, asks) => ({
    [`${home}/.copilot/config.json`]: json({ trustedFolders: asks.has('trust') ? [] : [project] }),
  }),
  env: ({ modelUrl }, asks) => ({
    ...(asks.has('login')
      ? {}
      : {
          COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
          COPILOT_PROVIDER_API_KEY: 'dummy',
          COPILOT_MODEL: 'stub-model',
          COPILOT_OFFLINE: 'true',
        }),
    COPILOT_AUTO_UPDATE: 'false',
  }),
  terminalArgs: (asks) => (asks.has('approval') ? [] : ['--allow-all-tools']),
  oneshotArgs: (prompt) => ['-p', prompt, '--allow-all-tools', '--output-format', 'json'],
  commandCall: (command) => ({ tool: 'bash', input: { command, description: 'lab' } }),
  fileCall: (path, content) => ({ tool: 'create', input: { path, file_text: content } }),
  // The conversation made shorter.
  sideRequests: ['Please create a detailed summary of the conversation'],
};
