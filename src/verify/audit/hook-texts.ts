// Texts of hooks on their way: printed, then in the conversation, whole or in part, or not at all when the model replies. Also which
// of them the model has before it more than once. Pure and bounded: of a text its ends and its length are kept.

/** Where a text came from. */
export interface LostText {
  readonly event: string;
  readonly command?: string;
}

interface Waiting {
  readonly from: LostText;
  readonly head: string;
  readonly tail: string;
}

const NONE: readonly LostText[] = [];
const HEAD = 300;
const TAIL = 100;
const MOST_WAITING = 64;
const MOST_SAID = 5000;
/** Shorter ones are reminders that cost nothing. */
const LEAST_AGAIN = 80;

export class TextsOfHooks {
  #waiting: Waiting[] = [];
  #said = new Map<number, { event: string; times: number }>();

  print(from: LostText, text: string): void {
    const whole = text.trim();
    if (whole === '') return;
    this.#waiting.push({ from, head: whole.slice(0, HEAD), tail: whole.slice(-TAIL) });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  /** The printed texts of which only a part is there; one without a command when it is not known whose it was. */
  serve({
    event,
    text,
    isCut,
  }: {
    readonly event: string;
    readonly text: string;
    readonly isCut: boolean;
  }): readonly LostText[] {
    this.#say(event, text);
    let cut: LostText[] | undefined;
    if (this.#waiting.length > 0) {
      const own = this.#waiting.filter(({ head }) => text.includes(head));
      this.#waiting = this.#waiting.filter((one) => !own.includes(one));
      cut = own.filter(({ tail }) => !text.includes(tail)).map(({ from }) => from);
    }
    if (cut !== undefined && cut.length > 0) return cut;
    return isCut || isBlockCut(text) ? [{ event }] : [];
  }

  /** The model replied: what is not in the conversation now has not reached it. */
  answered(): readonly LostText[] {
    if (this.#waiting.length === 0) return NONE;
    const lost = this.#waiting.map(({ from }) => from);
    this.#waiting = [];
    return lost;
  }

  /** The model forgot what it was told. */
  forget(): void {
    this.#said.clear();
  }

  /** One entry for each text that the model has before it more than once. */
  again(): readonly LostText[] {
    return [...this.#said.values()].filter(({ times }) => times > 1).map(({ event }) => ({ event }));
  }

  #say(event: string, text: string): void {
    if (text.length < LEAST_AGAIN) return;
    const plain = text.replace(/\bfw_[a-z0-9]{1,40}/g, 'fw_').trim();
    if (plain.length < LEAST_AGAIN) return;
    const key = hashOf(plain);
    const known = this.#said.get(key);
    if (known !== undefined) known.times += 1;
    else if (this.#said.size < MOST_SAID) this.#said.set(key, { event, times: 1 });
  }
}

/** A block of ours names its end; the gate names the end of each file. */
function isBlockCut(text: string): boolean {
  if (!text.includes('[foreword ')) return false;
  return [...text.matchAll(/\[foreword (startup|prompt|sub-agent) (fw_[a-z0-9]{1,40})\]/g)].some(
    ([, what, id]) => !text.includes(`[end of foreword ${what} ${id}]`),
  );
}

/** 53 bits, enough to distinguish the texts of one conversation. */
export function hashOf(text: string): number {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & other) + (one >>> 0);
}
