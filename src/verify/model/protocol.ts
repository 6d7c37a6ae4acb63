// The interface of a protocol: read a request, write a reply whole or in frames, shape an error.
// One file each: anthropic.ts, responses.ts, chat.ts, google.ts; to add one, add a file and a line to PLACES in
// paths.ts.

import { estimateTokens } from '../../kernel/tokens.ts';
import type { Fields } from './json.ts';
import type { GivenText, ModelTokens, ProtocolName } from './record.ts';

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** The parts of a request on which the reply depends. */
export interface Reading {
  readonly texts: readonly GivenText[];
  readonly tools: readonly string[];
  readonly model: string;
  readonly isStreaming: boolean;
  /** Streamed as server-sent events. Only Google has another form: one JSON list that grows. */
  readonly isEventStream: boolean;
  /** The shape that the request demands, if any. `{}` means "any JSON". */
  readonly schema?: unknown;
  /** The one tool that must be called, when the request forces one. */
  readonly forced?: { readonly name: string; readonly schema: unknown };
  readonly body: Fields;
}

/** A reply: pieces of text, then calls. `serial` is unique, and so are ids made from it. */
export interface Answer {
  readonly serial: number;
  readonly pieces: readonly string[];
  readonly calls: readonly ToolCall[];
  /** The counts of tokens it names, instead of an estimate. */
  readonly tokens?: ModelTokens;
}

/** A streamed answer, as text for the wire. One entry in `pieces` per piece of the answer. */
export interface Frames {
  readonly opening: string;
  readonly pieces: readonly string[];
  readonly closing: string;
}

export interface ErrorAsked {
  readonly status: number;
  /** `quota`: an allowance is used up, and a short wait does not help. */
  readonly isQuota: boolean;
  /** Replaces the service's own message. */
  readonly message: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly model: string;
}

export interface Protocol {
  readonly name: ProtocolName;
  /** Never throws, whatever the body holds. */
  read(body: Fields): Omit<Reading, 'body' | 'isStreaming' | 'isEventStream' | 'model'>;
  whole(answer: Answer, reading: Reading): unknown;
  frames(answer: Answer, reading: Reading): Frames;
  error(asked: ErrorAsked): unknown;
  /** The body of the reply to a request that counts tokens, for a protocol with such requests. */
  count?(tokens: number): unknown;
}

/** Estimated from the texts, since agents compact their conversation when the counts are high. Never 0: some agents take 0 for
 *  "unknown". */
export function usageOf(answer: Answer, reading: Reading): ModelTokens {
  if (answer.tokens !== undefined) return answer.tokens;
  const given = reading.texts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const said = answer.pieces.reduce((sum, piece) => sum + estimateTokens(piece), 0);
  return { input: Math.max(1, given), cached: 0, output: Math.max(1, said + 20 * answer.calls.length) };
}

/** One server-sent event; the name is left out for protocols that do not name theirs. */
export function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
