// A line for every event, for programs that print what `onEvent` and the journal give them. Who watches a run on a terminal gets those
// of event-lines.ts alone.

import { demand } from '../kernel/demand.ts';
import type { NewEvent } from '../kernel/events.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { seconds, watchedLine } from './event-lines.ts';

/** One line for any event. `showTime` writes the times in it, which events have in ISO form. */
export function eventLine(event: NewEvent, showTime: (iso: string) => string = (iso) => iso): string {
  demand(event, 'eventLine(event)', { kind: 'text' });
  return watchedLine(event, showTime) ?? quietLine(event);
}

function quietLine(event: NewEvent): string {
  switch (event.kind) {
    case 'run-finished':
      return `run: ended after ${seconds(event.durationMs)}: ${event.completed} completed, ${event.failed} failed, ${event.blocked} blocked, ${event.needsReview} to review`;
    case 'continuity-saved':
      return `notes for the next session saved (${event.by})`;
    case 'prompt-composed':
      return `${event.task}: prompt of attempt ${event.attempt} composed, ${event.handover.length + event.original.length} characters`;
    case 'context-injected':
      return `${event.task === undefined ? '' : `${event.task}: `}context given (${event.type}), ${event.tokens} tokens`;
    case 'attempt-incomplete':
      return `${event.task}: the record of attempt ${event.attempt} lacks ${event.missing.join(', ')}`;
    case 'store-set-aside':
      return `store moved from ${event.from} to ${event.to}: ${oneLine(event.reason, 160)}`;
    case 'import-finished':
      return `import: ${event.added} record(s) added, ${event.kept} kept`;
    case 'state-dump-failed':
      return `session-state.json could not be written: ${oneLine(event.reason, 160)}`;
    case 'agent-session-ended':
      return `${event.agent}: its session ended (${oneLine(event.reason, 80)})`;
    case 'injection:attempted':
      return `${event.messageId}: injection attempt ${event.attempt}`;
    case 'injection:succeeded':
      return `${event.messageId}: injected after ${seconds(event.durationMs)}`;
    case 'injection:escalated':
      return `${event.messageId}: injection goes on by ${event.escalationType}`;
    case 'injection:failed':
      return `${event.messageId}: injection failed: ${oneLine(event.reason, 160)}`;
    default:
      // Of a newer version, from a store that is shared with it.
      return oneLine(String(event.kind), 80);
  }
}
