// The rooms of src/, as data: what each is for, what it may import, and which of its files are pure. scripts/dependency-rules.mjs
// checks it, scripts/docs-architecture.mjs prints it into ARCHITECTURE.md. To add a room: add an entry to ROOMS.

/** Pure files decide: they take facts and return values. No I/O, no clock, no randomness, no package. Everybody may import
 *  them; they import the kernel and one another. A folder ends with a slash. Paths are below src/. */
export const PURE_FILES = {
  context: [
    'budget',
    'header',
    'header-delta',
    'header-md',
    'policy-lines',
    'prompt',
    'startup',
    'template',
    'handover/',
    'texts/',
  ],
  runs: [
    'breaker',
    'changes',
    'execution-context',
    'lineup',
    'run-plan',
    'task-machine',
    'agent-output/',
    'judging/',
    'workplaces/workplace',
    'sandboxes/sandbox',
  ],
  sessions: [
    'acknowledgement',
    'composer-line',
    'delivery-machine',
    'in-band',
    'launch-hook',
    'proof-search',
    'readiness',
    'ways-in',
    'instruction-block/code-fences',
    'instruction-block/instruction-file',
    'instruction-block/managed-block',
    'instruction-block/managed-block-body',
    'instruction-block/managed-block-scan',
  ],
  reports: [
    'compliance',
    'effect',
    'effect-text',
    'ended-attempts',
    'event-lines',
    'injection-metrics',
    'metric-families',
    'metrics',
    'prometheus',
    'statistics',
  ],
  verify: ['arrival', 'measurement'],
  install: ['line-difference'],
  terminals: ['outer-input', 'tame-output', 'terminal-modes', 'screen/cell-width'],
  system: ['capped-text'],
};

/** `may`: rooms whose every file may be imported, besides the room's own files and all pure files. */
export const ROOMS = [
  {
    name: 'cli',
    group: 'what people call',
    what: 'words in, words out: parsing, help, output; `commands/` has one thin file per command',
    may: ['kernel', 'app', 'config', 'system', 'context'],
  },
  {
    name: 'app',
    group: 'what people call',
    what: 'joins features to adapters and decides nothing: no branch, no loop, no timer',
    may: ['*'],
  },
  {
    name: 'context',
    group: 'features',
    what: 'what an agent reads: header, prompt, startup context, hand-over, code search, continuity; `texts/` has the sentences, `sources/` the facts',
    may: ['kernel', 'system', 'config'],
  },
  {
    name: 'runs',
    group: 'features',
    what: 'unattended work: the loop, attempts, judging, breaker, lineup, observers, checks, sandboxes',
    may: ['kernel', 'system', 'config'],
  },
  {
    name: 'sessions',
    group: 'features',
    what: 'an agent in a terminal: readiness, deliveries and their proof, one file per channel, the host and its clients',
    may: ['kernel', 'system', 'config'],
  },
  {
    name: 'hooks',
    group: 'features',
    what: 'what agents run: the shell scripts and the small program behind them',
    may: ['kernel', 'system', 'config'],
  },
  {
    name: 'install',
    group: 'features',
    what: 'init and uninstall: settings of other tools, edited and restored byte for byte',
    may: ['kernel', 'system', 'config'],
  },
  {
    name: 'verify',
    group: 'features',
    what: 'real agents tried against a model on loopback (`model/`) by recipes (`lab/`); results per version',
    may: ['kernel', 'system', 'config'],
  },
  {
    name: 'reports',
    group: 'features',
    what: 'what events add up to: metrics, effect, compliance, event lines, doctor',
    may: ['kernel', 'system', 'config'],
  },
  {
    name: 'dashboard',
    group: 'features',
    what: 'records as a page shows them, the server, and the page itself (`page/`, for browsers)',
    may: ['kernel', 'system', 'config'],
  },
  {
    name: 'kernel',
    group: 'what everyone uses',
    what: 'nouns, ports, events, errors, ids, time, safe text, redaction. Pure; used by three rooms or more',
    may: [],
  },
  {
    name: 'agents',
    group: 'what everyone uses',
    what: 'one folder per agent with everything known about it, as data',
    may: ['kernel'],
  },
  {
    name: 'stores',
    group: 'adapters',
    what: 'memory, SQLite, Redis; `contract.ts` is the suite each must pass; `open.ts` picks one by its URL',
    may: ['kernel', 'system'],
  },
  {
    name: 'terminals',
    group: 'adapters',
    what: 'PTY, tmux, and the screen that is read; `contract.ts` is their suite',
    may: ['kernel', 'system'],
  },
  {
    name: 'system',
    group: 'adapters',
    what: 'processes, files, git, text formats, patterns; what differs between Linux and macOS',
    may: ['kernel'],
  },
  {
    name: 'config',
    group: 'adapters',
    what: "every setting once, reading them, the schemas of people's files, trust",
    may: ['kernel', 'system'],
  },
  { name: 'testing', group: 'for tests', what: "published for users' tests: manual clock, store contract", may: ['*'] },
];

/** Each package has one home: a folder below src/. */
export const PACKAGE_HOMES = {
  '@lydell/node-pty': 'terminals/pty',
  '@xterm/headless': 'terminals/screen',
  'jsonc-parser': 'install',
  'smol-toml': 'install',
  re2js: 'system/patterns',
  libsql: 'stores/sqlite',
  ioredis: 'stores/redis',
  valibot: 'config',
  '@valibot/to-json-schema': 'config',
  'js-yaml': 'system/formats',
};
