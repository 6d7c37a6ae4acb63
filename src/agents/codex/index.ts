// Codex CLI. Seen: 0.166.0 (one-shot with the prompt on standard input, all error lines; screens, launch, hooks).

import type { AgentFacts } from '../../kernel/agent.ts';
import { hookEntries } from '../../kernel/agent-hooks.ts';
import { CHANNEL_NAMES } from '../../kernel/receipt.ts';
import { box } from './box.ts';
import { entryAt, hooks, labelOf } from './hooks.ts';
import { lab } from './lab.ts';

/** One of our hooks for a launch: its name of the event, ours, and the seconds it may take. */
interface LaunchEntry {
  readonly name: string;
  readonly event: string;
  readonly timeout: number;
}

const ENTRIES: readonly LaunchEntry[] = hookEntries(hooks, entryAt, (event) => event).map(({ event: name, value }) => {
  const [hook] = value.hooks as readonly { readonly command: string; readonly timeout: number }[];
  return { name, event: hook?.command ?? '', timeout: hook?.timeout ?? 0 };
});

export const agent: AgentFacts = {
  oneshot: {
    // The sandbox lets it write in the project's folder alone, and nothing is asked in exec. Outside a git repository,
    // and in one it does not know, it refuses to start without the check being skipped; that trusts nothing.
    command: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write', '-'],
    readOnly: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'read-only', '-'],
    // The subcommand has no --sandbox of its own and takes the one before it.
    resume: {
      args: ['resume', '{session}'],
    },
    // Its sandbox needs namespaces of its own, which a box refuses: every command would fail. It reads files by commands too.
    boxed: {
      command: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '-'],
      readOnly: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '-'],
    },
    prompt: 'stdin',
    output: {
      format: 'jsonl',
      session: { when: { type: 'thread.started' }, id: 'thread_id' },
      // At the end of the turn only; on the way its transcript has it. A resumed session goes on counting (0.166.0).
      usage: [
        {
          when: { type: 'turn.completed' },
          is: 'session',
          input: ['usage.input_tokens'],
          cached: ['usage.cached_input_tokens'],
          output: ['usage.output_tokens'],
        },
      ],
      rules: [
        { when: { type: 'item.completed', 'item.type': 'agent_message' }, answer: 'item.text' },
        { when: { type: 'turn.failed' }, error: { message: 'error.message' } },
        // "Reconnecting... 1/5" comes this way too, and the turn may still end well. An item of type error is a warning.
        { when: { type: 'error' }, error: { message: 'message', isNotice: true } },
      ],
    },
    firstOutputS: 60,
    // Retries are set per provider in its own file, not by a flag. A limit is retried five times, after as long as the service
    // asked: one line, then silence. An overload takes 25 s. A cut connection has its own line and five retries in 7 s.
    retryLine:
      '"Reconnecting[. ]+[0-9]+/[0-9]+ \\((exceeded retry limit, last status: 429|unexpected status (429|5[0-9][0-9])|rate limit exceeded|[^)]*high demand)',
    // A limit that comes in the stream of an answer names the wait, and it sleeps for that long: "Please try again in 42.5s" (0.166.0).
    limitLine:
      '^\\{"type":"error","message":"Reconnecting[. ]+[0-9]+/[0-9]+ \\(rate limit exceeded: .*try again in ([0-9]{2,}(\\.[0-9]+)?s|[0-9]+m[^s]|[0-9]+h)',
  },
  interactive: {
    command: ['codex'],
    screensFrom: lab.pin,
    screens: [
      // The sign in it blinks.
      { state: 'asking', name: 'approval', title: '^\\[ [!.] \\] Action Required' },
      {
        state: 'asking',
        name: 'trust folder',
        text: 'Trust this folder\\?|Do you trust the contents',
        hasComposer: false,
      },
      { state: 'asking', name: 'hook review', text: 'Hooks need review', hasComposer: false },
      { state: 'asking', name: 'update', text: 'Update available|Update now', hasComposer: false },
      { state: 'asking', name: 'login', text: 'Sign in with |Choose how you want to use Codex', hasComposer: false },
      { state: 'asking', name: 'approval', text: 'Would you like to ', hasComposer: false },
      { state: 'asking', name: 'approval', bottom: 'Press enter to confirm', hasComposer: false },
      {
        state: 'asking',
        name: 'menu',
        bottom: '(press )?(enter|esc)( to)? (continue|confirm|quit|skip|go back|close|select|cancel)',
        hasComposer: false,
      },
      { state: 'asking', name: 'session list', bottom: 'enter resume .* esc exit', hasComposer: false },
      // While a reply comes in, only the title shows that it works.
      { state: 'busy', title: '^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] ' },
      // Its brackets are faint; those of an answer that quotes it are not.
      { state: 'busy', over: '^[•◦] .*\\([0-9hms ]+ • \\S+ to interrupt\\)', solid: '^[^(]*$' },
      { state: 'busy', over: '^ +\\S+ edit last queued message', solid: '^ +\\S+ *$' },
      // Its first frame has no status line; what is typed then comes as one burst.
      { state: 'starting', bottom: '^ {2}\\? for shortcuts', hasComposer: false },
      { state: 'ready', hasComposer: true },
    ],
    composer: {
      line: '^[›!](?: (.*))?$',
      // The status line, whatever a person has in it; not the hints under it, which end in a key.
      below: '^ {2}[^\\s?].* · ([^f].*|f[^2].*)$',
      cursor: 'shown',
      placeholder: '\\[Pasted Content ([0-9]+) chars\\]',
      shell: '^!',
    },
    // Where a person turned the title off, a reply that stalls looks like its end.
    quietMs: 2000,
    queued: 'edit last queued message',
    submit: { key: 'enter', delayMs: 150 },
    proofs: ['queued', 'placed', 'submitted', 'served', 'acknowledged'],
    ladder: CHANNEL_NAMES,
    launch: {
      prompt: ['--', '{text}'],
      own: {
        values: [
          '-c --config --enable --disable --remote --remote-auth-token-env -i --image -m --model',
          '--local-provider -p --profile -s --sandbox -C --cd --add-dir -a --ask-for-approval',
        ],
        resumes: ['resume', 'fork'],
      },
      hook: {
        firesAt: 'first-prompt',
        // Hooks given as flags run beside the person's. Each must be trusted by the hash of its definition; flags may
        // declare that trust for their own hooks, others still wait for the person's review.
        args: ['-c', `hooks={${ENTRIES.map(definition).join(',')},state={${ENTRIES.map(trust).join(',')}}}`],
        sums: Object.fromEntries(ENTRIES.map((entry) => [entry.event, identity(entry)])),
      },
    },
  },
  env: [
    'OPENAI_API_KEY',
    'CODEX_API_KEY',
    'CODEX_HOME',
    'OPENAI_BASE_URL',
    'OPENAI_ORGANIZATION',
    'OPENAI_PROJECT',
    'AZURE_OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'MISTRAL_API_KEY',
    'CODEX_CA_CERTIFICATE',
    'SSL_CERT_FILE',
  ],
  box,
  localFiles: ['AGENTS.override.md'],
  errors: [
    { class: 'setup', text: 'not inside a trusted directory|no prompt provided' },
    {
      class: 'quota',
      text: 'hit your usage limit|workspace is out of credits|hit your spend cap|quota exceeded. check your plan|upgrade to plus|token budget exhausted',
    },
    {
      class: 'auth',
      text: 'access token could not be refreshed|session could not be refreshed|please log out and sign in again|not logged in|unexpected status 40[13] |missing environment variable: ',
    },
    { class: 'rate_limit', text: 'last status: 429|rate limit exceeded|unexpected status 429 ' },
    {
      class: 'overload',
      text: 'selected model is at capacity|currently experiencing high demand|flex capacity unavailable|unexpected status 5[0-9][0-9] ',
    },
    { class: 'context', text: 'ran out of room in the model.{1,3}s context window' },
    { class: 'network', text: 'stream disconnected before completion|connection failed:' },
  ],
  notes: [
    'It runs a hook of its settings only after you reviewed it; the hooks of foreword start bring their own trust.',
    'Its start hook runs with the first prompt, not at launch.',
    'It replaces hook output of more than 2,500 tokens, counted as 10,000 bytes, by a file and a preview: of 12,000 characters the model got the first 4,860. Our texts stay below that.',
    'Enter while it works stops the reply, so foreword types nothing then.',
    'Its "Create new Git worktree" goes on in another folder, which has only what is committed: commit .foreword/ and .context/, or run foreword init there.',
    'foreword uninstall leaves its entries under [hooks.state] of config.toml: they are its own notes of what you trusted, and name hooks that are gone.',
  ],
};

/** One of our hooks as TOML. */
function definition({ name, event, timeout }: LaunchEntry): string {
  return `${name}=[{hooks=[{type="command",command="{command ${event}}",timeout=${timeout}}]}]`;
}

function trust({ name, event }: LaunchEntry): string {
  return `"/<session-flags>/config.toml:${labelOf(name)}:0:0"={trusted_hash="sha256:{sum ${event}}"}`;
}

/** What is hashed: the definition with its defaults, as JSON with its keys in order. */
function identity({ name, event, timeout }: LaunchEntry): string {
  return `{"event_name":"${labelOf(name)}","hooks":[{"async":false,"command":"{command ${event}}","timeout":${timeout},"type":"command"}]}`;
}
