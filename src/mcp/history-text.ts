// What was tried before, for an agent that asks: one line for each attempt, the newest of a task last, at most so many. Pure.

import { formatAge } from '../kernel/age.ts';
import type { AttemptRecord } from '../kernel/attempt.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { SessionWork } from '../kernel/session-work.ts';

export interface TaskAttempts {
  readonly task: string;
  readonly status?: string;
  readonly attempts: readonly AttemptRecord[];
}

const MOST_TASKS = 10;
/** Of one task. */
const MOST_ATTEMPTS = 10;
const MOST_FILES = 6;
const MOST_ERRORS = 2;
const MOST_SESSIONS = 5;

export function historyText(tasks: readonly TaskAttempts[], now: number): string {
  const blocks = tasks.slice(0, MOST_TASKS).map(({ task, status, attempts }) => {
    const head = `Task ${oneLine(task, 120)}${status === undefined ? '' : ` (${status})`}: ${counted(attempts.length, 'attempt')}.`;
    const left = attempts.length - MOST_ATTEMPTS;
    const earlier = left > 0 ? [`- ${counted(left, 'earlier attempt')} left out`] : [];
    return [head, ...earlier, ...attempts.slice(-MOST_ATTEMPTS).flatMap((one) => attemptLines(one, now))].join('\n');
  });
  const more = tasks.length - MOST_TASKS;
  return [...blocks, ...(more > 0 ? [`${counted(more, 'more task')} left out.`] : [])].join('\n\n');
}

function attemptLines(attempt: AttemptRecord, now: number): readonly string[] {
  const { attemptNumber, provider, timestamp, exitReason, exitClass, verdict, status } = attempt;
  const outcome =
    exitReason === undefined ? (verdict?.outcome ?? status) : `${exitReason}${exitClass ? ` (${exitClass})` : ''}`;
  const files = [
    ...attempt.files_created.map((file) => `+${file}`),
    ...attempt.files_updated,
    ...attempt.files_deleted.map((file) => `-${file}`),
  ];
  const errors = [...attempt.validationErrors, ...(attempt.exitMessage === undefined ? [] : [attempt.exitMessage])];
  return [
    `- #${attemptNumber} ${provider}, ${formatAge(now - Date.parse(timestamp))}: ${outcome}`,
    ...some(errors, MOST_ERRORS).map((error) => `  error: ${oneLine(error, 300)}`),
    ...(files.length === 0
      ? []
      : [
          `  files: ${some(files, MOST_FILES)
            .map((file) => oneLine(file, 120))
            .join(', ')}`,
        ]),
  ];
}

/** Attempts that touched the file. */
export function triedOn(tasks: readonly TaskAttempts[], file: string): readonly TaskAttempts[] {
  const path = file.replace(/^\.\//, '');
  return tasks.flatMap((one) => {
    const attempts = one.attempts.filter((attempt) =>
      [attempt.files_created, attempt.files_updated, attempt.files_deleted].some((files) => files.includes(path)),
    );
    return attempts.length === 0 ? [] : [{ ...one, attempts }];
  });
}

/** Sessions that edited the file: facts only, never what a person wrote. */
export function sessionsText(works: readonly SessionWork[], file: string, now: number): string {
  const path = file.replace(/^\.\//, '');
  const found = works
    .flatMap(({ agent, endedAt, facts }) => {
      const edits = facts?.files.find((one) => one.path === path)?.edits;
      return edits === undefined
        ? []
        : [{ agent, endedAt, edits, failed: facts?.commands.find((one) => one.isFailed) }];
    })
    .toSorted((one, other) => (one.endedAt < other.endedAt ? 1 : -1));
  const lines = found.slice(0, MOST_SESSIONS).map(({ agent, endedAt, edits, failed }) => {
    const age = formatAge(now - Date.parse(endedAt));
    const error = failed === undefined ? '' : `; failing then: ${oneLine(failed.command, 120)}`;
    return `- ${agent}, ${age}: ${counted(edits, 'edit')}${error}`;
  });
  return lines.length === 0 ? '' : ['Sessions that edited it:', ...lines].join('\n');
}

function some(items: readonly string[], most: number): readonly string[] {
  const more = items.length - most;
  return more <= 0 ? items : [...items.slice(0, most), `(+${more} more)`];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
