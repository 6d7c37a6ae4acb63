// What a hook printed and the agent lost is said again: after `/clear`, or whatever begins a new conversation, the startup context
// is before the model by the third prompt at the latest, once, and stays the only one.

import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { IS_LONG } from '../scale.ts';
import { AGENTS, marksIn, RealField, takesLaunchHooks, until } from './field.ts';

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

/** What begins a new conversation. */
const CLEAR: Readonly<Record<string, string>> = { opencode: '/new', pi: '/new' };

/** It is known to lose what a hook prints after `/clear`; the others are looked at in the long run. */
const LOSES = ['gemini'];

test.each(AGENTS.filter((name) => IS_LONG || LOSES.includes(name)))(
  '%s is given its startup context again in a new conversation, once',
  async (name) => {
    const of = await RealField.make(name);
    field = of;
    if (!takesLaunchHooks(name)) await of.must('init', '--yes', '--agents', name);
    const { id, ran } = await of.start('--no-context');
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    await of.must('send', id, 'Good morning.', '--wait', 'served');
    await clear(of);
    const marks: number[] = [];
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) {
      const before = of.turns().length;
      await of.must('send', id, text, '--wait', 'served');
      expect(await until(() => of.turns().length > before, 20_000)).toBe(true);
      marks.push(marksIn(of.turns().at(-1), 'startup').length);
      // Its hook at the end of the turn is done.
      await sleep(1500);
    }
    expect(marks.slice(2), JSON.stringify(marks)).toEqual([1, 1]);
  },
);

/** Types it as a person would. */
async function clear(of: RealField): Promise<void> {
  const isReady = async () => (await of.sessions())[0]?.readiness === 'ready';
  expect(await until(isReady, 30_000)).toBe(true);
  const [session = expect.fail()] = await of.sessions();
  const { socket, session: target } = session.tmux ?? expect.fail();
  const keys = (...args: string[]) => execFileSync('tmux', ['-S', socket, 'send-keys', '-t', target, ...args]);
  keys('-l', CLEAR[of.recipe.agent] ?? '/clear');
  await sleep(700);
  keys('Enter');
  await sleep(3500);
  expect(await until(isReady, 30_000)).toBe(true);
}
