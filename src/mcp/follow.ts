// Follows the answers of one server in the agent's transcript until the model went on after them. Looks while something is open, and once
// more when the agent ends the server; what is not seen by then stays `placed`, and the agent's hooks may still see it.

import type { TranscriptReader } from '../kernel/transcript.ts';
import type { Conversations } from '../sessions/transcripts/conversation.ts';
import { type AskedProof, askedProofs } from './asked-proofs.ts';

/** Quick enough for an agent that ends right after its answer; a look at an unchanged file costs next to nothing. */
const LOOK_MS = 300;
/** A model that thinks longer is seen at the next call, or at the end. */
const GIVE_UP_MS = 10 * 60_000;
/** Agents end their servers a moment after their last answer, and some within half a second. */
const LAST_LOOKS = 10;
const LAST_LOOK_MS = 150;

type Reader = Pick<TranscriptReader, 'poll' | 'close'>;

export class AnswerFollower {
  readonly #open: () => Reader;
  #reader: Reader;
  readonly #report: (proof: AskedProof) => void;
  #conversations: Conversations = {};
  readonly #unproved = new Map<string, { readonly sinceMs: number; shown: string; session?: string | undefined }>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(open: () => Reader, report: (proof: AskedProof) => void) {
    this.#open = open;
    this.#reader = open();
    this.#report = report;
  }

  follow(id: string): void {
    this.#unproved.set(id, { sinceMs: performance.now(), shown: '' });
    this.#timer ??= setInterval(() => void this.#lookAgain(), LOOK_MS);
    // The server lives as long as its input.
    this.#timer.unref();
  }

  /** Never rejects. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#look();
    // From the start: a reader that found the file of a session beside this one looks for others only now and then.
    this.#reader.close();
    this.#reader = this.#open();
    this.#conversations = {};
    for (let looks = 0; looks < LAST_LOOKS && this.#unproved.size > 0; looks += 1) {
      if (looks > 0) await new Promise((resolve) => setTimeout(resolve, LAST_LOOK_MS));
      await this.#look();
    }
    this.#reader.close();
  }

  async #lookAgain(): Promise<void> {
    await this.#look();
    for (const [id, { sinceMs }] of this.#unproved)
      if (performance.now() - sinceMs > GIVE_UP_MS) this.#unproved.delete(id);
    if (this.#unproved.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const texts = await this.#reader.poll();
    if (texts.length === 0) return;
    const news = askedProofs(this.#conversations, texts, new Set(this.#unproved.keys()));
    this.#conversations = news.conversations;
    for (const proof of news.proofs) {
      const known = this.#unproved.get(proof.id);
      const shown = `${proof.proof} ${proof.reason ?? ''}`;
      if (known === undefined || known.shown === shown) continue;
      known.shown = shown;
      // The answer of the model does not name our id any more.
      known.session ??= proof.session;
      if (proof.proof === 'served') this.#unproved.delete(proof.id);
      this.#report({ ...proof, ...(known.session === undefined ? {} : { session: known.session }) });
    }
  }
}
