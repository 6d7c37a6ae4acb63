// What an agent that keeps a database wrote down since the last look. Its rows have times and no places, so the time up to which
// it was read is what is kept. Pure.

import type { TranscriptText } from '../kernel/transcript.ts';
import { followTexts, isOwnReply } from './proofs.ts';
import type { Seen } from './transcript.ts';

/** `texts` are those of one session since `before.offset`; what changed in that very millisecond may be among them again. */
export function lookAtTexts(before: Seen, texts: readonly TranscriptText[], session: string): Seen {
  const timeOf = ({ at }: TranscriptText) => Number(at ?? 0);
  return {
    ...before,
    ...followTexts(before, texts, session),
    offset: Math.max(before.offset, ...texts.map(timeOf)),
    lastReplyAt: Math.max(before.lastReplyAt, ...texts.filter(isOwnReply).map(timeOf)),
  };
}
