// The line that stays above the live view when something is over or changes for all: a finished task, a switch, an agent that is
// not available. Each comes once.

import type { NewEvent } from '../../kernel/events.ts';
import type { TaskStatus } from '../../kernel/task.ts';
import { watchedLine } from '../event-lines.ts';
import { safeCells } from './cells.ts';
import type { LiveLine, LiveStyle } from './live-frame.ts';

export function passingLine(
  event: NewEvent,
  at: { readonly time: string; readonly width: number; showTime(iso: string): string },
): LiveLine | undefined {
  const found = markOf(event);
  const text = found === undefined ? undefined : watchedLine(event, at.showTime);
  if (found === undefined || text === undefined) return undefined;
  const lead = `${at.time} `;
  const style = found.style === undefined ? {} : { style: found.style };
  return [
    { text: lead, style: 'dim' },
    { text: `${found.mark} `, ...style },
    { text: safeCells(text, Math.max(20, at.width - lead.length - 2)), ...style },
  ];
}

interface Mark {
  readonly mark: string;
  readonly style?: LiveStyle;
}

const FINISHED: Readonly<Record<Exclude<TaskStatus, 'queued' | 'running'>, Mark>> = {
  completed: { mark: '+', style: 'good' },
  failed: { mark: 'x', style: 'bad' },
  'needs-review': { mark: '?', style: 'warn' },
  blocked: { mark: '-', style: 'warn' },
};

function markOf(event: NewEvent): Mark | undefined {
  switch (event.kind) {
    case 'task-finished':
      return FINISHED[event.status];
    case 'run-opened':
    case 'files-left-out':
    case 'source-unavailable':
    case 'agent-switched':
    case 'breaker-closed':
      return { mark: ' ' };
    case 'breaker-opened':
      return { mark: ' ', style: 'warn' };
    default:
      return undefined;
  }
}
