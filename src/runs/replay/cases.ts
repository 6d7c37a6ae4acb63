// Which stored attempts of a task can be played again, and with what: the prompt and the hand-over that they were given, at the state
// of the work that they began with. Everything else than a retry or a switch with a hand-over has nothing to compare.

import { composeHandover, type HandoverSettings } from '../../context/handover/handover.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { ForewordEvent } from '../../kernel/events.ts';
import { isUnmerged } from '../task-machine.ts';

export interface ReplayCase {
  readonly task: string;
  /** The stored attempt. */
  readonly attempt: number;
  readonly agent: string;
  readonly occasion: 'switch' | 'retry';
  readonly run: string;
  /** The work that it began with: the commit of the attempt before it. */
  readonly before: string;
  /** Without the hand-over: the same for both. */
  readonly original: string;
  readonly handover: string;
  /** The attempts that the hand-over is about. */
  readonly earlier: readonly AttemptRecord[];
}

export interface ReplayCases {
  readonly cases: readonly ReplayCase[];
  /** Retries and switches that cannot be played again; `why` ends a sentence. */
  readonly skipped: readonly { readonly task: string; readonly attempt: number; readonly why: string }[];
}

export interface ReplayFacts {
  readonly task: string;
  /** Of all tasks, in the order of the journal. */
  readonly events: Iterable<ForewordEvent>;
  /** Every attempt at the task, by number. */
  readonly attempts: readonly AttemptRecord[];
  readonly settings: HandoverSettings;
}

export function replayCases(facts: ReplayFacts): ReplayCases {
  const cases: ReplayCase[] = [];
  const skipped: { task: string; attempt: number; why: string }[] = [];
  for (const begun of begunAttempts(facts)) {
    const made = caseOf(begun, facts);
    if (typeof made === 'string') skipped.push({ task: facts.task, attempt: begun.attempt, why: made });
    else cases.push(made);
  }
  return { cases, skipped };
}

const DIRECTORY = /\n## Working Directory\n[^\n]*\n$/;

/** The prompt with the folder in which it is played: the last thing that it names. */
export function inDirectory(original: string, cwd: string): string {
  return original.replace(DIRECTORY, () => `\n## Working Directory\n${cwd}\n`);
}

interface Begun {
  readonly attempt: number;
  readonly occasion: 'switch' | 'retry';
  readonly isImported: boolean;
  readonly isRejected: boolean;
  /** The first attempt that a hand-over may be about. */
  readonly openFrom: number;
  readonly handover: string;
  /** The whole prompt: of a resumed session that of its beginning. */
  readonly original: string | undefined;
}

/** Retries and switches with a hand-over, and those in the control group. */
function begunAttempts({ task, events }: ReplayFacts): readonly Begun[] {
  const all = new Map<number, Begun>();
  let [isRejected, openFrom, isImported] = [false, 1, false];
  let [original, handover]: [string | undefined, string] = [undefined, ''];
  for (const event of events) {
    if (!('task' in event) || event.task !== task) continue;
    if (event.kind === 'task-rejected') isRejected = true;
    else if (event.kind === 'task-finished') isRejected = false;
    else if (event.kind === 'prompt-composed') {
      // Composed before the attempt begins, and once more when its session could not be resumed.
      if (event.isResumed === undefined) original = event.original;
      handover = event.handover;
      isImported = event.imported === true;
      const known = all.get(event.attempt);
      if (known !== undefined) all.set(event.attempt, { ...known, original, handover });
    } else if (event.kind === 'attempt-started') {
      const { attempt, occasion } = event;
      if (occasion === 'first') openFrom = attempt;
      else if (event.handover !== 'none' || event.isHeldOut)
        all.set(attempt, { attempt, occasion, isImported, isRejected, openFrom, handover, original });
    }
  }
  return [...all.values()];
}

function caseOf(begun: Begun, { task, attempts, settings }: ReplayFacts): ReplayCase | string {
  const { attempt, occasion, original } = begun;
  const record = attempts.find(({ attemptNumber }) => attemptNumber === attempt);
  const last = attempts.find(({ attemptNumber }) => attemptNumber === attempt - 1);
  if (record === undefined || last === undefined) return 'its record is not in the store';
  // Whoever made the file could have written any prompt and any commit.
  if (begun.isImported || record.imported === true || last.imported === true) return 'it came by import';
  if (begun.isRejected) return 'its hand-over is what a person wrote when they rejected the work';
  if (isUnmerged(last))
    return 'it began again at another commit, since the work before it was in conflict with the branch';
  if (original === undefined) return 'its prompt is not in the journal';
  const { run } = last;
  if (last.commit === undefined || run === undefined) return 'the work before it was not kept';
  if (record.run !== run) return 'it was made in another run than the attempt before it';
  const earlier = attempts.filter((each) => each.attemptNumber >= begun.openFrom && each.attemptNumber < attempt);
  const agent = record.provider;
  const composed = () =>
    composeHandover({ attempts: earlier, nextAgent: agent, settings, enable_pre_context: true }).text;
  const handover = begun.handover === '' ? composed() : begun.handover;
  if (handover === '') return 'nothing was known for a hand-over';
  return { task, attempt, agent, occasion, run, before: last.commit, original, handover, earlier };
}
