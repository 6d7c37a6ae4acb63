// Claude Code against our model. Without `hasCompletedOnboarding` it pings its own service before the first dialog and
// ends when that does not reply.

import { json, type LabFacts } from '../../kernel/agent-lab.ts';

/** The agent remembers an approved key by its last 20 characters. */
const KEY = 'dummy-key-0123456789';

export const lab: LabFacts = {
  pin: {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    older: ['2.1.314', '2.1.276'],
    program: '.bin/claude',
    needsNode24: true,
    afterInstall: '@anthropic-ai/claude-code/install.cjs',
  },
  questions: ['trust', 'login', 'key', 'bypass', 'approval'],
  files: ({ home, project }, asks) => ({
    [`${home}/.claude.json`]: json({
      ...(asks.has('login') ? {} : { hasCompletedOnboarding: true, theme: 'dark' }),
      numStartups: 5,
      autoUpdates: false,
      bypassPermissionsModeAccepted: !asks.has('bypass'),
      customApiKeyResponses: { approved: asks.has('key') ? [] : [KEY], rejected: [] },
      projects: asks.has('trust')
        ? {}
        : { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
    }),
  }),
  env: ({ modelUrl }, asks) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ...(asks.has('login') ? {} : { ANTHROPIC_API_KEY: KEY }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    // Root may skip questions only inside what calls itself a sandbox.
    IS_SANDBOX: '1',
  }),
  // The mode it starts in since 2.1.3xx lets it decide by itself what needs no question.
  terminalArgs: (asks) => {
    if (asks.has('bypass')) return ['--dangerously-skip-permissions'];
    return asks.has('approval') ? ['--permission-mode', 'default'] : [];
  },
  oneshotArgs: (prompt) => ['-p', prompt, '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
  commandCall: (command) => ({ tool: 'Bash', input: { command, description: 'lab' } }),
  fileCall: (path, content) => ({ tool: 'Write', input: { file_path: path, content } }),
  compactCommand: '/compact',
  subagent: {
    call: (prompt) => ({
      tool: 'Agent',
      input: { description: 'lab', prompt, subagent_type: 'general-purpose', run_in_background: false },
    }),
  },
  sideRequests: [
    // The next prompt, greyed in the composer.
    '[SUGGESTION MODE',
    // What to remember for later sessions.
    'You are now acting as the memory extraction subagent',
    // The conversation made shorter.
    'CRITICAL: Respond with TEXT ONLY',
    'Your task is to create a detailed summary of',
  ],
  // Without it, it asks for its summary again.
  summaryElement: 'summary',
};
