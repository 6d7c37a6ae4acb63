// An agent that announced that its allowance is nearly used up: why its breaker opens, and until when. Pure.

import type { Announced } from '../../kernel/usage-rules.ts';
import type { BreakerEvent } from '../breaker.ts';

/** `utcOffsetMs` is the machine's zone, in which the reason has its time; east is positive. */
export function announcement({ percent, resetAt }: Announced, utcOffsetMs = localOffset(resetAt)): BreakerEvent {
  const used = `usage at ${Math.floor(percent)} %`;
  if (resetAt === undefined) return { kind: 'announced', reason: used };
  const time = new Date(resetAt + utcOffsetMs).toISOString().slice(11, 16);
  return { kind: 'announced', reason: `${used}, resets ${time}`, resetAt };
}

function localOffset(at: number | undefined): number {
  return at === undefined ? 0 : -new Date(at).getTimezoneOffset() * 60_000;
}
