// pi against our model. It never asks before it acts; it asks about a folder only when that brings settings for it.

import { json, type LabFacts } from '../../kernel/agent-lab.ts';

export const lab: LabFacts = {
  pin: {
    package: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    older: ['0.84.4', '0.81.1'],
    program: '.bin/pi',
    needsNode24: true,
  },
  questions: ['trust', 'login'],
  files: ({ home, project, modelUrl }, asks) => ({
    ...(asks.has('login') ? {} : { [`${home}/.pi/agent/models.json`]: models(modelUrl) }),
    [`${home}/.pi/agent/settings.json`]: json({
      ...(asks.has('login') ? {} : { defaultProvider: 'stub', defaultModel: 'stub-model' }),
      quietStartup: true,
      enableInstallTelemetry: false,
      retry: { enabled: true, maxRetries: 1, baseDelayMs: 500 },
    }),
    ...(asks.has('trust') ? { [`${project}/.pi/settings.json`]: json({}) } : {}),
  }),
  env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
  terminalArgs: (asks) => ['--offline', ...(asks.has('trust') ? [] : ['--approve'])],
  oneshotArgs: (prompt) => ['--offline', '--approve', '--mode', 'json', '-p', prompt],
  commandCall: (command) => ({ tool: 'bash', input: { command } }),
  compactCommand: '/compact',
  fileCall: (path, content) => ({ tool: 'write', input: { path, content } }),
};

function models(modelUrl: string): string {
  const model = {
    id: 'stub-model',
    name: 'Stub',
    reasoning: false,
    input: ['text'],
    contextWindow: 200_000,
    maxTokens: 8000,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const stub = { baseUrl: `${modelUrl}/v1`, api: 'openai-completions', apiKey: 'dummy', models: [model] };
  return json({ providers: { stub } });
}
