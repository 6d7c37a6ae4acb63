// The gate after a compaction: what was said before the first tool is gone from the model's context then, so it is said
// once more, at the next tool, and once only. Somebody types the agent's own command for it.

import { afterEach, expect } from 'vitest';
import { calling, figure, marksIn, RealField, takesLaunchHooks, timesGiven, until } from './field.ts';
import { compact, longAnswer } from './keys.ts';
import { eachAgent } from './offered.ts';

/** What is kept as it is must not be everything: pi keeps the last 20,000 tokens. */
const LENGTHS: Readonly<Record<string, number>> = { pi: 4000 };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent(
  '%s is given the gate once before a compaction, and once more after it',
  async (name) => {
    const of = await RealField.make(name);
    field = of;
    if (!takesLaunchHooks(name)) await of.must('init', '--yes', '--agents', name);
    // Some write the text down before they ask the model; what is scripted next is not for that request.
    const { id, ran } = await of.start('--wait', 'acknowledged');
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    const gates = (turn: ReturnType<typeof of.turns>[number] | undefined) => marksIn(turn, 'gate');
    const toolTurns = async (text: string) => {
      const before = of.turns().length;
      of.next(calling(of.recipe.commandCall('echo one')), calling(of.recipe.commandCall('echo two')), {
        kind: 'text',
        text: longAnswer(LENGTHS[name] ?? 400),
      });
      await of.must('send', id, text, '--wait', 'served');
      expect(await until(() => of.turns().length >= before + 3, 60_000), `${of.turns().length} turns`).toBe(true);
      return of.turns().slice(before);
    };
    const first = await toolTurns('Say one and two.');
    expect(first.map((turn) => gates(turn).length)).toEqual([0, 1, 1]);
    const again = await toolTurns('Say it again.');
    expect(again.map((turn) => gates(turn))).toEqual(again.map(() => gates(first[1])));

    const startedAt = Date.now();
    const screen = await compact(of);
    // The person need not know of our hooks.
    expect(screen).not.toMatch(/PreCompact \[|foreword-hook/);
    figure(name, 'compaction', Date.now() - startedAt);
    const after = await toolTurns('Say one and two once more.');
    const [, , last] = after;
    expect(gates(last).filter((mark) => !gates(first[1]).includes(mark))).toHaveLength(1);
    expect(after.map((turn) => gates(turn).length)).toEqual([0, 1, 1]);
    expect(timesGiven(last, 'Never push to main.')).toBe(1);
  },
  'compaction',
);
