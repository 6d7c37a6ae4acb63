// A text as an agent was given it, in parts that say where they come from.

import type { DeliveryRecord } from '../kernel/delivery.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import type { ShownText } from './shown.ts';

export type ComposedPrompt = Extract<ForewordEvent, { kind: 'prompt-composed' }>;

/** The prompt of an attempt: what was handed over stands first, then the prompt as it is without that. */
export function promptText({ task, attempt, original, handover }: ComposedPrompt): ShownText {
  return {
    title: `Prompt of attempt ${attempt} at ${task}`,
    parts: [
      ...(handover === '' ? [] : [part('hand-over', 'earlier attempts at this task', handover)]),
      part('prompt', 'the task, its template and the context', original),
    ],
  };
}

export function deliveryText({ id, session, moment, text }: DeliveryRecord): ShownText {
  return { title: `${id} to ${session}`, parts: [part(moment, 'what was placed, byte for byte', text)] };
}

function part(name: string, source: string, text: string): ShownText['parts'][number] {
  return { name, source, tokens: estimateTokens(text), text };
}
