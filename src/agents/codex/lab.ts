// Codex against our model. A custom provider needs no login. It refuses a HOME below the system's temporary folder, and
// rewrites its configuration: our settings must be there before the first start.

import type { LabFacts } from '../../kernel/agent-lab.ts';

export const lab: LabFacts = {
  pin: {
    package: '@openai/codex',
    version: '0.166.0',
    older: ['0.160.1', '0.149.0'],
    program: '.bin/codex',
  },
  questions: ['trust', 'login', 'hooks', 'update', 'approval'],
  files: ({ home, project, modelUrl }, asks) => ({
    [`${home}/.codex/config.toml`]: [
      ...(asks.has('login') ? [] : ['model = "stub-model"', 'model_provider = "stub"']),
      `check_for_update_on_startup = ${asks.has('update')}`,
      '[model_providers.stub]',
      'name = "Stub"',
      `base_url = ${JSON.stringify(`${modelUrl}/v1`)}`,
      'env_key = "STUB_KEY"',
      'wire_api = "responses"',
      'request_max_retries = 1',
      'stream_max_retries = 1',
      'stream_idle_timeout_ms = 20000',
      '[analytics]',
      'enabled = false',
      // Plugins: five seconds at the end for a service that is not there. The daemon: a copy of the whole program in
      // HOME and two processes that outlive the agent.
      '[features]',
      'plugins = false',
      'apps = false',
      'daemon_auto_start = false',
      ...(asks.has('trust') ? [] : [`[projects.${JSON.stringify(project)}]`, 'trust_level = "trusted"']),
      '',
    ].join('\n'),
    // It asks about a folder only when that is a repository or brings settings for it.
    ...(asks.has('trust') ? { [`${project}/.codex/config.toml`]: '# nothing\n' } : {}),
    ...(asks.has('hooks') ? { [`${home}/.codex/hooks.json`]: HOOKS } : {}),
    ...(asks.has('update') ? { [`${home}/.codex/version.json`]: NEWER } : {}),
  }),
  env: () => ({ STUB_KEY: 'dummy' }),
  terminalArgs: (asks) => (asks.has('approval') ? [] : ['--ask-for-approval', 'never']),
  vouchArgs: ['--dangerously-bypass-hook-trust'],
  oneshotArgs: (prompt) => ['exec', '--json', '--skip-git-repo-check', prompt],
  commandCall: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
  // It has no tool that writes a file for a model it does not know.
  fileCall: (path, content) => ({
    tool: 'exec_command',
    input: { cmd: `printf %s ${quoted(content)} > ${quoted(path)}` },
  }),
  // A path below the folder it works in.
  editCall: (path, content) => ({
    tool: 'exec_command',
    input: { cmd: `apply_patch <<'EOP'\n*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch\nEOP` },
  }),
  compactCommand: '/compact',
  subagent: {
    call: (message) => ({ tool: 'multi_agent_v1.spawn_agent', input: { message } }),
    wait: (result) => ({
      tool: 'multi_agent_v1.wait_agent',
      input: { targets: [/"agent_id":"([^"]+)"/.exec(result)?.[1] ?? ''], timeout_ms: 10_000 },
    }),
  },
  // The conversation made shorter.
  sideRequests: ['You are performing a CONTEXT CHECKPOINT COMPACTION'],
};

/** One hook that does nothing, enough to be asked about. */
const HOOKS = `${JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'true', timeout: 10 }] }] } })}\n`;

/** What an update check would have left. */
const NEWER = `${JSON.stringify({ latest_version: '99.0.0', last_checked_at: '2099-01-01T00:00:00Z' })}\n`;

/** Quotes a text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
