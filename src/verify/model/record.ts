// What the model got: one record per request, in the order of arrival. The records decide every test with a real agent: a text
// in `texts` reached the model, any other did not.

export type ProtocolName = 'anthropic' | 'responses' | 'chat' | 'google';
export type MessageRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export interface GivenText {
  readonly role: MessageRole;
  readonly text: string;
}

export interface RecordedRequest {
  /** 1 for the first since the start or the last reset. */
  readonly number: number;
  /** When the whole body was there, in ms since 1970. */
  readonly at: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** `none` for a path of no protocol. */
  readonly protocol: ProtocolName | 'none';
  /** A turn of the agent: it offers tools and is not a side request (title, suggestion, …). */
  readonly isMain: boolean;
  /** Every text, decoded, in the order of the conversation; one entry per block. */
  readonly texts: readonly GivenText[];
  /** The parsed JSON; absent when the body was not valid JSON. */
  readonly body?: unknown;
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
  /** The HTTP status we sent; absent until it is sent. */
  readonly status?: number;
  /** The client disconnected before it had everything. A connection that we cut does not count. */
  readonly aborted?: boolean;
  /** Why it was refused, for people. */
  readonly problem?: string;
  /** The tokens that the reply named, side requests included; absent when there was none, or an error. */
  readonly tokens?: ModelTokens;
}

/** What a service counts for one request. */
export interface ModelTokens {
  /** Cached ones included. */
  readonly input: number;
  /** Of `input`. */
  readonly cached: number;
  /** Thoughts included. */
  readonly output: number;
  /** Of `output`: tokens of thoughts; none when absent. */
  readonly thoughts?: number;
}

/** The texts among `values`, each given in `role`. Anything else is left out. */
export function given(role: MessageRole, values: readonly unknown[]): GivenText[] {
  return values.flatMap((text) => (typeof text === 'string' ? [{ role, text }] : []));
}

/** The result of a tool. A result without a text is still a result, with an empty text. */
export function resultOf(texts: readonly unknown[]): GivenText[] {
  const found = given('tool', texts);
  return found.length > 0 ? found : [{ role: 'tool', text: '' }];
}

/** The fields that become known after the request was recorded. */
export type OpenRecord = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** The texts of a request, without the model's own replies: their return proves nothing about a delivery. */
export function holds(request: RecordedRequest, text: string): boolean {
  return request.texts.some((entry) => entry.role !== 'assistant' && entry.text.includes(text));
}

/** An agent sends its whole conversation with every turn, so that bodies, not their number, fill the memory. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Bounded by number and by the size of the bodies; the oldest go first, and `dropped` counts them. */
export class RequestLog {
  #kept: { readonly request: OpenRecord; readonly bytes: number }[] = [];
  #bytes = 0;
  #count = 0;
  #dropped = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = Math.max(1, most);
  }

  get dropped(): number {
    return this.#dropped;
  }

  add(request: Omit<OpenRecord, 'number'>, bytes: number): OpenRecord {
    this.#count += 1;
    const recorded: OpenRecord = { number: this.#count, ...request };
    this.#kept.push({ request: recorded, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > this.#most || (this.#bytes > MOST_BYTES && this.#kept.length > 1)) {
      this.#bytes -= this.#kept.shift()?.bytes ?? 0;
      this.#dropped += 1;
    }
    return recorded;
  }

  all(): readonly RecordedRequest[] {
    return this.#kept.map(({ request }) => request);
  }

  clear(): void {
    this.#kept = [];
    this.#bytes = 0;
    this.#count = 0;
    this.#dropped = 0;
  }
}
