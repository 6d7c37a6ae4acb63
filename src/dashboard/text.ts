// The exact text that an agent got, in parts, each with its source.

import type { DeliveryRecord } from '../kernel/delivery.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import type { ShownText } from './shown.ts';

export type ComposedPrompt = Extract<ForewordEvent, { kind: 'prompt-composed' }>;

/** The prompt of an attempt: the hand-over first, then the rest of the prompt. */
export function promptText({ task, attempt, original, handover, isResumed }: ComposedPrompt): ShownText {
  return {
    title: `Prompt of attempt ${attempt} at ${task}`,
    parts: [
      ...(handover === '' ? [] : [part('hand-over', 'earlier attempts at this task', handover)]),
      part(
        'prompt',
        isResumed ? 'what changed, for the same session' : 'the task, its template and the context',
        original,
      ),
    ],
  };
}

export function deliveryText({ id, session, moment, text }: DeliveryRecord): ShownText {
  return { title: `${id} to ${session}`, parts: [part(moment, 'the exact bytes that were placed', text)] };
}

function part(name: string, source: string, text: string): ShownText['parts'][number] {
  return { name, source, tokens: estimateTokens(text), text };
}
