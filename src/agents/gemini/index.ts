// Gemini CLI. Seen: 0.61.0 (one-shot with the prompt on standard input, all error lines; screens, launch).

import type { AgentFacts } from '../../kernel/agent.ts';
import { CHANNEL_NAMES } from '../../kernel/receipt.ts';
import { box } from './box.ts';
import { lab } from './lab.ts';

export const agent: AgentFacts = {
  oneshot: {
    // Without a terminal it ends with 55 in a folder that was never trusted by hand, and every work tree of a run is
    // such a folder; --skip-trust holds for this run and is not kept. In the default mode it is not even given the
    // tools that write.
    command: ['gemini', '--skip-trust', '--approval-mode', 'yolo', '--output-format', 'stream-json'],
    readOnly: ['gemini', '--skip-trust', '--approval-mode', 'default', '--output-format', 'stream-json'],
    // No `resume`: with --resume ID it describes the folder again before the conversation and sends each earlier tool result twice, so that
    // a retry had 9,284 new tokens of input, and 4,883 in a new session (0.61.0, bench/resume.mjs).
    // A sandbox that the person's settings ask for is a container, and the box has none.
    boxed: {
      command: [
        'gemini',
        '--sandbox=false',
        '--skip-trust',
        '--approval-mode',
        'yolo',
        '--output-format',
        'stream-json',
      ],
      readOnly: [
        'gemini',
        '--sandbox=false',
        '--skip-trust',
        '--approval-mode',
        'default',
        '--output-format',
        'stream-json',
      ],
    },
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      session: { when: { type: 'init' }, id: 'session_id' },
      // At the end only; `output_tokens` has no thoughts, the sum of all has (0.61.0).
      usage: [
        {
          when: { type: 'result', stats: '*' },
          is: 'total',
          input: ['stats.input_tokens'],
          cached: ['stats.cached'],
          output: ['stats.total_tokens', '-stats.input_tokens'],
        },
      ],
      rules: [
        { when: { type: 'message', role: 'assistant' }, answer: 'content', isPiece: true },
        { when: { type: 'result', status: 'error' }, error: { message: 'error.message', code: 'error.type' } },
        { when: { type: 'error' }, error: { message: 'message', isNotice: true } },
      ],
    },
    set: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    firstOutputS: 90,
    // Ten attempts at a rate limit take minutes. The only setting for it is read from the user's own file or one that
    // belongs to root; no flag, no variable.
    retryLine: '^Attempt [0-9]+ failed',
    // It waits for as long as the service asked.
    limitLine: 'Retrying after [0-9]{5,}ms',
  },
  interactive: {
    command: ['gemini'],
    screensFrom: lab.pin,
    screens: [
      { state: 'asking', name: 'trust folder', text: 'Do you trust (the files in )?this folder', hasComposer: false },
      {
        state: 'asking',
        name: 'login',
        text: 'How would you like to authenticate|Waiting for auth|authorization code',
        hasComposer: false,
      },
      { state: 'asking', name: 'approval', title: '^✋' },
      {
        state: 'asking',
        name: 'approval',
        text: 'Apply this change\\?|Allow execution|Allow once',
        hasComposer: false,
      },
      // A model that is used up; its transcript says nothing of it meanwhile.
      { state: 'asking', name: 'usage limit', text: 'Usage limit reached for ', hasComposer: false },
      // A paste goes in, and what Enter does there is not known.
      { state: 'asking', name: 'vim normal mode', inside: "^ [>*!] +Press 'i' for INSERT mode\\.$" },
      { state: 'asking', name: 'loop detected', bottom: 'A potential loop was detected', hasComposer: false },
      { state: 'asking', name: 'menu', bottom: '\\(?(Use|Press) (Enter|Esc)|^\\W*[●○] ?[0-9]\\. ', hasComposer: false },
      { state: 'asking', name: 'session list', bottom: '^ Navigate: .* Resume: Enter', hasComposer: false },
      { state: 'busy', title: '^✦' },
      // Prompts that were sent have `>` in the place of the spinner.
      { state: 'busy', over: '^ [^\\s>] .*\\(\\S+ to cancel, [0-9hms ]+\\)' },
      // With its spinner switched off the words begin like those of an answer, but stand on the line above the composer's place.
      { state: 'busy', over: '^ {2}(?:\\S.*)?\\(\\S+ to cancel, [0-9hms ]+\\)', border: '^─{10}' },
      // With its spinner switched off nothing moves meanwhile.
      { state: 'busy', bottom: '^ ([^\\s>] )?Compressing chat history$', hasComposer: true },
      // The line above its modes; in a dialog's place a message that was sent would look like a composer.
      { state: 'ready', text: '^─{10}', hasComposer: true },
    ],
    composer: {
      // The mark is another one where nothing is asked.
      line: '^ [>*!](?: (.*))?$',
      more: '^(?: {3}(.*)|\\s*)$',
      cursor: 'placed',
      // The second with Vim keys (0.51 to 0.61).
      ghost: "Type your message or @path/to/file|Press 'Esc' for NORMAL mode\\.",
      placeholder: '\\[Pasted Text: ([0-9]+) (?:lines|chars)\\]',
      shell: '^ ! |^ !$|shell mode enabled',
    },
    queued: '^ {2}Queued \\(press ',
    // An Enter within 40 ms of a paste is a line end (0.51 to 0.61, in its code): lost 15 times of 16 when sent at once, never after
    // 50 ms. Ours counts from when the text is seen in the composer, so from after the agent took the paste, however busy the machine.
    submit: { key: 'enter', delayMs: 100 },
    proofs: ['queued', 'placed', 'submitted', 'served', 'acknowledged'],
    // Hooks come from its own files only: the variables that name a file of the machine take one that belongs to root,
    // as do all folders above it, and another file is refused with a warning on the screen.
    ladder: CHANNEL_NAMES,
    launch: {
      prompt: ['--prompt-interactive={text}'],
      // 0.61.0: behind the question, the model gets the prompt; after the answer it restarts and runs the prompt again.
      promptNeedsTrust: {
        // The question follows the composer: after a second on a machine with a load of twenty.
        asksWithinMs: 5000,
        args: ['--skip-trust'],
        variables: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
        files: [
          { path: '.gemini/settings.json', at: ['security', 'folderTrust', 'enabled'], is: [false] },
          { path: '.gemini/trustedFolders.json', at: ['{folder}'], is: ['TRUST_FOLDER', 'TRUST_PARENT'] },
        ],
        homeVariable: 'GEMINI_CLI_HOME',
      },
      // A session that it goes on with: one message, which its screen does not show, and no turn; also behind the question about
      // trust, and again after its restart. 0.51.0, 0.58.0 and 0.61.0 have it.
      history: {
        file: {
          name: 'conversation.jsonl',
          content: `${[
            { sessionId: '{id}', projectHash: '{id}', startTime: '{time}', lastUpdated: '{time}', kind: 'main' },
            {
              id: '{id}',
              timestamp: '{time}',
              type: 'user',
              content: [{ text: '{text}' }],
              displayContent: [{ text: '<hook_context>' }],
            },
          ]
            .map((record) => JSON.stringify(record))
            .join('\n')}\n`,
        },
        args: ['--session-file={file}'],
        since: '0.51.0',
        givesWayTo: [
          ...['--session-id', '--acp', '--experimental-acp', '-w', '--worktree'],
          ...['-l', '--list-extensions', '--list-sessions', '--delete-session'],
          ...['mcp', 'extensions', 'extension', 'skills', 'skill', 'hooks', 'hook', 'gemma'],
        ],
      },
      own: {
        values: [
          '-m --model --approval-mode --policy --admin-policy --allowed-mcp-server-names --allowed-tools -e',
          '--extensions --session-id --include-directories -o --output-format',
        ],
        prompts: ['-p', '--prompt', '-i', '--prompt-interactive'],
        resumes: ['-r', '--resume', '--session-file'],
      },
    },
  },
  env: [
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_VERTEX_BASE_URL',
    'GOOGLE_GENAI_USE_VERTEXAI',
    'GOOGLE_GENAI_USE_GCA',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_CLOUD_PROJECT_ID',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_CLOUD_ACCESS_TOKEN',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'CLOUD_SHELL',
    'GEMINI_MODEL',
    'GEMINI_CLI_HOME',
    'GEMINI_SYSTEM_MD',
    'NODE_EXTRA_CA_CERTS',
  ],
  box,
  errors: [
    // The name of the class may have lost or kept a leading underscore.
    {
      class: 'quota',
      codes: ['TerminalQuotaError', '_TerminalQuotaError'],
      text: 'TerminalQuotaError|exhausted your (daily quota|capacity)|capacity exceeded|MODEL_CAPACITY_EXHAUSTED|QUOTA_EXHAUSTED|INSUFFICIENT_G1_CREDITS|limit: *0([^0-9]|$)',
    },
    // Its message names an exceeded quota as well: that of one minute.
    {
      class: 'rate_limit',
      codes: ['RetryableQuotaError', '_RetryableQuotaError'],
      text: 'RetryableQuotaError|please retry in [0-9.]+m?s|suggested retry after|RATE_LIMIT_EXCEEDED|Attempt [0-9]+ failed with status 429',
    },
    {
      class: 'auth',
      codes: [
        'FatalAuthenticationError',
        'UnauthorizedError',
        'ForbiddenError',
        'AccountSuspendedError',
        'ValidationRequiredError',
        'IneligibleTierError',
      ],
      text: 'please set an auth method',
      // 41 is its own; others are the HTTP status cut to a byte: 401, 403.
      exitCodes: [41, 145, 147],
    },
    {
      class: 'setup',
      codes: ['FatalUntrustedWorkspaceError', 'FatalConfigError', 'FatalSandboxError', 'FatalInputError'],
      text: 'not running in a trusted directory',
      exitCodes: [42, 44, 52, 55],
    },
    { class: 'other', codes: ['FatalTurnLimitedError', 'FatalToolExecutionError'], exitCodes: [53, 54, 130] },
    { class: 'overload', exitCodes: [244, 246, 247, 248] },
    { class: 'rate_limit', exitCodes: [173] },
  ],
  notes: [
    'Once, on a busy machine, a prompt sent at the moment its composer appeared got the context of the start hook a turn late.',
    'Its transcript does not say whether somebody was there: a call with -p is kept like a session in which you asked one thing.',
    'Hook output before a tool does not reach the model, so the gate runs after the first tool.',
    'It escapes < and > in the text of hooks. The commands that an agent can print are understood in both forms.',
    'Of a tool that failed the model is sent the error alone, without hook output: the gate waits for the next tool.',
    'An answer with the same fifty characters ten times, such as words before a long ruler, ends in its question about a loop; texts wait until you have answered it.',
    'A retry in a run begins a new session: resuming one sends more than that.',
    'It accepts no hooks at launch: foreword start uses the hooks of init where they are installed, else it opens a session that begins with the context (the line "Imported session" on its screen). Neither spends a turn.',
    'It takes an Enter within 40 ms of a paste for a line end; ours comes 100 ms after the text is seen in its composer.',
    'At /quit it prints three lines of its own about the hook at the end of a session.',
  ],
};
