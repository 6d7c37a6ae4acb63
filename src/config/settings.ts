// Every setting with its default, its meaning and what it allows. docs/configuration.md and schema/config.schema.json are
// made from here. To add one: a line in a section, then `node scripts/docs-config.mjs`.

import { HANDOVER_LIMITS } from '../kernel/handover-limits.ts';
import { type AgentSettings, agentsSchema } from './schemas/agents.ts';
import {
  choice,
  choices,
  location,
  map,
  names,
  number,
  numbers,
  onOff,
  path,
  paths,
  patterns,
  share,
  word,
} from './schemas/setting.ts';

const DAY_MS = 86_400_000;

export const SECTIONS = {
  context: {
    recentSec: number(
      { min: 1, max: 604_800 },
      { fallback: 180, meaning: 'Seconds for which a note that was touched counts as a hotspot.' },
    ),
    tasks: path('The task file; without it the first of the usual places.'),
    notes: path('The folder of notes; without it the first of the usual places.'),
    policy: path('The policy file; without it the first of the usual places.'),
  },
  history: {
    size: number({ min: 3, max: 5 }, { fallback: 5, meaning: 'Finished tasks that each prompt shows.' }),
    maxBlockers: number(
      { min: 1, max: 100 },
      { fallback: 10, meaning: 'Blocked tasks that each prompt shows; the rest are counted.' },
    ),
  },
  handover: {
    enabled: onOff({
      fallback: true,
      meaning: 'Whether retries, agent switches and reviews are told what went before; a task can say otherwise.',
      variable: 'ENABLE_PRE_CONTEXT_INJECTION',
    }),
    maxLines: number(HANDOVER_LIMITS.maxLines, {
      fallback: 10,
      meaning: 'Lines a hand-over may have.',
      variable: 'PRE_CONTEXT_MAX_LINES',
    }),
    types: choices(['circuit_breaker', 'retry', 'helper'], {
      fallback: ['circuit_breaker', 'retry', 'helper'],
      meaning: 'The occasions that get a hand-over: an agent switch, a retry, a review.',
      variable: 'PRE_CONTEXT_TYPES',
    }),
    helperMaxAttempts: number(HANDOVER_LIMITS.helperMaxAttempts, {
      fallback: 2,
      meaning: 'Past attempts that a review is told of.',
      variable: 'HELPER_CONTEXT_MAX_ATTEMPTS',
    }),
    maxFiles: number(HANDOVER_LIMITS.maxFiles, {
      fallback: 3,
      meaning: 'Files named in one line of a hand-over.',
      variable: 'PRE_CONTEXT_MAX_FILES',
    }),
  },
  startup: {
    budgetChars: number(
      { min: 500, max: 100_000 },
      { fallback: 6000, meaning: 'Characters of context a session is given at its start.' },
    ),
    maxHits: number({ min: 0, max: 20 }, { fallback: 5, meaning: 'Search results in the startup context.' }),
  },
  search: {
    maxFileBytes: number(
      { min: 1024, max: 16_777_216 },
      { fallback: 524_288, meaning: 'Bytes above which a file is left out of the index.' },
    ),
    maxHits: number({ min: 1, max: 100 }, { fallback: 5, meaning: 'Files that a search answers.' }),
  },
  state: {
    dump: onOff({ fallback: false, meaning: 'Whether .foreword/session-state.json is kept for other tools to read.' }),
  },
  templates: {
    engineer: path('The prompt for work on a task; without it the built-in one.'),
    reviewer: path('The prompt for reviewing a change; without it the built-in one.'),
    helper: path('The prompt for the agent that verifies; without it the built-in one.'),
  },
  run: {
    maxAgentFailures: number(
      { min: 1, max: 1000 },
      { fallback: 10, meaning: 'Runs of agents that fail or are interrupted before a task is given up.' },
    ),
    maxWaitS: number(
      { min: 0, max: 604_800 },
      { fallback: 3600, meaning: 'Seconds to wait for an agent when none may be given work.' },
    ),
    holdout: share({
      fallback: 0,
      meaning: 'Share of retries and switches that are told nothing, to measure what telling is worth.',
    }),
    concurrency: number(
      { min: 1, max: 32 },
      { fallback: 1, meaning: 'Tasks worked on at once; with more than 1 each in a work tree of its own.' },
    ),
    leaseMs: number(
      { min: 1000, max: 600_000 },
      {
        fallback: 30_000,
        meaning: 'Milliseconds after which the task of a supervisor that is gone may be taken over.',
      },
    ),
    checkTimeoutS: number({ min: 1, max: 86_400 }, { fallback: 600, meaning: 'Seconds a check may take.' }),
    helperTimeoutS: number(
      { min: 1, max: 86_400 },
      { fallback: 300, meaning: 'Seconds the agent that verifies may take.' },
    ),
  },
  breaker: {
    quotaMs: number(
      { min: 1000, max: 7 * DAY_MS },
      {
        fallback: 3_600_000,
        meaning: 'Milliseconds without work after a used-up quota, unless the agent named a time.',
      },
    ),
    authMs: number(
      { min: 1000, max: 7 * DAY_MS },
      { fallback: 3_600_000, meaning: 'Milliseconds without work for an agent that is not signed in or not set up.' },
    ),
    rateLimitMs: number(
      { min: 100, max: DAY_MS },
      { fallback: 60_000, meaning: 'Milliseconds without work after anything else; doubled each time in a row.' },
    ),
    maxMs: number(
      { min: 100, max: 7 * DAY_MS },
      { fallback: 900_000, meaning: 'The most that the doubling comes to.' },
    ),
    failures: number(
      { min: 1, max: 100 },
      { fallback: 3, meaning: 'Overloads, crashes and failed starts in a row that end the work with an agent.' },
    ),
    withinMs: number(
      { min: 1000, max: DAY_MS },
      { fallback: 300_000, meaning: 'Milliseconds within which they count together.' },
    ),
  },
  injection: {
    readinessTimeoutMs: number(
      { min: 1000, max: DAY_MS },
      { fallback: 30_000, meaning: 'Milliseconds without a screen that is known before the next way in is tried.' },
    ),
    requireAcknowledgment: onOff({
      fallback: false,
      meaning: 'Whether a startup context counts as delivered only when the agent answered its reply code.',
    }),
    ackTimeoutMs: number(
      { min: 0, max: DAY_MS },
      { fallback: 5000, meaning: 'Milliseconds that a command waits for the reply code; a later one still counts.' },
    ),
    retryBackoffs: numbers(
      { min: 0, max: 600_000, most: 20 },
      {
        fallback: [1000, 2000, 5000, 10_000],
        meaning: 'Milliseconds to pause after a window that failed, and before a submit key is repeated.',
      },
    ),
    fileFallbackAfterAttempts: number(
      { min: 1, max: 100 },
      { fallback: 3, meaning: 'Windows that failed before the next way in is tried.' },
    ),
    sendNotificationOnFailure: onOff({
      fallback: true,
      meaning: 'Whether a notice tells that context is there when nothing else worked.',
    }),
    readinessPatterns: patterns({
      fallback: [],
      meaning: 'Further patterns on the last lines of the screen that mean ready, where a composer shows.',
    }),
    acknowledgmentPatterns: patterns({
      fallback: [],
      meaning: 'Further patterns in what an agent prints that count as its acknowledgement.',
    }),
  },
  session: {
    queueSize: number(
      { min: 1, max: 10_000 },
      { fallback: 100, meaning: 'Texts that may wait for one session; more are refused.' },
    ),
  },
  gate: {
    mode: choice(['inline', 'directive', 'off'], {
      fallback: 'inline',
      meaning: 'What is said before the first tool is used: the files themselves, or which to read.',
    }),
    files: paths({
      fallback: [
        '.context/CONSTITUTION.md',
        '.context/TASKS.md',
        '.context/CONVENTIONS.md',
        '.context/DECISIONS.md',
        '.context/LEARNINGS.md',
        '.context/AGENT_PLAYBOOK.md',
      ],
      meaning: 'The files an agent must know before it uses a tool, in this order.',
    }),
    mustRead: paths({
      fallback: ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'],
      meaning: 'Those of them that are put there whole; the others are listed.',
    }),
    budgetChars: number({ min: 500, max: 7900 }, { fallback: 7500, meaning: 'Characters that the gate may say.' }),
  },
  prompt: {
    maxChars: number(
      { min: 0, max: 7900 },
      { fallback: 1024, meaning: 'Characters of header that a prompt is given when it changed; 0 for none.' },
    ),
  },
  sandbox: {
    level: choice(['auto', 'bubblewrap', 'unshare', 'none'], {
      fallback: 'auto',
      meaning: 'Where commands run that a model wrote; none: they are not run.',
    }),
    readOnly: paths({ fallback: [], meaning: 'Further paths that such commands may read.' }),
  },
  redact: {
    variables: names({ fallback: [], meaning: 'Further environment variables whose values are secret.' }),
  },
} as const;

/** Settings that stand by themselves. `project` has the folder's name as its default. */
export const PLAIN = {
  project: word({
    fallback: undefined,
    meaning: 'The name of the project in prompts; without it the name of the folder.',
  }),
  store: location(
    'Where records are kept: a file, or redis://…; without it .foreword/foreword.db. A relative path starts at the project root; in --store it starts at the current folder.',
  ),
  lineup: names({
    fallback: ['gemini', 'copilot', 'cursor', 'codex', 'claude'], // house-rule: no-agent-name-outside
    meaning: 'The agents a task may use, in the order they are tried; those that are not installed are passed over.',
  }),
  helper: word({
    fallback: undefined,
    meaning: 'The agent that verifies; without it the next in the lineup that did not do the work.',
  }),
  agents: map<Readonly<Record<string, AgentSettings>>>(agentsSchema, 'a map of agents, in the file', {
    fallback: {},
    meaning: 'Agents of your own, or changes to a built-in one, by name.',
  }),
} as const;
