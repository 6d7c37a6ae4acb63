// A person at the keyboard of an agent in tmux.

import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type RealField, until } from './field.ts';

const MOST_ESCAPES = 8;
/** Between two of them: some agents forget the first after a second. */
const ESCAPE_MS = 400;

const COMMANDS: Readonly<Record<string, string>> = { gemini: '/compress', qwen: '/compress' };

/** Types a text as a person would, and waits until the model was asked and the agent is ready again. Returns the screen. */
export async function type(of: RealField, text: string): Promise<string> {
  const isReady = async () => (await of.sessions())[0]?.readiness === 'ready';
  expect(await until(isReady, 30_000)).toBe(true);
  const [session = expect.fail()] = await of.sessions();
  const { socket, session: target } = session.tmux ?? expect.fail();
  const keys = (...args: string[]) => execFileSync('tmux', ['-S', socket, 'send-keys', '-t', target, ...args]);
  const screen = () => execFileSync('tmux', ['-S', socket, 'capture-pane', '-p', '-t', target], { encoding: 'utf8' });
  const before = of.model.requests().length;
  keys('-l', text);
  await sleep(700);
  keys('Enter');
  expect(await until(() => of.model.requests().length > before, 30_000), screen()).toBe(true);
  // The person's last key is three seconds ago before anything is typed again.
  await sleep(1500);
  expect(await until(isReady, 30_000), screen()).toBe(true);
  return screen();
}

/** Stops the turn; some agents want the key twice. */
export async function pressEscape(of: RealField, isStopped: () => boolean): Promise<void> {
  const [session = expect.fail()] = await of.sessions();
  const { socket, session: target } = session.tmux ?? expect.fail();
  for (let times = 0; times < MOST_ESCAPES && !isStopped(); times += 1) {
    execFileSync('tmux', ['-S', socket, 'send-keys', '-t', target, 'Escape']);
    await until(isStopped, ESCAPE_MS);
  }
  expect(isStopped()).toBe(true);
}

/** The agent's own command for it. */
export function compact(of: RealField): Promise<string> {
  return type(of, COMMANDS[of.recipe.agent] ?? '/compact');
}

export function longAnswer(points: number): string {
  return Array.from({ length: points }, (_, index) => `Point ${index} of a long explanation.`).join(' ');
}
