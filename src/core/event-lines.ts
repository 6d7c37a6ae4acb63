// What happened, in one line for a person. Only what somebody who watches a run wants to see; other events say nothing.

import type { Happening } from './events.ts';
import { oneLine } from './safe-text.ts';

export function eventLine(event: Happening): string | undefined {
  switch (event.kind) {
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
      return `${event.task}: ${event.agent} proposed ${event.commands} command(s), ${event.decided} decided`;
    case 'breaker-opened':
      return `${event.agent}: not used until ${event.until} (${event.reason})`;
    case 'breaker-tried':
      return `${event.agent}: one trial call`;
    case 'breaker-closed':
      return `${event.agent}: works again`;
    case 'run-waiting':
      return `waiting for ${event.reason} until ${event.until}`;
    case 'task-finished':
      return `${event.task}: ${event.status} after ${event.attempts} attempt(s)${event.reason === undefined ? '' : `: ${oneLine(event.reason, 200)}`}`;
    case 'source-unavailable':
      return `went on without ${event.source}: ${oneLine(event.reason, 160)}`;
    // The command itself sums up at the end.
    case 'run-finished':
    case 'continuity-saved':
    case 'prompt-composed':
    case 'context-injected':
    case 'attempt-incomplete':
    case 'store-set-aside':
    case 'import-finished':
    case 'state-dump-failed':
      return undefined;
  }
}

export function seconds(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

function handoverText(event: Extract<Happening, { kind: 'attempt-started' }>): string {
  if (event.isHeldOut) return ', hand-over held out';
  return event.handover === 'none' ? '' : `, told what happened before (${event.handoverTokens} tokens)`;
}

function attemptText(event: Extract<Happening, { kind: 'attempt-finished' }>): string {
  const why = event.exitReason === undefined ? event.status : `failed: ${event.exitClass ?? event.exitReason}`;
  return `${why} in ${seconds(event.durationMs)}, ${event.filesChanged} file(s) changed`;
}
