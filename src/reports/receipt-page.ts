// One receipt whole: what it was, for whom, what it belonged to, what happened to it, and the text. Pure.

import type { ForewordEvent } from '../kernel/events.ts';
import { isOfReceipt, type ListedDelivery } from './deliveries.ts';

export interface OneReceipt {
  readonly listed: ListedDelivery;
  /** All of the journal. */
  readonly events: readonly ForewordEvent[];
  /** The text, and what the session was doing then; absent where it is not known any more. */
  readonly text?: string | undefined;
  readonly prompt?: string | undefined;
  readonly tool?: string | undefined;
}

/** A line: its word, and the rest. */
export type ReceiptLine = readonly [word: string, text: string];

export interface ReceiptPage {
  readonly lines: readonly ReceiptLine[];
  /** `undefined` where it is not kept. */
  readonly text: string | undefined;
}

const MOMENTS: Readonly<Record<string, string>> = {
  'session-start': 'at the start of a session',
  'first-tool': 'with the result of the first tool: your rules',
  prompt: 'at a prompt: what changed since the session was last told',
  compaction: 'after a compaction: what the session did so far',
  'sub-agent': 'for a sub-agent',
  asked: 'asked for by the agent, by a tool of foreword',
};

/** `timeOf` shows an ISO time on the person's clock. */
export function receiptPage(facts: OneReceipt, timeOf: (iso: string) => string): ReceiptPage {
  const { listed, prompt, tool } = facts;
  const own = eventsOf(listed, facts.events);
  const agent = own.flatMap((event) => ('agent' in event ? [event.agent] : []))[0];
  const lines: readonly (ReceiptLine | undefined)[] = [
    ['receipt', listed.id],
    ['moment', momentOf(listed)],
    ['session', `${listed.session}${agent === undefined ? '' : ` of ${agent}`}`],
    prompt === undefined ? undefined : ['prompt', `"${prompt.replace(/\s+/g, ' ').trim()}"`],
    tool === undefined ? undefined : ['tool', tool],
    ['channel', listed.channel ?? 'none yet'],
    ['proof', `${listed.proof}${listed.evidence === undefined ? '' : `: ${listed.evidence}`}`],
    ['outcome', `${listed.outcome}${listed.reason === undefined ? '' : `: ${listed.reason}`}`],
    ...(own.length > 0 ? own.flatMap((event) => stepOf(event, timeOf)) : [['time', timeOf(listed.at)] as const]),
  ];
  return { lines: lines.filter((line) => line !== undefined), text: facts.text };
}

/** Hooks say what changed; another text at a prompt was sent by a person, a program or a switch. */
function momentOf({ moment, channel }: ListedDelivery): string {
  const words = moment === 'prompt' && channel !== 'hook' ? 'a text that was sent to the session' : MOMENTS[moment];
  return words === undefined ? moment : `${moment}, ${words}`;
}

/** Those of its own session; that it was served, once. */
function eventsOf(listed: ListedDelivery, events: readonly ForewordEvent[]): readonly ForewordEvent[] {
  const own = events.filter(
    (event) => 'context' in event && event.context === listed.id && isOfReceipt(listed, event.session),
  );
  const served = own.find(({ kind }) => kind === 'context-served');
  return own.filter((event) => event.kind !== 'context-served' || event === served);
}

/** What the journal has of it, in its order. */
function stepOf(event: ForewordEvent, timeOf: (iso: string) => string): readonly ReceiptLine[] {
  const at = timeOf(event.at);
  switch (event.kind) {
    case 'context-printed':
      return [['printed', `${at}, ${event.chars} characters`]];
    case 'gate-spoken':
      return [
        ['printed', `${at}, ${event.chars} characters`],
        ...(event.whole === undefined ? [] : filesOf(event.files, event.whole)),
      ];
    case 'context-asked':
      return [['asked', `${at}, the tool ${event.tool}`]];
    case 'context-submitted':
      return [['seen', `${at}, in the transcript of the agent`]];
    case 'context-served':
      return [['served', `${at}, an answer of the model follows it in the transcript`]];
    case 'context-lost':
      return [['lost', `${at}, the agent dropped what was printed at ${event.event}`]];
    default:
      return [];
  }
}

function filesOf(files: readonly string[], whole: readonly string[]): readonly ReceiptLine[] {
  const named = files.filter((file) => !whole.includes(file));
  return [
    ...(whole.length > 0 ? [['in full', whole.join(', ')] as const] : []),
    ...(named.length > 0 ? [['named', named.join(', ')] as const] : []),
  ];
}
