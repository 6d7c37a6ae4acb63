// The commands of a person on the work of runs: facts, decision, act. What is refused is thrown as `conflict`, with what to do.

import { ForewordError, isForewordError } from '../../kernel/errors.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { RunRecord } from '../../kernel/run.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { CheckoutSource } from '../checkouts/index.ts';
import { type Accepted, accept, acceptedBefore } from './accept.ts';
import { bringShared, readBranch } from './branch.ts';
import { chooseRun } from './choose-run.ts';
import {
  type AcceptAct,
  type Decision,
  decideRun,
  decideTask,
  type RunAct,
  type TaskAct,
  type TaskCommand,
  type TaskFacts,
} from './decide.ts';
import { type MergeAct, type MergeHow, type MergeOutcome, merge } from './merge.ts';
import { type RefusedAct, type ReviewParts, taskFacts } from './parts.ts';
import { reject, type Undone, undo } from './send-back.ts';
import { type ShownChange, showCommit, showRange } from './show.ts';

export interface ReviewPorts {
  readStores(): Promise<Stores>;
  writeStores(): Promise<Stores>;
  /** Opens our repository beside the person's; made if it is not there. */
  source(): Promise<CheckoutSource>;
  /** Where snapshots of the person's own tree are made, and what never counts as theirs. */
  places(): Pick<MergeHow, 'snapshots' | 'away'>;
  now(): number;
  emit(event: NewEvent): Promise<void>;
  redact(text: string): string;
}

/** The whole text is in the task's record. */
const MAX_BECAUSE = 400;

export class Review {
  readonly #ports: ReviewPorts;

  constructor(ports: ReviewPorts) {
    this.#ports = ports;
  }

  async accept(id: string): Promise<Omit<Accepted, 'kind'> & Pick<AcceptAct, 'run' | 'attempt' | 'overruled'>> {
    const { facts, act } = await this.#decide(id, { name: 'accept' }, 'accept');
    const { commit } = done(await accept(await this.#parts(), facts, act));
    const { attemptNumber: attempt, provider: agent } = act.attempt;
    const overruled = act.overruled.length;
    const what = { task: id, run: act.run.id, commit, attempt, agent, overruled };
    await this.#ports.emit({ kind: 'task-accepted', ...what });
    return { commit, run: act.run, attempt: act.attempt, overruled: act.overruled };
  }

  async reject(id: string, because: string): Promise<string> {
    const { facts, act } = await this.#decide(id, { name: 'reject', because }, 'reject');
    const commit = await this.#cutOff(facts);
    if (commit !== undefined) throw refusal(alreadyOnBranch(id, commit));
    await reject({ stores: await this.#ports.writeStores(), now: () => this.#ports.now() }, facts, act.because);
    // Half a secret is not found any more.
    const shown = oneLine(this.#ports.redact(act.because), MAX_BECAUSE);
    await this.#ports.emit({ kind: 'task-rejected', task: id, because: shown });
    return act.because;
  }

  /** `onDependents` is called before anything is changed. `command` when the person has to do it, since it is merged. */
  async undo(
    id: string,
    onDependents: (tasks: readonly string[]) => void,
  ): Promise<({ readonly run: RunRecord } & Omit<Undone, 'kind'>) | { readonly command: string }> {
    const { facts, act } = await this.#decide(id, { name: 'undo' }, 'undo', 'print-revert');
    if (act.dependents.length > 0) onDependents(act.dependents);
    if (act.kind === 'print-revert') return { command: act.command };
    const { commit } = done(await undo(await this.#parts(), facts, act));
    await this.#ports.emit({ kind: 'task-undone', task: id, run: act.run.id, commit });
    return { commit, run: act.run };
  }

  /** `onBegin` is called before anything is changed. */
  async merge(
    named: string | undefined,
    how: { readonly isSquash: boolean; onBegin(act: MergeAct): void } & Pick<MergeHow, 'announce'>,
  ): Promise<Exclude<MergeOutcome, RefusedAct> & { readonly act: MergeAct }> {
    const { run, tasks } = await this.#run(named);
    const act = allowed<RunAct, 'merge'>(decideRun({ name: 'merge', isSquash: how.isSquash }, run, tasks), 'merge');
    how.onBegin(act);
    const outcome = await merge(await this.#parts(), act, { ...this.#ports.places(), announce: how.announce });
    const merged = done(outcome);
    if (merged.kind === 'merged') {
      const { commit, how: by } = merged;
      await this.#ports.emit({ kind: 'run-merged', run: run.id, commit, how: by, tasks: act.tasks.length });
    }
    return { ...merged, act };
  }

  async diffTask(id: string, attempt: number | undefined): Promise<ShownChange & { commit: string; attempt?: number }> {
    const command = { name: 'diff', ...(attempt === undefined ? {} : { attempt }) } as const;
    const { act, facts } = await this.#decide(id, command, 'show');
    const { kind: _, ...shown } = act;
    return { ...shown, ...(await showCommit(await this.#source(facts.run), act.commit)) };
  }

  async diffRun(named: string | undefined): Promise<ShownChange & { readonly run: RunRecord }> {
    const { run, tasks } = await this.#run(named);
    const act = allowed<RunAct, 'show'>(decideRun({ name: 'diff' }, run, tasks), 'show');
    return { run, ...(await showRange(await this.#source(run), act)) };
  }

  /** The commit of the work on the run's branch, when an accept was cut off before its record. A reject needs no repository. */
  async #cutOff(facts: TaskFacts): Promise<string | undefined> {
    const decision = decideTask({ name: 'accept' }, facts);
    if (decision.kind === 'refused' || decision.act.kind !== 'accept') return undefined;
    const { run, commit } = decision.act;
    try {
      const source = await this.#ports.source();
      return (await acceptedBefore(source, await readBranch(source, run), { id: facts.task.task_id, commit }))?.id;
    } catch (error) {
      if (isForewordError(error)) return undefined;
      throw error;
    }
  }

  /** With what other machines did, where they share the run. */
  async #source(run: RunRecord | undefined): Promise<CheckoutSource> {
    const source = await this.#ports.source();
    if (run !== undefined) await bringShared(source, run);
    return source;
  }

  async #parts(): Promise<ReviewParts> {
    const { now, source, writeStores } = this.#ports;
    return { source: await source(), stores: await writeStores(), now };
  }

  async #decide<K extends TaskAct['kind']>(
    id: string,
    command: TaskCommand,
    ...kinds: readonly K[]
  ): Promise<{ readonly facts: TaskFacts; readonly act: Extract<TaskAct, { kind: K }> }> {
    const stores = await this.#ports.readStores();
    const facts = await taskFacts(stores, id);
    if (facts === undefined)
      throw unknownTask(
        id,
        (await stores.tasks.list()).map(({ task_id }) => task_id),
      );
    return { facts, act: allowed<TaskAct, K>(decideTask(command, facts), ...kinds) };
  }

  async #run(named: string | undefined) {
    const stores = await this.#ports.readStores();
    const runs = (await stores.runs.list()).map(({ value }) => value);
    const run = chooseRun(runs, named);
    if (run === undefined) throw unknownRun(runs, named);
    return { run, tasks: await stores.tasks.list() };
  }
}

function allowed<A extends { readonly kind: string }, K extends A['kind']>(
  decision: Decision<A>,
  ...kinds: readonly K[]
): Extract<A, { kind: K }> {
  if (decision.kind === 'refused') throw refusal(decision);
  if ((kinds as readonly string[]).includes(decision.act.kind)) return decision.act as Extract<A, { kind: K }>;
  throw new ForewordError('internal', `${kinds.join()} was asked for, ${decision.act.kind} was decided.`);
}

function done<T extends { readonly kind: string }>(outcome: T): Exclude<T, RefusedAct> {
  if (outcome.kind === 'refused') throw refusal(outcome as unknown as RefusedAct);
  return outcome as Exclude<T, RefusedAct>;
}

function refusal({ because, hint }: Pick<RefusedAct, 'because' | 'hint'>): ForewordError {
  return new ForewordError('conflict', because, { hint });
}

function alreadyOnBranch(id: string, commit: string): Pick<RefusedAct, 'because' | 'hint'> {
  return {
    because: `The work of task ${id} is on the branch already, as commit ${commit.slice(0, 12)}: an accept was cut off.`,
    hint: `foreword accept ${id} ends it; foreword undo ${id} takes it back after that.`,
  };
}

function unknownTask(id: string, known: readonly string[]): ForewordError {
  return new ForewordError('unknown-task', `There is no task "${id}" in the store.`, {
    hint:
      known.length === 0
        ? 'No task was run in this project yet. foreword run TASKS starts.'
        : `Known tasks: ${known.slice(0, 10).join(', ')}.`,
  });
}

function unknownRun(runs: readonly RunRecord[], named: string | undefined): ForewordError {
  if (runs.length === 0)
    return new ForewordError('conflict', 'No run was made in this project yet.', {
      hint: 'foreword run TASKS starts one.',
    });
  const known = runs.slice(-10).map(({ id, state }) => `${id} (${state})`);
  const what = named === undefined ? 'Every run of this project is merged.' : `There is no run "${named}".`;
  return new ForewordError(named === undefined ? 'conflict' : 'bad-usage', what, {
    hint: `Runs: ${known.join(', ')}.`,
  });
}
