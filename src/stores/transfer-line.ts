// A record of an export: one line of JSON. Claims and versions are not exported.

import type { AttemptRecord } from '../kernel/attempt.ts';
import type { BreakerRecord } from '../kernel/breaker.ts';
import type { Continuity } from '../kernel/continuity.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import type { Receipt } from '../kernel/receipt.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { SessionWork } from '../kernel/session-work.ts';
import type { TaskRecord } from '../kernel/task.ts';

/** The version in the first line of an export. */
export const FORMAT = 1;

export type TransferLine =
  | { readonly kind: 'task'; readonly record: TaskRecord }
  | { readonly kind: 'attempt'; readonly task: string; readonly record: AttemptRecord }
  /** After the attempts it closes and before those it does not. */
  | { readonly kind: 'cleared'; readonly task: string; readonly up_to: number }
  | { readonly kind: 'event'; readonly record: ForewordEvent }
  | { readonly kind: 'receipt'; readonly record: Receipt }
  | { readonly kind: 'continuity'; readonly record: Continuity }
  | { readonly kind: 'breaker'; readonly id: string; readonly record: BreakerRecord }
  | { readonly kind: 'delivery'; readonly id: string; readonly record: DeliveryRecord }
  | { readonly kind: 'session'; readonly id: string; readonly record: SessionRecord }
  | { readonly kind: 'run'; readonly id: string; readonly record: RunRecord }
  | { readonly kind: 'work'; readonly id: string; readonly record: SessionWork };

export interface NumberedLine {
  readonly line: TransferLine;
  /** 1-based, in the text or among the records of a file. */
  readonly at: number;
}

/** Reports a fault: where in the record, and what is allowed. */
export type Report = (path: string, message: string) => void;
