// An event as one line for a person who watches a run. Events that such a person does not need have no line.

import type { NewEvent } from '../kernel/events.ts';
import { oneLine } from '../kernel/safe-text.ts';

export function eventLine(event: NewEvent): string | undefined {
  switch (event.kind) {
    case 'run-opened':
      return `run: ${event.isNew ? 'begins' : 'goes on'} on branch ${event.branch}${baseText(event)}${againText(event.doneAgain)}`;
    case 'files-left-out':
      return `run: not in the checkouts: ${leftOutText(event)}`;
    case 'run-started':
      return `run: ${event.tasks} task(s), agents ${event.lineup.join(', ')}`;
    case 'task-claimed':
      return `${event.task}: started`;
    case 'attempt-started':
      return `${event.task}: attempt ${event.attempt} by ${event.agent}${handoverText(event)}`;
    case 'attempt-finished':
      return `${event.task}: attempt ${event.attempt} by ${event.agent} ${attemptText(event)}`;
    case 'validation-finished':
      return `${event.task}: validation ${event.outcome}${event.failed > 0 ? `, ${event.failed} failed` : ''}${event.notRun > 0 ? `, ${event.notRun} not run` : ''}`;
    case 'agent-switched':
      return `${event.task}: switch from ${event.from} to ${event.to} (${event.reason})`;
    case 'loop-detected':
      return `${event.task}: the same failure three times in a row`;
    case 'helper-asked':
      return `${event.task}: ${event.agent} proposed ${event.commands} check command(s), ${event.decided} gave a result`;
    case 'breaker-opened':
      return `${event.agent}: not available until ${event.until} (${event.reason})`;
    case 'breaker-tried':
      return `${event.agent}: trial call`;
    case 'breaker-closed':
      return `${event.agent}: available again`;
    case 'run-waiting':
      return `waiting for ${event.reason} until ${event.until}`;
    case 'task-finished':
      return `${event.task}: ${event.status} after ${event.attempts} attempt(s)${event.reason === undefined ? '' : `: ${oneLine(event.reason, 400)}`}`;
    case 'task-accepted':
      return `${event.task}: accepted by a person: attempt ${event.attempt} by ${event.agent} is commit ${event.commit.slice(0, 7)}`;
    case 'task-rejected':
      return `${event.task}: rejected by a person: ${oneLine(event.because, 400)}`;
    case 'task-undone':
      return `${event.task}: undone by a person: commit ${event.commit.slice(0, 7)} takes its work back`;
    case 'run-merged':
      return `run: a person merged ${event.run}: ${event.tasks} task(s)`;
    case 'source-unavailable':
      return `source not available: ${event.source}: ${oneLine(event.reason, 160)}`;
    case 'session-started':
      return `session ${event.session}: ${event.agent} ${event.isTakenOver ? 'taken over' : 'started'} (${event.terminal})`;
    case 'session-ended':
      return `session ${event.session}: ${event.agent} ended with exit code ${event.status}`;
    case 'delivery-queued':
      return `${event.delivery}: queued (${event.priority})`;
    case 'delivery-attempted':
      return `${event.delivery}: attempt ${event.attempt} by ${event.channel}`;
    case 'delivery-escalated':
      return `${event.delivery}: escalated to ${event.to}: ${oneLine(event.reason, 160)}`;
    case 'delivery-proved':
      return `${event.delivery}: ${event.proof} after ${seconds(event.afterMs)} (${oneLine(event.evidence, 120)})`;
    case 'delivery-ended':
      return `${event.delivery}: ${event.outcome}, ${event.proof}${event.reason === undefined ? '' : `: ${oneLine(event.reason, 160)}`}`;
    case 'gate-spoken':
      return `${event.agent}: the gate returned ${event.chars} characters (${event.mode})`;
    case 'context-printed':
      return `${event.agent}: ${event.context} printed at ${event.moment}`;
    case 'context-served':
      return `${event.agent}: ${event.context} served`;
    case 'context-files-read':
      return `${event.agent}: ${event.read.length} context file(s) read, ${event.unread.length} not`;
    // The command prints a summary at the end.
    case 'run-finished':
    case 'continuity-saved':
    case 'prompt-composed':
    case 'context-injected':
    case 'attempt-incomplete':
    case 'store-set-aside':
    case 'import-finished':
    case 'state-dump-failed':
    case 'agent-session-ended':
      return undefined;
  }
}

export function seconds(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

const NAMED = 5;

/** What agents see of the person's uncommitted files. */
function baseText({ uncommitted, taken = 0, untaken = [] }: Extract<NewEvent, { kind: 'run-opened' }>): string {
  const texts = [
    uncommitted.length > 0 && `agents do not see ${uncommittedFiles(uncommitted.length)}: ${listed(uncommitted)}`,
    taken > 0 && `agents see ${uncommittedFiles(taken)}`,
    untaken.length > 0 && `left out: ${listed(untaken.map(({ path, reason }) => `${path} (${reason})`))}`,
  ];
  return texts.map((text) => (text === false ? '' : `; ${text}`)).join('');
}

function uncommittedFiles(count: number): string {
  return count === 1 ? '1 uncommitted file' : `${count} uncommitted files`;
}

function listed(files: readonly string[]): string {
  const named = files.slice(0, NAMED).map((file) => oneLine(file, 120));
  return `${named.join(', ')}${files.length > NAMED ? ` and ${files.length - NAMED} more` : ''}`;
}

function againText(tasks: Extract<NewEvent, { kind: 'run-opened' }>['doneAgain'] = []): string {
  if (tasks.length === 0) return '';
  const named = tasks.slice(0, NAMED).map(({ task, run }) => `${oneLine(task, 120)} (foreword/${run})`);
  const more = tasks.length > NAMED ? ` and ${tasks.length - NAMED} more` : '';
  return `; done again, since completed only on a branch that is not merged: ${named.join(', ')}${more}`;
}

const LEFT_OUT: Readonly<Record<Extract<NewEvent, { kind: 'files-left-out' }>['missing'][number]['what'], string>> = {
  submodule: 'files of submodules (git submodule update --init brings them)',
  lfs: 'content of LFS files (git lfs fetch brings it)',
  filter: 'what filters would make that only the repository configures, or nobody',
  'filters-failed': 'what your filters would make, since one failed',
  shared: 'links that lead out of the project, and files that cannot be read',
};

function leftOutText({ missing, more }: Extract<NewEvent, { kind: 'files-left-out' }>): string {
  const kinds = [...new Set(missing.map(({ what }) => what))].map((kind) => {
    const names = missing.filter(({ what }) => what === kind).map(({ name }) => oneLine(name, 120));
    const rest = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    return `${LEFT_OUT[kind]}: ${names.slice(0, NAMED).join(', ')}${rest}`;
  });
  return `${kinds.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function handoverText(event: Extract<NewEvent, { kind: 'attempt-started' }>): string {
  if (event.isHeldOut) return ', control group: no hand-over';
  return event.handover === 'none' ? '' : `, with hand-over (${event.handoverTokens} tokens)`;
}

function attemptText(event: Extract<NewEvent, { kind: 'attempt-finished' }>): string {
  const why = event.exitReason === undefined ? event.status : `failed: ${event.exitClass ?? event.exitReason}`;
  return `${why} in ${seconds(event.durationMs)}, ${event.filesChanged} file(s) changed`;
}
