// Qwen Code. Seen: 0.24.4 (one-shot, failed login, rate limit; screens, launch, hooks).

import type { AgentFacts } from '../../kernel/agent.ts';
import { HOOK_TIMEOUT_S, hookEntries } from '../../kernel/agent-hooks.ts';
import { CHANNEL_NAMES } from '../../kernel/receipt.ts';
import { box } from './box.ts';
import { hooks } from './hooks.ts';
import { lab } from './lab.ts';

export const agent: AgentFacts = {
  oneshot: {
    // Tools that write need the mode that asks nothing; it has no flag that trusts a folder, and does not need it.
    command: ['qwen', '--approval-mode', 'yolo', '--output-format', 'stream-json'],
    readOnly: ['qwen', '--approval-mode', 'default', '--output-format', 'stream-json'],
    resume: {
      args: ['--resume', '{session}'],
    },
    // A sandbox that the person's settings ask for is a container: without one in the box it tried again and again, without end.
    boxed: {
      command: ['qwen', '--sandbox=false', '--approval-mode', 'yolo', '--output-format', 'stream-json'],
      readOnly: ['qwen', '--sandbox=false', '--approval-mode', 'default', '--output-format', 'stream-json'],
    },
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      session: { when: { type: 'system', subtype: 'init' }, id: 'session_id' },
      usage: [
        {
          when: { type: 'assistant' },
          is: 'part',
          id: 'message.id',
          input: ['message.usage.input_tokens'],
          cached: ['message.usage.cache_read_input_tokens'],
          output: ['message.usage.output_tokens'],
        },
        // A resumed session goes on counting (0.24.4).
        {
          when: { type: 'result', usage: '*' },
          is: 'session',
          input: ['usage.input_tokens'],
          cached: ['usage.cache_read_input_tokens'],
          output: ['usage.output_tokens'],
        },
      ],
      rules: [
        { when: { type: 'result', is_error: false }, answer: 'result' },
        { when: { type: 'result', is_error: true }, error: { message: 'error.message', code: 'subtype' } },
      ],
    },
    // Seven attempts at a rate limit take 77 s, or as long as the service asked each time, and it prints nothing meanwhile: only
    // run.hangS ends a longer wait. Their number is fixed (maxRetries in its settings is for cut streams). Its debug log goes to
    // a file in its home only, and its telemetry may be the person's. QWEN_CODE_UNATTENDED_RETRY prints a line in waits of more
    // than 30 s, but then it retries without end: it is not passed on.
    set: { QWEN_CODE_NO_RELAUNCH: 'true' },
    firstOutputS: 90,
  },
  interactive: {
    command: ['qwen'],
    screensFrom: lab.pin,
    screens: [
      { state: 'asking', name: 'trust folder', text: 'Do you trust this folder', hasComposer: false },
      {
        state: 'asking',
        name: 'login',
        text: 'Connect a Provider|Custom Provider · Step|How would you like to authenticate',
        hasComposer: false,
      },
      {
        state: 'asking',
        name: 'approval',
        text: 'Apply this change\\?|Allow execution of|Yes, allow once|Would you like to proceed\\?',
        hasComposer: false,
      },
      {
        state: 'asking',
        name: 'menu',
        bottom: 'Enter to select|Esc to (close|go back|cancel)|\\(esc\\)$',
        hasComposer: false,
      },
      { state: 'asking', name: 'question', bottom: 'Enter: Select \\| Esc: Cancel', hasComposer: false },
      { state: 'busy', title: '^[◐◓◑◒]' },
      { state: 'busy', footer: 'Enter to steer' },
      { state: 'busy', over: '^ {2}[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏].*\\([0-9hms ]+ · ' },
      { state: 'starting', bottom: '^ {2}\\S Initializing', hasComposer: false },
      { state: 'ready', hasComposer: true },
    ],
    composer: {
      line: '^[>*!](?: (.*))?$',
      more: '^(?: {2}(.*)|\\s*)$',
      above: '^─{10}',
      below: '^─{10}',
      cursor: 'shown',
      ghost: 'Type your message or @path/to/file',
      placeholder: '\\[Pasted Content ([0-9]+) chars\\](?: #[0-9]+)?',
      shell: '^!|shell mode enabled',
    },
    queued: 'to edit queued messages',
    // Sent at once after a long paste, the placeholder itself went to the model in half of the tries.
    submit: { key: 'enter', delayMs: 250 },
    proofs: ['queued', 'placed', 'submitted', 'served', 'acknowledged'],
    ladder: CHANNEL_NAMES,
    launch: {
      prompt: ['--prompt-interactive={text}'],
      own: {
        values: [
          '-m --model --fallback-model --system-prompt --append-system-prompt --output-style --approval-mode',
          '--allowed-mcp-server-names --mcp-config --allowed-tools -e --extensions --include-directories',
          '--add-dir --openai-logging-dir --openai-api-key --openai-base-url -o --output-format --session-id',
          '--max-session-turns --core-tools --exclude-tools --auth-type --proxy',
        ],
        prompts: ['-p', '--prompt', '-i', '--prompt-interactive'],
        resumes: ['-c', '--continue', '-r', '--resume'],
      },
      hook: {
        // Our hook prints the context at the prompt: hook output at the start leaves no trace that could prove it.
        firesAt: 'first-prompt',
        // Defaults of the machine lie under everybody's settings, and lists of hooks are joined.
        file: {
          name: 'qwen-defaults.json',
          content: JSON.stringify({
            hooks: entries(),
          }),
        },
        set: { QWEN_CODE_SYSTEM_DEFAULTS_PATH: '{file}' },
        givesWayTo: {
          variables: ['QWEN_CODE_SYSTEM_DEFAULTS_PATH', 'QWEN_CODE_SYSTEM_SETTINGS_PATH'],
          files: ['/etc/qwen-code/system-defaults.json', '/Library/Application Support/QwenCode/system-defaults.json'],
        },
      },
    },
  },
  env: [
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'OPENAI_MODEL',
    'DASHSCOPE_API_KEY',
    'BAILIAN_CODING_PLAN_API_KEY',
    'MODELSCOPE_API_KEY',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'QWEN_HOME',
    'QWEN_RUNTIME_DIR',
    'QWEN_MODEL',
    'NODE_EXTRA_CA_CERTS',
  ],
  box,
  localFiles: ['.qwen/QWEN.local.md'],
  errors: [
    { class: 'setup', text: 'no auth type is selected', exitCodes: [42, 44, 52] },
    // The text that it adds to every 429 has "possible quota limitations"; the service names a real one.
    { class: 'quota', text: 'insufficient_quota|allocated quota exceeded|free allocated quota|daily quota' },
    { class: 'auth', text: 'api error: 40[13]\\b' },
    { class: 'rate_limit', text: 'api error: 429\\b|rate limit exceeded' },
    { class: 'overload', text: 'api error: 5[0-9][0-9]\\b' },
    // 53 and 55 are its own limits of turns and budget.
    { class: 'other', codes: ['error_max_turns'], exitCodes: [53, 55, 130] },
  ],
  notes: [
    'Hook output before a tool does not reach the model, so the gate runs after the first tool.',
    'Its transcript does not say whether somebody was there: a call with -p is kept like a session in which you asked one thing.',
    'It calls the prompt hook again with an empty prompt after every tool; foreword prints nothing then.',
    'While it retries a rate limit it prints nothing and has no setting for it: run.hangS ends a long wait.',
    'An Enter right after a long paste sends the placeholder instead of the text; ours comes later.',
  ],
};

/** Our hooks, in the shape of a settings file. */
function entries(): object {
  const shape = { hooks: [{ type: 'command', command: '{line}', timeout: HOOK_TIMEOUT_S * 1000 }] };
  const all = hookEntries(hooks, shape, (event) => `{command ${event}}`);
  return Object.fromEntries(all.map(({ event, value }) => [event, [value]]));
}
