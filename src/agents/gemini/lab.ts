// Gemini CLI against our model. A concrete model is named because otherwise another request decides which one to use.

import { json, type LabFacts } from '../../kernel/agent-lab.ts';

export const lab: LabFacts = {
  pin: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    older: ['0.58.0', '0.51.0'],
    program: '.bin/gemini',
  },
  questions: ['trust', 'login', 'approval'],
  files: ({ home }, asks) => ({
    [`${home}/.gemini/settings.json`]: json({
      general: {
        disableAutoUpdate: true,
        disableUpdateNag: true,
        enableAutoUpdate: false,
        enableAutoUpdateNotification: false,
      },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: {
        ...(asks.has('login') ? {} : { auth: { selectedType: 'gemini-api-key' } }),
        folderTrust: { enabled: asks.has('trust') },
      },
      ui: { hideTips: true, hideBanner: true },
      ide: { enabled: false, hasSeenNudge: true },
    }),
  }),
  env: ({ modelUrl }, asks) => ({
    ...(asks.has('login') ? {} : { GEMINI_API_KEY: 'dummy' }),
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    // Without this it starts itself once more, and again after the question about trust was answered.
    ...(asks.has('trust') ? {} : { GEMINI_CLI_NO_RELAUNCH: 'true' }),
  }),
  terminalArgs: (asks) => ['-m', 'gemini-2.5-flash', ...(asks.has('approval') ? [] : ['--approval-mode', 'yolo'])],
  oneshotArgs: (prompt) => ['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-o', 'stream-json', '-p', prompt],
  commandCall: (command) => ({ tool: 'run_shell_command', input: { command, description: 'lab' } }),
  fileCall: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
};
