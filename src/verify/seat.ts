// Seat: a person's place at an agent, without the person. The agent runs in a terminal of ours that answers what terminals
// answer; its screen is read by the agent's own rules, and a prompt is written only where a person could write one.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Interactive } from '../kernel/agent.ts';
import type { Readiness } from '../sessions/readiness.ts';
import { type ScreenWatch, watchScreen } from '../sessions/watch.ts';
import { systemClock } from '../system/clock.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { openPty } from '../terminals/pty/pty.ts';
import { openScreen } from '../terminals/screen/screen.ts';

export interface Seat {
  /** Throws `NotSeated` when the agent asks something, ends, or does not become ready in time. */
  untilReady(timeoutMs: number): Promise<void>;
  /** Writes a prompt of one line into the empty composer and sends it; answers when the submit key was pressed. */
  say(prompt: string): Promise<number>;
  /** What a person would see now. */
  shown(): string;
  end(): Promise<void>;
}

/** Why nothing could be tried, in words that follow the agent's name. */
export class NotSeated extends Error {}

const SIZE = { cols: 120, rows: 40 };
const LOOK_MS = 50;
/** A composer that shows is used once nothing changed for so long. */
const STABLE_MS = 400;
/** A question that stays this long waits for a person. */
const ASKING_MS = 4000;
/** A submit key that was swallowed is pressed once more. */
const SWALLOWED_MS = 2000;
const LONGEST_MS = 30_000;
const GRACE_MS = 3000;

export async function takeSeat(options: {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly agent: Interactive;
}): Promise<Seat> {
  const { agent, ...start } = options;
  const terminal = await openPty({ ...start, size: SIZE });
  const screen = await openScreen(SIZE, {
    answers: (bytes) => {
      // An agent that has just ended needs no answer.
      terminal.write(bytes).catch(() => undefined);
    },
  });
  const watch = watchScreen({ terminal, screen, agent, match: makeLineMatcher(), clock: systemClock });

  const untilReady = async (timeoutMs: number): Promise<void> => {
    for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(LOOK_MS)) {
      await watch.look();
      if (isFree(watch, agent)) return;
      refuse(watch);
    }
    throw new NotSeated(`was not ready after ${Math.round(timeoutMs / 1000)} s: ${watch.verdict.evidence}`);
  };

  return {
    untilReady,
    say: async (prompt) => {
      await untilReady(LONGEST_MS);
      await terminal.paste(prompt);
      await until(watch, (now) => now.composer.kind === 'text', 'did not show what was written');
      await sleep(Math.max(agent.submit.delayMs, 300));
      const pressedAt = Date.now();
      await terminal.pressEnter();
      const isSent = (now: Readiness) => now.state === 'busy' || now.composer.kind !== 'text';
      if (!(await comes(watch, isSent, SWALLOWED_MS))) await terminal.pressEnter();
      return pressedAt;
    },
    shown: () => watch.screen.lines.join('\n').trimEnd(),
    end: async () => {
      await terminal.end(GRACE_MS);
      watch.close();
      screen.close();
    },
  };
}

function isFree(watch: ScreenWatch, agent: Interactive): boolean {
  const { state, composer } = watch.verdict;
  const now = Date.now();
  const isStable = now - watch.since >= STABLE_MS && now - watch.changedAt >= (agent.quietMs ?? 0);
  return state === 'ready' && composer.kind === 'empty' && isStable;
}

function refuse({ verdict, since }: ScreenWatch): void {
  if (verdict.state === 'gone') throw new NotSeated('ended before it was ready');
  if (verdict.state === 'asking' && Date.now() - since > ASKING_MS)
    throw new NotSeated(`asks a person: ${verdict.asks ?? verdict.evidence}`);
}

async function until(watch: ScreenWatch, condition: (now: Readiness) => boolean, otherwise: string): Promise<void> {
  if (!(await comes(watch, condition, LONGEST_MS))) throw new NotSeated(otherwise);
}

async function comes(watch: ScreenWatch, condition: (now: Readiness) => boolean, timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(LOOK_MS)) {
    await watch.look();
    if (condition(watch.verdict)) return true;
  }
  return false;
}
