// Every setting with its default, its description and what it allows; those of hooks are in hook-settings.ts.
// docs/configuration.md and schema/config.schema.json are made from here. To add one: a line in a section, then
// `node scripts/docs-config.mjs`.

import { HANDOVER_LIMITS } from '../kernel/handover-limits.ts';
import { HOOK_SECTIONS } from './hook-settings.ts';
import { type AgentSettings, agentsSchema } from './schemas/agents.ts';
import {
  choice,
  choices,
  command,
  innerPaths,
  location,
  map,
  names,
  number,
  numbers,
  onOff,
  path,
  paths,
  patterns,
  personal,
  share,
  word,
} from './setting.ts';

const DAY_MS = 86_400_000;
/** Ignored folders that checks and agents need. */
const SHARED: readonly string[] = ['node_modules', 'vendor'];

export const SECTIONS = {
  context: {
    recentSec: number(
      { min: 1, max: 604_800 },
      { defaultValue: 180, description: 'Seconds for which a changed note counts as a hotspot.' },
    ),
    tasks: path('The task file. Default: the first of the usual places that exists.'),
    notes: path('The folder of notes. Default: the first of the usual places that exists.'),
    policy: path('The policy file. Default: the first of the usual places that exists.'),
  },
  history: {
    size: number(
      { min: 3, max: 5 },
      { defaultValue: 5, description: 'Number of finished tasks that each prompt shows.' },
    ),
    maxBlockers: number(
      { min: 1, max: 100 },
      { defaultValue: 10, description: 'Number of blocked tasks that each prompt shows; the rest are only counted.' },
    ),
  },
  handover: {
    enabled: onOff({
      defaultValue: true,
      description:
        'Whether retries, agent switches and reviews get a hand-over about earlier attempts. A task can override it.',
      variable: 'ENABLE_PRE_CONTEXT_INJECTION',
    }),
    maxLines: number(HANDOVER_LIMITS.maxLines, {
      defaultValue: 10,
      description: 'The most lines of a hand-over.',
      variable: 'PRE_CONTEXT_MAX_LINES',
    }),
    types: choices(['circuit_breaker', 'retry', 'helper'], {
      defaultValue: ['circuit_breaker', 'retry', 'helper'],
      description: 'Which prompts get a hand-over: circuit_breaker (an agent switch), retry, helper (a review).',
      variable: 'PRE_CONTEXT_TYPES',
    }),
    helperMaxAttempts: number(HANDOVER_LIMITS.helperMaxAttempts, {
      defaultValue: 2,
      description: 'Number of past attempts in the hand-over of a review.',
      variable: 'HELPER_CONTEXT_MAX_ATTEMPTS',
    }),
    maxFiles: number(HANDOVER_LIMITS.maxFiles, {
      defaultValue: 3,
      description: 'The most files in one line of a hand-over.',
      variable: 'PRE_CONTEXT_MAX_FILES',
    }),
  },
  startup: {
    budgetChars: number(
      { min: 500, max: 100_000 },
      { defaultValue: 6000, description: 'The most characters of the startup context of a session.' },
    ),
    maxHits: number(
      { min: 0, max: 20 },
      { defaultValue: 5, description: 'The most search results in the startup context.' },
    ),
  },
  search: {
    maxFileBytes: number(
      { min: 1024, max: 16_777_216 },
      { defaultValue: 524_288, description: 'Files with more bytes than this are not indexed.' },
    ),
    maxHits: number({ min: 1, max: 100 }, { defaultValue: 5, description: 'The most files that a search returns.' }),
  },
  state: {
    dump: onOff({
      defaultValue: false,
      description: 'Whether foreword keeps .foreword/session-state.json up to date for other tools.',
    }),
  },
  templates: {
    engineer: path('The prompt template for work on a task. Default: the built-in one.'),
    reviewer: path('The prompt template for the review of a change. Default: the built-in one.'),
    helper: path('The prompt template for the agent that verifies. Default: the built-in one.'),
    cto: path('The prompt template for planning a task (foreword prompt --role cto). Default: the built-in one.'),
  },
  run: {
    maxAgentFailures: number(
      { min: 1, max: 1000 },
      { defaultValue: 10, description: 'After this many failed or interrupted agent runs a task is given up.' },
    ),
    maxWaitS: number(
      { min: 0, max: 604_800 },
      { defaultValue: 43_200, description: 'Seconds to wait for an agent when all have reached a limit: a night.' },
    ),
    holdout: share({
      defaultValue: 0,
      description:
        'Share of retries and switches without a hand-over, chosen at random: the control group that shows what hand-overs are worth.',
    }),
    base: choice(['head', 'working'], {
      defaultValue: 'head',
      description:
        'What agents begin with. head: your last commit. working: that with your uncommitted changes, which never get into the branch of the run.',
    }),
    concurrency: number(
      { min: 1, max: 32 },
      {
        defaultValue: 1,
        description: 'Number of tasks that run at once, each in its own checkout of the project.',
      },
    ),
    leaseMs: number(
      { min: 1000, max: 600_000 },
      {
        defaultValue: 30_000,
        description: 'Milliseconds after which another supervisor may take over the task of one that is gone.',
      },
    ),
    prepare: command(
      'A command that runs once in each new checkout, instead of copying folders: [npm, ci]. What it makes and git ignores is kept from task to task.',
    ),
    prepareTimeoutS: number(
      { min: 1, max: 86_400 },
      { defaultValue: 1800, description: 'Timeout of run.prepare in seconds.' },
    ),
    share: innerPaths({
      defaultValue: SHARED,
      defaultFrom: ({ prepare }) => (prepare === undefined ? SHARED : []),
      description:
        'Ignored folders and files that each checkout gets a copy of: a path from the project root, or a name that counts at any depth. With run.prepare the default is none.',
    }),
    checkTimeoutS: number(
      { min: 1, max: 86_400 },
      { defaultValue: 600, description: 'Timeout of a check in seconds.' },
    ),
    helperTimeoutS: number(
      { min: 1, max: 86_400 },
      { defaultValue: 300, description: 'Timeout of the agent that verifies, in seconds.' },
    ),
    hangS: number(
      { min: 1, max: 86_400 },
      {
        defaultValue: 600,
        description: 'Seconds without any output after which an agent counts as hung and is ended.',
      },
    ),
    confine: choice(['auto', 'required', 'off'], {
      defaultValue: 'auto',
      description:
        'Whether agents run in a box in which they can write only their checkout. auto: where bubblewrap works and the agent passed its trial. required: an agent that cannot be boxed gets no work.',
    }),
    allow: paths({
      defaultValue: [],
      description: 'More paths that boxed agents, checks and run.prepare may write: files, folders, sockets.',
    }),
    review: word({
      defaultValue: undefined,
      description:
        'The agent that reviews work whose checks passed, or next: the next in the lineup that did not do the work. Default: nobody reviews.',
    }),
    reviewRounds: number(
      { min: 1, max: 10 },
      { defaultValue: 2, description: 'How often a reviewer may send work back before a person must look.' },
    ),
    reviewTimeoutS: number(
      { min: 1, max: 86_400 },
      { defaultValue: 900, description: 'Timeout of the agent that reviews, in seconds.' },
    ),
    leaveAt: number(
      { min: 1, max: 100 },
      {
        defaultValue: 95,
        description: 'Percent of its usage limit at which an agent gets no more work until the limit resets.',
      },
    ),
    notify: command(
      'A command that runs at the end of a run and when a task needs you. It gets the event as JSON on standard input.',
    ),
    merge: choice(['ask', 'auto'], {
      defaultValue: 'ask',
      description:
        'auto: a run whose tasks are all completed is merged into your branch at its end, as by foreword merge.',
    }),
  },
  breaker: {
    quotaMs: number(
      { min: 1000, max: 7 * DAY_MS },
      {
        defaultValue: 3_600_000,
        description: 'Milliseconds for which an agent gets no work after its quota is used up, unless it named a time.',
      },
    ),
    authMs: number(
      { min: 1000, max: 7 * DAY_MS },
      {
        defaultValue: 3_600_000,
        description: 'Milliseconds for which an agent gets no work when it is not signed in or not set up.',
      },
    ),
    rateLimitMs: number(
      { min: 100, max: DAY_MS },
      {
        defaultValue: 60_000,
        description:
          'Milliseconds for which an agent gets no work after any other failure; doubled each time in a row.',
      },
    ),
    maxMs: number(
      { min: 100, max: 7 * DAY_MS },
      { defaultValue: 900_000, description: 'The longest pause that the doubling reaches, in milliseconds.' },
    ),
    failures: number(
      { min: 1, max: 100 },
      {
        defaultValue: 3,
        description: 'After this many overloads, crashes and failed starts in a row an agent gets no work.',
      },
    ),
    withinMs: number(
      { min: 1000, max: DAY_MS },
      { defaultValue: 300_000, description: 'Milliseconds within which breaker.failures are counted together.' },
    ),
  },
  worker: {
    lockMs: number(
      { min: 1000, max: 3_600_000 },
      {
        defaultValue: 120_000,
        description:
          'With several machines: milliseconds that a claim holds without a renewal. A store that is away for longer ends the agents. The same on all machines of a fleet.',
      },
    ),
    stalledMs: number(
      { min: 500, max: 600_000 },
      {
        defaultValue: 30_000,
        description:
          'With several machines: milliseconds between two looks of the queue for jobs whose worker is gone. The same on all machines of a fleet.',
      },
    ),
    drainS: number(
      { min: 0, max: 86_400 },
      {
        defaultValue: 3600,
        description:
          'Seconds that a worker which is stopped waits for the tasks under way before it ends their agents.',
      },
    ),
  },
  injection: {
    readinessTimeoutMs: number(
      { min: 1000, max: DAY_MS },
      {
        defaultValue: 30_000,
        description: 'Milliseconds without a recognised screen before the next channel is tried.',
      },
    ),
    requireAcknowledgment: onOff({
      defaultValue: false,
      description: 'Whether a startup context counts as delivered only after the agent repeated its reply code.',
    }),
    ackTimeoutMs: number(
      { min: 0, max: DAY_MS },
      {
        defaultValue: 5000,
        description: 'Milliseconds that a command waits for the reply code. A later one still counts.',
      },
    ),
    retryBackoffs: numbers(
      { min: 0, max: 600_000, most: 20 },
      {
        defaultValue: [1000, 2000, 5000, 10_000],
        description: 'Milliseconds to wait after a failed try, and before a submit key is repeated.',
      },
    ),
    fileFallbackAfterAttempts: number(
      { min: 1, max: 100 },
      { defaultValue: 3, description: 'Number of failed tries before the next channel is tried.' },
    ),
    sendNotificationOnFailure: onOff({
      defaultValue: true,
      description: 'Whether a notice points to the context when no other channel worked.',
    }),
    readinessPatterns: patterns({
      defaultValue: [],
      description: 'More patterns for a ready agent, matched on the last lines of a screen with a composer.',
    }),
    acknowledgmentPatterns: patterns({
      defaultValue: [],
      description: 'More patterns that count as an acknowledgement in what an agent prints.',
    }),
  },
  session: {
    queueSize: number(
      { min: 1, max: 10_000 },
      { defaultValue: 100, description: 'The most texts in the queue of one session; more are refused.' },
    ),
  },
  sessions: {
    switch: choice(['hand', 'auto'], {
      defaultValue: 'hand',
      description:
        "What foreword switch does with the last prompt: hand puts it into the other agent's composer, auto also sends it.",
    }),
  },
  gate: HOOK_SECTIONS.gate,
  prompt: HOOK_SECTIONS.prompt,
  continuity: {
    ...HOOK_SECTIONS.continuity,
    across: personal(
      onOff({
        defaultValue: false,
        description:
          'Whether your prompts to one agent are shown to agents of other vendors. foreword init asks once; a yes is kept for all your projects.',
      }),
    ),
  },
  sandbox: {
    level: choice(['auto', 'bubblewrap', 'unshare', 'none'], {
      defaultValue: 'auto',
      description: 'The sandbox for commands that a model wrote. none: they are not run.',
    }),
    readOnly: paths({ defaultValue: [], description: 'More paths that these commands may read.' }),
    writeMiB: number(
      { min: 16, max: 1_048_576 },
      {
        defaultValue: 2048,
        description:
          'The most that the commands of one run may write in total, in MiB, on top of the copy. It is in memory: never more than two fifths of what is free.',
      },
    ),
  },
  redact: HOOK_SECTIONS.redact,
} as const;

/** Settings without a section. The default of `project` is the folder's name. */
export const PLAIN = {
  project: word({
    defaultValue: undefined,
    description: 'The name of the project in prompts. Default: the name of the folder.',
  }),
  store: personal(
    location(
      'Where records are kept: a file, or redis://…. Default: a file in your state folder. A relative path starts at the project root; in --store it starts at the current folder.',
    ),
  ),
  fleet: personal(
    word({
      defaultValue: undefined,
      description: 'The fleet to join on a Redis server: the id that another clone of this project has there.',
    }),
  ),
  allowVolatile: personal(
    onOff({
      defaultValue: false,
      description: 'Whether to write to a Redis server that can lose acknowledged writes or evicts records.',
    }),
  ),
  allowPlainRedis: personal(
    onOff({
      defaultValue: false,
      description: 'Whether to use a Redis server on another machine without TLS or without a password.',
    }),
  ),
  lineup: names({
    defaultValue: ['gemini', 'copilot', 'cursor', 'codex', 'claude'], // house-rule: no-agent-name-outside
    description: 'The agents a task may use, in the order they are tried. Agents that are not installed are skipped.',
  }),
  helper: word({
    defaultValue: undefined,
    description: 'The agent that verifies. Default: the next in the lineup that did not do the work.',
  }),
  agents: map<Readonly<Record<string, AgentSettings>>>(agentsSchema, 'a map of agents, in the file', {
    defaultValue: {},
    description: 'Agents of your own, or changes to a built-in one, by name.',
  }),
} as const;
