// The re-orientation meter: how many actions, and how many tokens of conversation, lie between a beginning and the first edit after
// it. Tokens are how much the conversation grew, so that it does not matter what a service took from its cache. Pure.

import type { Beginning } from './session.ts';

export interface Reoriented {
  readonly by: Beginning;
  /** Tool calls before the edit; those up to the end when there was none. */
  readonly actions: number;
  /** Absent where the agent does not name them. */
  readonly tokens?: number;
  readonly isEdited: boolean;
  /** A text of a hook came before the edit. */
  readonly isTold: boolean;
}

/** A session of months has no more beginnings. */
const MOST = 2000;

export class ReorientationMeter {
  #by: Beginning;
  #actions = 0;
  #first: number | undefined;
  #last: number | undefined;
  #isDone = false;
  #isTold = false;
  readonly #ended: Reoriented[] = [];

  constructor(by: Beginning) {
    this.#by = by;
  }

  tell(): void {
    if (!this.#isDone) this.#isTold = true;
  }

  act(): void {
    this.#actions += 1;
  }

  tokens(input: number | undefined, output: number | undefined): void {
    if (input === undefined || this.#isDone) return;
    this.#first ??= input;
    this.#last = input + (output ?? 0);
  }

  /** How many actions there were so far. */
  get actions(): number {
    return this.#actions;
  }

  /** The call that edits is the last of `actions`, and not one of those before it. */
  edit(actions = this.#actions): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#keep(Math.max(0, Math.min(actions, this.#actions) - 1), true);
  }

  begin(by: Beginning): void {
    this.#close();
    this.#by = by;
    this.#actions = 0;
    this.#first = undefined;
    this.#last = undefined;
    this.#isDone = false;
    this.#isTold = false;
  }

  rename<By extends Beginning>(by: By): By {
    this.#by = by;
    return by;
  }

  all(): readonly Reoriented[] {
    this.#close();
    this.#isDone = true;
    return this.#ended;
  }

  #close(): void {
    if (!this.#isDone && (this.#actions > 0 || this.#last !== undefined)) this.#keep(this.#actions, false);
  }

  #keep(actions: number, isEdited: boolean): void {
    if (this.#ended.length >= MOST) return;
    const [first, last] = [this.#first, this.#last];
    const tokens = first === undefined || last === undefined ? {} : { tokens: Math.max(0, last - first) };
    this.#ended.push({ by: this.#by, actions, ...tokens, isEdited, isTold: this.#isTold });
  }
}
