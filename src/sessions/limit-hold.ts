// How long nothing is typed into an agent that has reached its limit: a text given then is one more request that is refused. Pure.

import type { TranscriptText } from '../kernel/transcript.ts';
import { timeOf } from './rest.ts';
import { isPersonsPrompt } from './seats/talk.ts';
import { faultReason, resetOf } from './transcripts/fault-reason.ts';

export interface LimitHold {
  /** As a person reads it. */
  readonly reason: string;
  readonly until: number;
}

/** Of a limit that names no time: after it one text is tried; where that is refused as well, the next one waits as long. */
export const UNNAMED_MS = 60_000;

/** It is over with whatever the model says, and with a prompt of the person, who knows what they do. */
export function followHold(
  hold: LimitHold | undefined,
  texts: readonly TranscriptText[],
  { ours, now }: { readonly ours: readonly string[]; readonly now: number },
): LimitHold | undefined {
  return texts.reduce((before, text) => {
    if (text.isSubagent === true || text.isRetold === true) return before;
    if (text.kind === 'answer' || text.kind === 'reply' || isPersonsPrompt(text, ours)) return undefined;
    return text.kind === 'fault' ? (holdOf(text, now) ?? before) : before;
  }, hold);
}

/** The reason while it lasts. */
export function heldByLimit(hold: LimitHold | undefined, now: number): string | undefined {
  return hold !== undefined && now < hold.until ? hold.reason : undefined;
}

function holdOf(text: TranscriptText, now: number): LimitHold | undefined {
  const reason = faultReason(text);
  if (!reason.startsWith('limit')) return undefined;
  const reset = resetOf(text);
  if (reset !== undefined) return { reason, until: reset };
  return { reason: `${reason}; tried again after a minute`, until: (timeOf(text) ?? now) + UNNAMED_MS };
}
