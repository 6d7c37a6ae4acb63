// What an agent that keeps a database wrote down since the last look. Its rows have times and no places, so the time up to which
// it was read is what is kept. Pure.

import type { TranscriptText } from '../kernel/transcript.ts';
import { markOf } from './fences.ts';
import { afterCall } from './files-read.ts';
import { followTexts, isOwnReply } from './proofs.ts';
import { toolCall } from './tool-calls.ts';
import { filesReadOf, type Seen } from './transcript.ts';

/** `texts` are those of one session since `before.offset`; what changed in that very millisecond may be among them again. */
export function lookAtTexts(
  before: Seen,
  texts: readonly TranscriptText[],
  { session, files }: { readonly session: string; readonly files: readonly string[] },
): Seen {
  const timeOf = ({ at }: TranscriptText) => Number(at ?? 0);
  return {
    ...before,
    ...followTexts(before, texts, session),
    ...followCalls(before, texts, files),
    offset: Math.max(before.offset, ...texts.map(timeOf)),
    lastReplyAt: Math.max(before.lastReplyAt, ...texts.filter(isOwnReply).map(timeOf)),
  };
}

const MOST_CALLS = 200;

/** A call stands before its result, at whose end the gate may have printed. */
function followCalls(
  before: Seen,
  texts: readonly TranscriptText[],
  files: readonly string[],
): Pick<Seen, 'read' | 'otherCalls' | 'unclear' | 'isPastGate' | 'calls'> {
  const calls = new Set(before.calls);
  let { isPastGate } = before;
  let filesRead = filesReadOf(before);
  for (const { call, text } of texts) {
    const isNew = call !== undefined && !calls.has(call.id);
    if (isNew) calls.add(call.id);
    if (isNew && isPastGate) filesRead = afterCall(filesRead, toolCall(call.name, call.input), files);
    if (text.includes(markOf('gate'))) isPastGate = true;
  }
  return { ...filesRead, isPastGate, calls: [...calls].slice(-MOST_CALLS) };
}
