// Drives an agent as a person would. The agent runs in a terminal of ours that replies to terminal queries. Its screen is read
// with the agent's own rules, and a prompt is typed only when a person could type one.

import type { Interactive } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Matcher } from '../kernel/matcher.ts';
import type { LiveScreen, Screen } from '../kernel/screen.ts';
import type { Terminal, TerminalSize, TerminalStart } from '../kernel/terminal.ts';
import type { Readiness } from '../sessions/readiness.ts';
import { STILL_MS } from '../sessions/rest.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';

export interface AgentDriver {
  /** Throws `AgentNotReady` when the agent shows a dialog, exits, or does not become ready in time. */
  untilReady(timeoutMs: number): Promise<void>;
  /** Types a prompt of one line into the empty composer and submits it; returns when the submit key was pressed. */
  submit(prompt: string): Promise<number>;
  /** The screen as a person would see it now. */
  shown(): string;
  /** The result of the work; throws `AgentNotReady` when the agent ends before that. */
  during<T>(work: Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Why nothing could be tried. The message continues a sentence that begins with the agent's name. */
export class AgentNotReady extends Error {}

/** It ended, or showed nothing, before it could be used: another trial would end the same way. */
export class AgentCannotStart extends AgentNotReady {}

/** It was waited for in vain: another trial would wait as long, and end the same way. */
export class AgentHangs extends AgentNotReady {}

/** Terminals and their screens; app/ passes them in. */
export interface DriverPorts {
  readonly clock: Clock;
  openTerminal(start: TerminalStart): Promise<Terminal>;
  openScreen(size: TerminalSize, how: { readonly answers: (bytes: Uint8Array) => void }): Promise<LiveScreen>;
  watchScreen(parts: {
    readonly terminal: Terminal;
    readonly screen: LiveScreen;
    readonly agent: Interactive;
    readonly match: Matcher;
    readonly clock: Clock;
  }): DriverWatch;
}

/** The current screen, and since when. */
export interface DriverWatch {
  readonly verdict: Readiness;
  readonly screen: Pick<Screen, 'lines'>;
  /** When the verdict or the composer last changed. */
  readonly since: number;
  /** When anything on the screen last changed. */
  readonly changedAt: number;
  look(): Promise<void>;
  close(): void;
}

const SIZE = { cols: 120, rows: 40 };
const LOOK_MS = 50;
/** A visible composer is used after this time without a change on the screen. */
const STABLE_MS = 400;
/** A dialog that stays this long waits for a person. */
const ASKING_MS = 4000;
/** A submit key that was swallowed is pressed once more. */
const SWALLOWED_MS = 2000;
const LONGEST_MS = 30_000;
/** An agent that has drawn nothing by then hangs: the slowest one draws within 8 s on a busy machine. */
const BLANK_MS = 20_000;
/** One whose first screen stands still that long, and is neither a composer nor a dialog, hangs too. */
const STOOD_STILL_MS = 30_000;
const GRACE_MS = 3000;
/** The least pause between the text and the submit key: a person is slower. */
const SETTLE_MS = 300;

export interface DriverStart {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly agent: Interactive;
  /** How long it may draw nothing; then it is taken for hanging. */
  readonly blankMs?: number;
}

export async function driveAgent(
  { agent, blankMs = BLANK_MS, ...start }: DriverStart,
  ports: DriverPorts,
): Promise<AgentDriver> {
  const { clock } = ports;
  const terminal = await ports.openTerminal({ ...start, size: SIZE });
  const screen = await ports.openScreen(SIZE, {
    answers: (bytes) => {
      // An agent that has just exited needs no reply.
      terminal.write(bytes).catch(() => undefined);
    },
  });
  const watch = ports.watchScreen({ terminal, screen, agent, match: makeLineMatcher(), clock });
  const startedAt = clock.now();
  const stillMs = Math.max(blankMs, STOOD_STILL_MS);
  let wasReady = false;
  const shown = () => watch.screen.lines.join('\n').trimEnd();
  const refuseEnded = (): void => {
    if (watch.verdict.state === 'gone' && wasReady) throw new AgentNotReady('exited');
    if (watch.verdict.state === 'gone')
      throw new AgentCannotStart(`exited before it was ready${lastLine(shown(), ': ')}`);
    if (!wasReady && shown() === '' && clock.now() - startedAt > blankMs)
      throw new AgentCannotStart(`showed nothing within ${blankMs / 1000} s`);
    if (!wasReady && clock.now() - Math.max(startedAt, watch.changedAt) > stillMs)
      throw new AgentCannotStart(
        `was not ready, and drew nothing more for ${stillMs / 1000} s: ${watch.verdict.evidence}`,
      );
  };

  const shows = async (condition: (now: Readiness) => boolean, timeoutMs: number): Promise<boolean> => {
    for (const end = clock.now() + timeoutMs; clock.now() < end; await clock.wait(LOOK_MS)) {
      await watch.look();
      if (condition(watch.verdict)) return true;
    }
    return false;
  };
  const untilReady = async (timeoutMs: number): Promise<void> => {
    const isFree = () => {
      if (isReady(watch, agent, clock.now())) return true;
      refuseEnded();
      refuse(watch, clock.now());
      return false;
    };
    if (await shows(isFree, timeoutMs)) {
      wasReady = true;
      return;
    }
    throw new AgentHangs(`was not ready after ${Math.round(timeoutMs / 1000)} s: ${watch.verdict.evidence}`);
  };

  return {
    untilReady,
    submit: async (prompt) => {
      await untilReady(LONGEST_MS);
      await terminal.paste(prompt);
      const isWritten = await shows((now) => now.composer.kind === 'text', LONGEST_MS);
      if (!isWritten) throw new AgentHangs('did not show the typed prompt');
      await clock.wait(Math.max(agent.submit.delayMs, SETTLE_MS));
      const pressedAt = clock.now();
      await terminal.pressEnter();
      const isSent = (now: Readiness) => now.state === 'busy' || now.composer.kind !== 'text';
      if (!(await shows(isSent, SWALLOWED_MS))) await terminal.pressEnter();
      return pressedAt;
    },
    shown,
    during: async (work) => {
      let isDone = false;
      const watching = (async (): Promise<never> => {
        for (; !isDone; await clock.wait(LOOK_MS)) {
          await watch.look();
          refuseEnded();
        }
        return new Promise<never>(() => undefined);
      })();
      try {
        return await Promise.race([work, watching]);
      } finally {
        isDone = true;
      }
    },
    end: async () => {
      await terminal.end(GRACE_MS);
      watch.close();
      screen.close();
    },
  };
}

function isReady({ verdict, since, changedAt }: DriverWatch, agent: Interactive, now: number): boolean {
  // The version that is measured here is the one of which nothing is known yet.
  const stillMs = Math.max(STILL_MS, agent.quietMs ?? 0);
  const isStable = now - since >= STABLE_MS && now - changedAt >= stillMs;
  return verdict.state === 'ready' && verdict.composer.kind === 'empty' && isStable;
}

function refuse({ verdict, since }: DriverWatch, now: number): void {
  if (verdict.state === 'asking' && now - since > ASKING_MS)
    throw new AgentNotReady(`shows a dialog: ${verdict.asks ?? verdict.evidence}`);
}

/** What it said last, for a person. */
function lastLine(text: string, before: string): string {
  const line = text.trim().split('\n').at(-1)?.trim().slice(0, 200) ?? '';
  return line === '' ? '' : `${before}${line}`;
}
