// What hooks wrote down in an attempt of a run, as events for the journal. The agent can write to that folder too, so nothing is
// taken as it is: known kinds and fields only, bounded, under the agent's name as the run knows it, and with ids that belong to
// the attempt alone.

import type { NewEvent } from '../kernel/events.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { spoolFile } from './spool.ts';

export interface HookRecords {
  /** What FOREWORD_STATE named. */
  readonly folder: string;
  /** The root that the agent worked in. */
  readonly root: string;
  readonly agent: string;
  /** Names the attempt: `task#1`. */
  readonly attempt: string;
}

/** Never throws. A file that is larger than 5 MiB has nothing. */
export function attemptRecords({ folder, root, agent, attempt }: HookRecords): readonly NewEvent[] {
  const read = readTextFile(spoolFile(folder, root), folder);
  return read.kind === 'text' ? attemptEvents(read.text, { agent, attempt }) : [];
}

/** More than hooks write in an attempt of hours. */
const MOST_EVENTS = 200;
const MOST_CHARS = 200;
const MOST_ITEMS = 60;

export function attemptEvents(text: string, by: Pick<HookRecords, 'agent' | 'attempt'>): readonly NewEvent[] {
  return text
    .split('\n')
    .flatMap((line) => eventOf(line, by))
    .slice(0, MOST_EVENTS);
}

function eventOf(line: string, { agent, attempt }: Pick<HookRecords, 'agent' | 'attempt'>): readonly NewEvent[] {
  const fields = mapIn(line);
  if (fields === undefined) return [];
  const own = (name: string) => `${attempt} ${textOf(fields[name])}`;
  const base = { agent, session: own('session'), unverified: true } as const;
  switch (fields.kind) {
    case 'gate-spoken':
      return [
        {
          kind: 'gate-spoken',
          ...base,
          context: own('context'),
          mode: fields.mode === 'directive' ? 'directive' : 'inline',
          chars: numberOf(fields.chars),
          files: textsOf(fields.files),
          cut: textsOf(fields.cut),
          isSubagent: fields.isSubagent === true,
          durationMs: numberOf(fields.durationMs),
        },
      ];
    case 'context-asked':
      return [
        {
          kind: 'context-asked',
          ...base,
          context: own('context'),
          tool: textOf(fields.tool),
          chars: numberOf(fields.chars),
          durationMs: numberOf(fields.durationMs),
        },
      ];
    case 'context-submitted': {
      const reason = fields.reason === undefined ? {} : { reason: textOf(fields.reason) };
      return [{ kind: 'context-submitted', ...base, context: own('context'), ...reason }];
    }
    case 'context-lost':
      return [{ kind: 'context-lost', ...base, context: own('context'), event: textOf(fields.event) }];
    case 'context-served':
      return [{ kind: 'context-served', ...base, context: own('context') }];
    case 'context-files-read':
      return [
        {
          kind: 'context-files-read',
          ...base,
          read: itemsOf(fields.read).flatMap(readFileOf),
          unread: textsOf(fields.unread),
          otherCalls: numberOf(fields.otherCalls),
          ...(fields.unclear === undefined ? {} : { unclear: textOf(fields.unclear) }),
        },
      ];
    case 'agent-session-ended':
      return [{ kind: 'agent-session-ended', ...base, reason: textOf(fields.reason) }];
    default:
      return [];
  }
}

function mapIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isMap(value) && typeof value.session === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readFileOf(value: unknown): readonly { readonly path: string; readonly isBeforeOther: boolean }[] {
  return isMap(value) ? [{ path: textOf(value.path), isBeforeOther: value.isBeforeOther === true }] : [];
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_ITEMS) : [];
}

function textsOf(value: unknown): readonly string[] {
  return itemsOf(value).map(textOf);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value, MOST_CHARS) : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}
