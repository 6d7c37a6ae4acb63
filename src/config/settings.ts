// Every setting with its default, its description and what it allows; those of hooks are in hook-settings.ts.
// docs/configuration.md and schema/config.schema.json are made from here. To add one: a line in a section, then
// `node scripts/docs-config.mjs`.

import { HANDOVER_LIMITS } from '../kernel/handover-limits.ts';
import { HOOK_SECTIONS } from './hook-settings.ts';
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
} from './setting.ts';

const DAY_MS = 86_400_000;

export const SECTIONS = {
  context: {
    recentSec: number(
      { min: 1, max: 604_800 },
      { defaultValue: 180, description: 'Seconds for which a note that was touched counts as a hotspot.' },
    ),
    tasks: path('The task file; without it the first of the usual places.'),
    notes: path('The folder of notes; without it the first of the usual places.'),
    policy: path('The policy file; without it the first of the usual places.'),
  },
  history: {
    size: number({ min: 3, max: 5 }, { defaultValue: 5, description: 'Finished tasks that each prompt shows.' }),
    maxBlockers: number(
      { min: 1, max: 100 },
      { defaultValue: 10, description: 'Blocked tasks that each prompt shows; the rest are counted.' },
    ),
  },
  handover: {
    enabled: onOff({
      defaultValue: true,
      description: 'Whether retries, agent switches and reviews are told what went before; a task can say otherwise.',
      variable: 'ENABLE_PRE_CONTEXT_INJECTION',
    }),
    maxLines: number(HANDOVER_LIMITS.maxLines, {
      defaultValue: 10,
      description: 'Lines a hand-over may have.',
      variable: 'PRE_CONTEXT_MAX_LINES',
    }),
    types: choices(['circuit_breaker', 'retry', 'helper'], {
      defaultValue: ['circuit_breaker', 'retry', 'helper'],
      description: 'The occasions that get a hand-over: an agent switch, a retry, a review.',
      variable: 'PRE_CONTEXT_TYPES',
    }),
    helperMaxAttempts: number(HANDOVER_LIMITS.helperMaxAttempts, {
      defaultValue: 2,
      description: 'Past attempts that a review is told of.',
      variable: 'HELPER_CONTEXT_MAX_ATTEMPTS',
    }),
    maxFiles: number(HANDOVER_LIMITS.maxFiles, {
      defaultValue: 3,
      description: 'Files named in one line of a hand-over.',
      variable: 'PRE_CONTEXT_MAX_FILES',
    }),
  },
  startup: {
    budgetChars: number(
      { min: 500, max: 100_000 },
      { defaultValue: 6000, description: 'Characters of context a session is given at its start.' },
    ),
    maxHits: number({ min: 0, max: 20 }, { defaultValue: 5, description: 'Search results in the startup context.' }),
  },
  search: {
    maxFileBytes: number(
      { min: 1024, max: 16_777_216 },
      { defaultValue: 524_288, description: 'Bytes above which a file is left out of the index.' },
    ),
    maxHits: number({ min: 1, max: 100 }, { defaultValue: 5, description: 'Files that a search answers.' }),
  },
  state: {
    dump: onOff({
      defaultValue: false,
      description: 'Whether .foreword/session-state.json is kept for other tools to read.',
    }),
  },
  templates: {
    engineer: path('The prompt for work on a task; without it the built-in one.'),
    reviewer: path('The prompt for reviewing a change; without it the built-in one.'),
    helper: path('The prompt for the agent that verifies; without it the built-in one.'),
  },
  run: {
    maxAgentFailures: number(
      { min: 1, max: 1000 },
      { defaultValue: 10, description: 'Runs of agents that fail or are interrupted before a task is given up.' },
    ),
    maxWaitS: number(
      { min: 0, max: 604_800 },
      { defaultValue: 3600, description: 'Seconds to wait for an agent when none may be given work.' },
    ),
    holdout: share({
      defaultValue: 0,
      description: 'Share of retries and switches that are told nothing, to measure what telling is worth.',
    }),
    concurrency: number(
      { min: 1, max: 32 },
      { defaultValue: 1, description: 'Tasks worked on at once; with more than 1 each in a work tree of its own.' },
    ),
    leaseMs: number(
      { min: 1000, max: 600_000 },
      {
        defaultValue: 30_000,
        description: 'Milliseconds after which the task of a supervisor that is gone may be taken over.',
      },
    ),
    checkTimeoutS: number({ min: 1, max: 86_400 }, { defaultValue: 600, description: 'Seconds a check may take.' }),
    helperTimeoutS: number(
      { min: 1, max: 86_400 },
      { defaultValue: 300, description: 'Seconds the agent that verifies may take.' },
    ),
  },
  breaker: {
    quotaMs: number(
      { min: 1000, max: 7 * DAY_MS },
      {
        defaultValue: 3_600_000,
        description: 'Milliseconds without work after a used-up quota, unless the agent named a time.',
      },
    ),
    authMs: number(
      { min: 1000, max: 7 * DAY_MS },
      {
        defaultValue: 3_600_000,
        description: 'Milliseconds without work for an agent that is not signed in or not set up.',
      },
    ),
    rateLimitMs: number(
      { min: 100, max: DAY_MS },
      {
        defaultValue: 60_000,
        description: 'Milliseconds without work after anything else; doubled each time in a row.',
      },
    ),
    maxMs: number(
      { min: 100, max: 7 * DAY_MS },
      { defaultValue: 900_000, description: 'The most that the doubling comes to.' },
    ),
    failures: number(
      { min: 1, max: 100 },
      {
        defaultValue: 3,
        description: 'Overloads, crashes and failed starts in a row that end the work with an agent.',
      },
    ),
    withinMs: number(
      { min: 1000, max: DAY_MS },
      { defaultValue: 300_000, description: 'Milliseconds within which they count together.' },
    ),
  },
  injection: {
    readinessTimeoutMs: number(
      { min: 1000, max: DAY_MS },
      {
        defaultValue: 30_000,
        description: 'Milliseconds without a screen that is known before the next way in is tried.',
      },
    ),
    requireAcknowledgment: onOff({
      defaultValue: false,
      description: 'Whether a startup context counts as delivered only when the agent answered its reply code.',
    }),
    ackTimeoutMs: number(
      { min: 0, max: DAY_MS },
      {
        defaultValue: 5000,
        description: 'Milliseconds that a command waits for the reply code; a later one still counts.',
      },
    ),
    retryBackoffs: numbers(
      { min: 0, max: 600_000, most: 20 },
      {
        defaultValue: [1000, 2000, 5000, 10_000],
        description: 'Milliseconds to pause after a window that failed, and before a submit key is repeated.',
      },
    ),
    fileFallbackAfterAttempts: number(
      { min: 1, max: 100 },
      { defaultValue: 3, description: 'Windows that failed before the next way in is tried.' },
    ),
    sendNotificationOnFailure: onOff({
      defaultValue: true,
      description: 'Whether a notice tells that context is there when nothing else worked.',
    }),
    readinessPatterns: patterns({
      defaultValue: [],
      description: 'Further patterns on the last lines of the screen that mean ready, where a composer shows.',
    }),
    acknowledgmentPatterns: patterns({
      defaultValue: [],
      description: 'Further patterns in what an agent prints that count as its acknowledgement.',
    }),
  },
  session: {
    queueSize: number(
      { min: 1, max: 10_000 },
      { defaultValue: 100, description: 'Texts that may wait for one session; more are refused.' },
    ),
  },
  gate: HOOK_SECTIONS.gate,
  prompt: HOOK_SECTIONS.prompt,
  sandbox: {
    level: choice(['auto', 'bubblewrap', 'unshare', 'none'], {
      defaultValue: 'auto',
      description: 'Where commands run that a model wrote; none: they are not run.',
    }),
    readOnly: paths({ defaultValue: [], description: 'Further paths that such commands may read.' }),
  },
  redact: HOOK_SECTIONS.redact,
} as const;

/** Settings that stand by themselves. `project` has the folder's name as its default. */
export const PLAIN = {
  project: word({
    defaultValue: undefined,
    description: 'The name of the project in prompts; without it the name of the folder.',
  }),
  store: location(
    'Where records are kept: a file, or redis://…; without it .foreword/foreword.db. A relative path starts at the project root; in --store it starts at the current folder.',
  ),
  lineup: names({
    defaultValue: ['gemini', 'copilot', 'cursor', 'codex', 'claude'], // house-rule: no-agent-name-outside
    description:
      'The agents a task may use, in the order they are tried; those that are not installed are passed over.',
  }),
  helper: word({
    defaultValue: undefined,
    description: 'The agent that verifies; without it the next in the lineup that did not do the work.',
  }),
  agents: map<Readonly<Record<string, AgentSettings>>>(agentsSchema, 'a map of agents, in the file', {
    defaultValue: {},
    description: 'Agents of your own, or changes to a built-in one, by name.',
  }),
} as const;
