// OpenCode against our model. It asks nothing at the start; tools ask only when the configuration requires it.

import { json, type LabFacts } from '../../kernel/agent-lab.ts';

export const lab: LabFacts = {
  pin: {
    package: 'opencode-ai',
    version: '1.18.33',
    older: ['1.18.23', '1.18.16'],
    program: '.bin/opencode',
    also: ['@opencode-ai/plugin'],
    afterInstall: 'opencode-ai/postinstall.mjs',
  },
  questions: ['approval'],
  files: ({ home, modelUrl }, asks) => ({
    [`${home}/.config/opencode/opencode.json`]: json({
      autoupdate: false,
      share: 'disabled',
      ...(asks.has('approval') ? { permission: { bash: 'ask', edit: 'ask' } } : {}),
      ...provider(modelUrl),
    }),
  }),
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    // A plug-in makes it ask the registry for a package; without retries that fails at once instead of in a minute.
    npm_config_fetch_retries: '0',
  }),
  terminalArgs: () => [],
  oneshotArgs: (prompt) => ['run', '--auto', '--format', 'json', prompt],
  commandCall: (command) => ({ tool: 'bash', input: { command, description: 'lab' } }),
  compactCommand: '/compact',
  fileCall: (path, content) => ({ tool: 'write', input: { filePath: path, content } }),
  // Titles.
  sideRequests: ['You are a title generator'],
};

function provider(modelUrl: string): Record<string, unknown> {
  const model = { name: 'Stub Model', tool_call: true, limit: { context: 200_000, output: 8000 } };
  return {
    model: 'stub/stub-model',
    small_model: 'stub/stub-model',
    enabled_providers: ['stub'],
    provider: {
      stub: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Stub',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'dummy' },
        models: { 'stub-model': model },
      },
    },
  };
}
