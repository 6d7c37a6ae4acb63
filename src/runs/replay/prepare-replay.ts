// Prepares a replay and plays it: pairs of the stored attempts of some tasks, one after another. The task's own records, its run,
// branch and commits are read and never written; what is played is recorded as `attempt-replayed`.

import { ForewordError } from '../../kernel/errors.ts';
import type { NewEvent } from '../../kernel/events.ts';
import { nameSome } from '../../kernel/name-some.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import { splitCriteria } from '../../kernel/verdict.ts';
import { whileAtWork } from '../../system/files/at-work.ts';
import { newId } from '../../system/ids.ts';
import { roomFor } from '../attempts/room.ts';
import { Budget } from '../budget/budget.ts';
import type { Caps, Reached } from '../budget/caps.ts';
import { refuseUncounted } from '../budget/refuse-uncounted.ts';
import { comingAlong } from '../coming-along.ts';
import type { RunPorts, RunSettings } from '../ports.ts';
import { type RunParts, settingsOf } from '../prepare-run.ts';
import type { RunOptions } from '../run-options.ts';
import { portsOf } from '../run-ports.ts';
import { withoutUnboxed } from '../without-unboxed.ts';
import { checkGit } from '../workplaces/index.ts';
import { type ReplayCase, type ReplayCases, replayCases } from './cases.ts';
import { type OpenReplayPlace, openReplayPlaces } from './places.ts';
import { play, type Replayed } from './play.ts';

export interface ReplayOptions extends Pick<RunOptions, 'signal' | 'onEvent' | 'onActivity'> {
  /** Ids of tasks. */
  readonly tasks: readonly string[];
  /** How often each attempt is played with its hand-over, and as often without. */
  readonly times: number;
  readonly caps: Caps;
}

export interface PreparedReplay extends ReplayCases {
  run(): Promise<ReplayReport>;
}

export interface ReplayReport {
  /** Pairs of which both are played. */
  readonly pairs: number;
  readonly reached?: Reached;
  /** Why it ended early, when that was no cap and no person: a sentence without its end. */
  readonly why?: string;
}

/** Runs nothing yet. Throws `unknown-task`, `bad-input` when a task has nothing to replay, and `missing-program` without the agent. */
export async function prepareReplay(given: RunParts, options: ReplayOptions): Promise<PreparedReplay> {
  const { project } = given;
  checkGit(project.root, given.variables.PATH ?? '');
  const stores = await project.writeStores();
  const tasks = await tasksOf(stores, options.tasks);
  const events = (await stores.journal.read()).map(({ value }) => value);
  const found: ReplayCases[] = [];
  for (const { task_id: task } of tasks) {
    const attempts = await stores.attempts.list(task);
    found.push(casesOf({ task, events, attempts, settings: project.config.handover }));
  }
  const cases = found.flatMap((each) => each.cases);
  const skipped = found.flatMap((each) => each.skipped);
  const settings = settingsFor(given, options, { cases, tasks });
  const by = { owner: settings.owner, what: 'foreword effect --replay' };
  const run = () => runReplay(given, options, { cases, tasks, stores, settings });
  return { cases, skipped, run: () => whileAtWork(settings.places.atWork, by, run) };
}

async function tasksOf(stores: Stores, ids: readonly string[]): Promise<readonly TaskRecord[]> {
  const all = await stores.tasks.list();
  return [...new Set(ids)].map((id) => {
    const record = all.find(({ task_id }) => task_id === id);
    if (record === undefined)
      throw new ForewordError('unknown-task', `There is no task "${id}" in the store.`, {
        hint:
          all.length === 0
            ? 'No task was run in this project yet. foreword run TASKS starts.'
            : `Known tasks: ${nameSome(all.map(({ task_id }) => task_id))}.`,
      });
    // Its checks are commands that whoever made the file could have written.
    if (record.imported === true || record.task === undefined)
      throw nothing(id, 'it came by import, and its checks are not run without its task file');
    return record;
  });
}

function casesOf(facts: Parameters<typeof replayCases>[0]): ReplayCases {
  const found = replayCases(facts);
  if (found.cases.length > 0) return found;
  const reasons = found.skipped.map(({ attempt, why }) => `attempt ${attempt}: ${why}`);
  if (reasons.length > 0) throw nothing(facts.task, reasons.join('; '));
  const made = facts.attempts.length;
  throw nothing(facts.task, `it has ${made} attempt(s), and no retry or switch with a hand-over`);
}

function nothing(task: string, why: string): ForewordError {
  return new ForewordError('bad-input', `Nothing of task ${task} can be replayed: ${why}.`, {
    hint: 'foreword history lists tasks and their attempts; name one that was tried more than once.',
  });
}

function settingsFor(
  parts: RunParts,
  { caps }: ReplayOptions,
  { cases, tasks }: { readonly cases: readonly ReplayCase[]; readonly tasks: readonly TaskRecord[] },
): RunSettings {
  const agents = [...new Set(cases.map(({ agent }) => agent))];
  const needsHelper = tasks.some(({ task }) => splitCriteria(task?.acceptance_criteria ?? []).unchecked.length > 0);
  const settings = settingsOf(parts, { caps, ...(needsHelper ? {} : { lineup: agents }) });
  const missing = agents.filter((name) => !settings.installed.has(name));
  if (missing.length > 0)
    throw new ForewordError(
      'missing-program',
      `These attempts were made by ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not installed; nothing was played.`,
      { hint: 'Install it, or replay a task of another agent. foreword doctor lists what is here.' },
    );
  refuseUncounted({ ...settings, judging: reviewless(settings.judging, needsHelper) }, [{ agents }]);
  return settings;
}

/** No reviewer is asked in a replay. */
function reviewless(judging: RunSettings['judging'], needsHelper: boolean): RunSettings['judging'] {
  return {
    ...judging,
    helper: needsHelper ? judging.helper : undefined,
    review: { ...judging.review, by: undefined },
  };
}

/** What is said about agents is true in a replay too. Everything else would count as work on the task. */
const STORED: readonly NewEvent['kind'][] = [
  'attempt-replayed',
  'breaker-opened',
  'breaker-tried',
  'breaker-closed',
  'agent-tried',
  'agent-unboxed',
];

interface Prepared {
  readonly cases: readonly ReplayCase[];
  readonly tasks: readonly TaskRecord[];
  readonly stores: Stores;
  readonly settings: RunSettings;
}

async function runReplay(given: RunParts, options: ReplayOptions, prepared: Prepared): Promise<ReplayReport> {
  const { stores, tasks } = prepared;
  const { signal = new AbortController().signal, caps } = options;
  const emit = async (event: NewEvent) => (STORED.includes(event.kind) ? given.project.emit(event) : undefined);
  const parts = { ...given, project: { ...given.project, emit } };
  const known = tasks.flatMap(({ task }) => task ?? []);
  const ports = portsOf(
    parts,
    { ...options, tasks: known },
    { settings: prepared.settings, stores, workplaces: NO_WORKPLACES },
  );
  const settings = await withoutUnboxed(ports.boxes, prepared.settings, known);
  const places = await openReplayPlaces({
    root: settings.root,
    places: settings.places,
    owner: { name: settings.owner, isAlive: given.isAlive },
    env: given.variables,
    clock: given.project.clock,
    runs: stores.runs,
    coming: comingAlong(parts, settings, {
      signal,
      emit: (event) => ports.emit(event),
      room: (at) => roomFor(ports, undefined, at),
    }),
  });
  // No attempt is of this run: what it may use is for what it plays.
  const run = newId('replay');
  const budget = await Budget.open({ caps, clock: given.project.clock, stores, run, emit: ports.emit });
  try {
    return await playPairs(
      { ...prepared, settings, ports, places, signal, budget, random: given.random },
      options.times,
    );
  } finally {
    budget.close();
    await ports.boxes?.close();
  }
}

const NO_WORKPLACES: RunPorts['workplaces'] = {
  open: () => Promise.reject(new ForewordError('internal', 'A replay has no workplace of a run.')),
};

interface Playing extends Prepared {
  readonly ports: RunPorts;
  readonly places: OpenReplayPlace;
  readonly signal: AbortSignal;
  readonly budget: Budget;
  random(): number;
}

/** Every attempt once, then every attempt a second time: who stops early has something of each. */
async function playPairs(playing: Playing, times: number): Promise<ReplayReport> {
  const { ports, settings, signal, budget, tasks, stores, cases } = playing;
  const run = { ports, settings, signal, budget, mayStepAside: async () => false };
  let [number, pairs] = [0, 0];
  for (let time = 0; time < times; time += 1) {
    for (const one of cases) {
      const record = tasks.find(({ task_id }) => task_id === one.task);
      const of = (await stores.runs.get(one.run))?.value;
      if (record === undefined || of === undefined)
        return { pairs, why: `the run ${one.run} of task ${one.task} is not in the store` };
      const place = await playing.places({ task: one.task, run: of, commit: one.before });
      try {
        const pair = newId('pair');
        // What comes second may find warm caches, here or at the service: chance decides which one that is.
        const isWithFirst = playing.random() < 0.5;
        const played: Replayed[] = [];
        for (const hadHandover of [isWithFirst, !isWithFirst]) {
          const reached = budget.reached();
          if (signal.aborted || reached !== undefined) return reached === undefined ? { pairs } : { pairs, reached };
          number += 1;
          const ended = await play(run, { one, place, record, hadHandover, pair, number });
          if (ended.kind === 'stopped') return stoppedBy(ended.why, { pairs, reached: budget.reached() });
          await ports.emit(ended);
          played.push(ended);
        }
        if (played.length === 2) pairs += 1;
      } finally {
        await place.workplace.close('over');
      }
    }
  }
  return { pairs };
}

function stoppedBy(
  why: string | undefined,
  { pairs, reached }: { readonly pairs: number; readonly reached: Reached | undefined },
): ReplayReport {
  return { pairs, ...(reached === undefined ? {} : { reached }), ...(why === undefined ? {} : { why }) };
}
