// A person at an agent's terminal in tmux, with foreword and without it: types, presses Enter, and waits until the model was asked as often
// as expected and the screen stands still.

import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../run-to-end.mjs';

const STILL_MS = 1200;
const PATIENCE_MS = 180_000;

export async function sitDown(field, { tmux, target }) {
  const screen = async () => (await tmux('capture-pane', '-p', '-t', target)).stdout;

  async function untilStill() {
    let shown = '';
    let since = Date.now();
    const isStill = async () => {
      const now = await screen();
      if (now !== shown || now.trim() === '') since = Date.now();
      shown = now;
      return Date.now() - since >= STILL_MS;
    };
    if (!(await until(isStill, PATIENCE_MS, 150))) throw new Error(`the screen never stood still:\n${shown}`);
  }

  /** An agent may show its composer before it reads keys: those are lost, or shown when it has begun. */
  async function type(text) {
    const isShown = async () => (await screen()).includes(text);
    for (let tries = 1; ; tries += 1) {
      await tmux('send-keys', '-t', target, '-l', text);
      if (await until(isShown, 6000)) break;
      await untilStill();
      if (await isShown()) break;
      if (tries === 5) throw new Error(`"${text}" is not in the composer:\n${await screen()}`);
    }
    await sleep(500);
    await tmux('send-keys', '-t', target, 'Enter');
  }

  await untilStill();
  return {
    screen,
    /** A prompt, and as many turns of the agent as it takes. */
    async ask(text, turns = 1) {
      const before = field.turns().length;
      await type(text);
      if (!(await until(() => field.turns().length >= before + turns, PATIENCE_MS)))
        throw new Error(`${field.turns().length - before} of ${turns} turns:\n${await screen()}`);
      await untilStill();
    },
    /** A command of the agent's own that asks the model for something. */
    async command(text) {
      const before = field.model.requests().length;
      const isAsked = () => field.model.requests().length > before;
      await type(text);
      // The first Enter may only have taken the agent's suggestion.
      if (!(await until(isAsked, 15_000))) await tmux('send-keys', '-t', target, 'Enter');
      if (!(await until(isAsked, PATIENCE_MS))) throw new Error(`nothing was asked:\n${await screen()}`);
      await untilStill();
    },
  };
}
