// Qwen Code against our model. Its memory and its suggestions ask the model by themselves and with tools; a suggestion
// appears in the composer, and the next Enter would send it. Both are off.

import { json, type LabFacts } from '../../kernel/agent-lab.ts';

export const lab: LabFacts = {
  pin: {
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    older: ['0.23.4', '0.21.10'],
    program: '.bin/qwen',
    needsNode24: true,
  },
  questions: ['trust', 'login', 'approval'],
  files: ({ home }, asks) => ({
    [`${home}/.qwen/settings.json`]: json({
      general: { disableAutoUpdate: true, enableAutoUpdate: false, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: {
        ...(asks.has('login') ? {} : { auth: { selectedType: 'openai' } }),
        folderTrust: { enabled: asks.has('trust') },
      },
      ui: { hideTips: true, enableFollowupSuggestions: false, enableSpeculation: false },
      model: { name: 'stub-model', generationConfig: { maxRetries: 0 } },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
    }),
  }),
  env: ({ modelUrl }, asks) => ({
    ...(asks.has('login') ? {} : { OPENAI_API_KEY: 'dummy', OPENAI_MODEL: 'stub-model' }),
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    QWEN_CODE_NO_RELAUNCH: 'true',
  }),
  terminalArgs: (asks) => ['--approval-mode', asks.has('approval') ? 'default' : 'yolo'],
  oneshotArgs: (prompt) => ['--approval-mode', 'yolo', '-o', 'stream-json', '-p', prompt],
  commandCall: (command) => ({ tool: 'run_shell_command', input: { command, is_background: false } }),
  fileCall: (path, content) => ({ tool: 'write_file', input: { file_path: path, content } }),
  sideRequests: [
    // The next prompt, greyed in the composer.
    '[SUGGESTION MODE',
    // What to remember for later sessions.
    'You are now acting as the managed memory extraction subagent',
    'You are performing a managed memory dream',
    // The conversation made shorter.
    'You are the component that summarizes a conversation',
  ],
  // Without it, it asks for its summary again.
  summaryElement: 'state_snapshot',
};
