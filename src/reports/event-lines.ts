// An event as one line for a person who watches a run. Events that such a person does not need have no line.

import type { NewEvent } from '../kernel/events.ts';
import { nameSome } from '../kernel/name-some.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { usageText } from '../kernel/usage.ts';
import { reachedText } from '../runs/budget/reached-text.ts';

/** `showTime` writes the times in it, which events have in ISO form. */
export function watchedLine(event: NewEvent, showTime = (iso: string): string => iso): string | undefined {
  switch (event.kind) {
    case 'run-opened':
      return `run: ${event.isNew ? 'begins' : 'goes on'} on branch ${event.branch}${baseText(event)}${againText(event.doneAgain)}`;
    case 'files-left-out':
      return `run: not in the checkouts: ${leftOutText(event)}`;
    case 'run-started':
      return `run: ${event.tasks} task(s), agents ${lineupText(event.lineup, event.missing)}`;
    case 'task-claimed':
      return `${event.task}: started`;
    case 'attempt-started':
      return `${event.task}: attempt ${event.attempt} by ${event.agent}${event.isResumed ? ', same session' : ''}${handoverText(event)}`;
    case 'resume-failed':
      return `${event.task}: attempt ${event.attempt} by ${event.agent}: its session could not be resumed (${event.reason}); the whole prompt goes to a new one`;
    case 'attempt-finished':
      return `${event.task}: attempt ${event.attempt} by ${event.agent} ${attemptText(event)}`;
    case 'validation-finished':
      return `${event.task}: ${validationText(event)}`;
    case 'attempt-replayed':
      return `${event.task}: attempt ${event.attempt} again by ${event.agent}, ${replayText(event)}`;
    case 'agent-switched':
      return `${event.task}: switch from ${event.from} to ${event.to} (${event.reason})`;
    case 'loop-detected':
      return `${event.task}: the same failure three times in a row`;
    case 'helper-asked':
      return `${event.task}: ${event.agent} proposed ${event.commands} check command(s), ${event.decided} gave a result`;
    case 'review-asked':
      return `${event.task}: ${reviewText(event)} in ${seconds(event.durationMs)}`;
    case 'breaker-opened':
      return `${event.agent}: not available until ${showTime(event.until)} (${event.reason})`;
    case 'breaker-tried':
      return `${event.agent}: trial call`;
    case 'breaker-closed':
      return `${event.agent}: available again`;
    case 'agent-tried':
      return `${event.agent}: trying ${event.version} in its box, once for this version …`;
    case 'agent-unboxed':
      return `${event.agent}: ${event.isRefused ? 'gets no work (run.confine: required)' : 'runs without a box'}: ${oneLine(event.why, 300)}`;
    case 'run-waiting':
      return `waiting for ${event.reason} until ${showTime(event.until)}`;
    case 'budget-reached':
      return `run: ${reachedText(event)}`;
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
    case 'context-asked':
      return `${event.agent}: ${event.context} returned by the tool ${event.tool}`;
    case 'context-submitted':
      return `${event.agent}: ${event.context} submitted${event.reason === undefined ? '' : `: ${oneLine(event.reason, 160)}`}`;
    case 'context-lost':
      return `${event.agent}: ${event.context} was lost at ${oneLine(event.event, 40)}`;
    case 'context-served':
      return `${event.agent}: ${event.context} served`;
    case 'context-files-read':
      return `${event.agent}: opened ${event.read.length} of ${event.read.length + event.unread.length} context file(s) itself`;
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
    case 'injection:attempted':
    case 'injection:succeeded':
    case 'injection:escalated':
    case 'injection:failed':
      return undefined;
  }
}

export function seconds(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

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
  return nameSome(files.map((file) => oneLine(file, 120)));
}

function againText(tasks: Extract<NewEvent, { kind: 'run-opened' }>['doneAgain'] = []): string {
  if (tasks.length === 0) return '';
  const named = tasks.map(({ task, run }) => `${oneLine(task, 120)} (foreword/${run})`);
  return `; done again, since completed only on a branch that is not merged: ${nameSome(named)}`;
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
    const names = missing.filter(({ what }) => what === kind).map(({ name }) => name);
    return `${LEFT_OUT[kind]}: ${listed(names)}`;
  });
  return `${kinds.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function handoverText(event: Extract<NewEvent, { kind: 'attempt-started' }>): string {
  if (event.isHeldOut) return ', control group: no hand-over';
  return event.handover === 'none' ? '' : `, with hand-over (${event.handoverTokens} tokens)`;
}

function reviewText({ agent, verdict, findings, reason }: Extract<NewEvent, { kind: 'review-asked' }>): string {
  if (verdict === 'not-run') return `no review by ${agent}: ${oneLine(reason ?? 'no reason recorded', 400)},`;
  const found = findings === 0 ? '' : `, ${findings} finding(s),`;
  return `${verdict === 'approve' ? 'approved' : 'rejected'} by the reviewer ${agent}${found}`;
}

function replayText({
  hadHandover,
  outcome,
  durationMs,
  reason,
}: Extract<NewEvent, { kind: 'attempt-replayed' }>): string {
  const why = reason === undefined ? '' : `: ${oneLine(reason, 160)}`;
  return `${hadHandover ? 'with' : 'without'} the hand-over: ${outcome} in ${seconds(durationMs)}${why}`;
}

function validationText(event: Extract<NewEvent, { kind: 'validation-finished' }>): string {
  if (event.isConflict === true)
    return 'validation passed, but its work is in conflict with what was completed meanwhile';
  const failed = event.failed > 0 ? `, ${event.failed} failed` : '';
  const notRun = event.notRun > 0 ? `, ${event.notRun} not run` : '';
  const first = event.firstError === undefined ? '' : `: ${oneLine(event.firstError, 160)}`;
  return `validation ${event.outcome}${failed}${notRun}${first}`;
}

function attemptText(event: Extract<NewEvent, { kind: 'attempt-finished' }>): string {
  const why = event.exitReason === undefined ? event.status : `failed: ${event.exitClass ?? event.exitReason}`;
  const used = event.usage === undefined ? '' : `, ${usageText(event.usage)}`;
  return `${why} in ${seconds(event.durationMs)}, ${event.filesChanged} file(s) changed${used}`;
}

function lineupText(lineup: readonly string[], missing: readonly string[] = []): string {
  const there = lineup.filter((name) => !missing.includes(name)).join(', ');
  return missing.length === 0 ? there : `${there} (not installed: ${missing.join(', ')})`;
}
