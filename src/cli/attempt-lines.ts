// One attempt in full, for a person who asks why it ended as it did.

import { type AttemptRecord, usesOf } from '../kernel/attempt.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { shellWord } from '../kernel/shell-word.ts';
import { usageText } from '../kernel/usage.ts';
import { findingLine, type HelperTalk } from '../kernel/verdict.ts';
import { seconds } from '../reports/event-lines.ts';
import { localMinute } from './local-time.ts';

const MAX_LINE = 400;
const MOST_FILES = 20;

export function attemptLines(task: string, attempt: AttemptRecord): readonly string[] {
  const { attemptNumber, provider, exitMessage, observed = [], stderr, log, verdict } = attempt;
  const undecided = verdict?.results.filter(({ outcome }) => outcome === 'not-run') ?? [];
  const { diff } = diffOf(task, attempt);
  return [
    `Attempt ${attemptNumber} by ${provider}: ${attemptOutcome(attempt)}, ${seconds(attempt.durationMs)}`,
    ...named('reason', exitMessage === undefined ? [] : [exitMessage]),
    ...named('failed', attempt.validationErrors),
    ...named(
      'not decided',
      undecided.map(({ criterion, detail }) => (detail === undefined ? criterion : `${criterion}: ${detail}`)),
    ),
    ...named('used', usedTexts(attempt)),
    ...named('helper', helperText(task, attempt)),
    ...named('review', reviewTexts(task, attempt)),
    ...named('ended', [localMinute(attempt.timestamp)]),
    ...named('box', boxTexts(attempt)),
    ...named('session', sessionTexts(attempt)),
    ...named('observed', observed),
    ...named('files', filesOf(attempt)),
    ...(stderr === undefined ? [] : ['  error output:', ...stderr.split('\n').map((line) => `    ${line}`)]),
    // Whole: a path that is shortened cannot be opened.
    ...(log === undefined ? [] : [`  log: ${log}`]),
    ...(diff === undefined ? [] : [`  work: ${diff}`]),
  ];
}

export function attemptOutcome({ exitReason, exitClass, verdict, status }: AttemptRecord): string {
  if (exitReason === undefined) return verdict?.outcome ?? status;
  return `${exitReason}${exitClass === undefined ? '' : ` (${exitClass})`}`;
}

/** The command that shows its work; nothing when that was not kept. */
export function diffOf(task: string, { attemptNumber, commit }: AttemptRecord): { readonly diff?: string } {
  return commit === undefined ? {} : { diff: `foreword diff ${shellWord(task)} --attempt ${attemptNumber}` };
}

function helperText(task: string, { attemptNumber, verdict }: AttemptRecord): readonly string[] {
  if (verdict?.helper === undefined) return [];
  return [askedText(task, attemptNumber, verdict.helper)];
}

/** Findings of a rejection are errors of the attempt and shown as that. */
function reviewTexts(task: string, { attemptNumber, verdict }: AttemptRecord): readonly string[] {
  if (verdict?.review === undefined) return [];
  const { review } = verdict;
  const outcome = { approve: 'approved', reject: 'rejected', none: 'no verdict' }[review.verdict ?? 'none'];
  const notes = review.verdict === 'reject' ? [] : review.findings.map(findingLine);
  return [`${outcome} by ${askedText(task, attemptNumber, review)}`, ...notes];
}

/** Attempts of older versions have none. */
function boxTexts({ box }: AttemptRecord): readonly string[] {
  if (box === undefined) return [];
  const why = box.why === undefined ? '' : `: ${box.why}`;
  const which = box.level === 'none' ? `none${why}` : `${box.level}${why}`;
  return [which, ...(box.refused ?? []).map((what) => `refused: ${what}`)];
}

function sessionTexts({ session, isResumed }: AttemptRecord): readonly string[] {
  if (session === undefined) return [];
  return [`${session}${isResumed === true ? ' (goes on from the attempt before)' : ''}`];
}

function askedText(task: string, attempt: number, { agent, asked }: HelperTalk): string {
  const where = `foreword history ${shellWord(task)} --prompt --attempt ${attempt}`;
  return `${agent}, asked ${asked.length === 1 ? 'once' : `${asked.length} times`}: ${where}`;
}

/** Its own agent first, then those that judged it. Attempts of older versions have none of it. */
function usedTexts(attempt: AttemptRecord): readonly string[] {
  const [own, ...others] = usesOf(attempt);
  if (attempt.run === undefined && attempt.usage === undefined) return [];
  return [usageText(own?.usage), ...others.map(({ agent, usage }) => `${usageText(usage)} (${agent}, who judged it)`)];
}

function named(name: string, texts: readonly string[]): readonly string[] {
  return texts.map((text) => `  ${name}: ${oneLine(text, MAX_LINE)}`);
}

function filesOf({ files_created, files_updated, files_deleted }: AttemptRecord): readonly string[] {
  const all = [
    ...files_created.map((file) => `+${file}`),
    ...files_updated,
    ...files_deleted.map((file) => `-${file}`),
  ];
  if (all.length === 0) return [];
  const more = all.length > MOST_FILES ? ` and ${all.length - MOST_FILES} more` : '';
  return [`${all.slice(0, MOST_FILES).join(' ')}${more}`];
}
