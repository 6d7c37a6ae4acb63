// One attempt in full, for a person who asks why it ended as it did.

import type { AttemptRecord } from '../kernel/attempt.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { shellWord } from '../kernel/shell-word.ts';
import { seconds } from '../reports/event-lines.ts';

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
    ...named('helper', helperText(task, attempt)),
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
  const { agent, asked } = verdict.helper;
  const where = `foreword history ${shellWord(task)} --prompt --attempt ${attemptNumber}`;
  return [`${agent}, asked ${asked.length === 1 ? 'once' : `${asked.length} times`}: ${where}`];
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
