// A sub-agent is given the rules and the task with its first request; the parent is not given them a second time.

import { afterEach, expect, test } from 'vitest';
import type { ModelStep } from '../../src/verify/model/steps.ts';
import { IS_LONG } from '../scale.ts';
import { AGENTS, calling, RealField, timesGiven } from './field.ts';

const VOUCHED: Readonly<Record<string, readonly string[]>> = { codex: ['--dangerously-bypass-hook-trust'] };
const ROUNDS = IS_LONG ? 20 : 1;
const ORDER = 'Count the words of readme.txt for me.';

/** The call by which its model starts a sub-agent. */
const SPAWNS: Readonly<Record<string, ModelStep>> = {
  claude: calling({
    tool: 'Agent',
    input: { description: 'count words', prompt: ORDER, subagent_type: 'general-purpose', run_in_background: false },
  }),
  codex: calling({ tool: 'multi_agent_v1.spawn_agent', input: { message: ORDER } }),
};

/** Codex goes on at once, and would end before the sub-agent began. */
function waitFor(name: string, result: string): ModelStep {
  const id = /"agent_id":"([^"]+)"/.exec(result)?.[1];
  if (name !== 'codex' || id === undefined) return { kind: 'text', text: 'Done.' };
  return calling({ tool: 'multi_agent_v1.wait_agent', input: { targets: [id], timeout_ms: 10_000 } });
}

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

for (let round = 1; round <= ROUNDS; round += 1)
  test.each(AGENTS.filter((name) => name in SPAWNS))(
    `a sub-agent of %s is given rules and task with its first request, and its parent not twice, time ${round}`,
    async (name) => {
      const of = await RealField.make(name);
      field = of;
      await of.must('init', '--yes', '--agents', name);
      const spawn = SPAWNS[name] ?? expect.fail();
      const isChild = (texts: readonly { readonly role: string; readonly text: string }[]) =>
        texts.some(({ role, text }) => role === 'user' && text.includes(ORDER));
      let isSpawned = false;
      const reply: ModelStep = {
        kind: 'reply',
        reply: (request) => {
          if (isChild(request.texts)) return { kind: 'text', text: 'Two words.' };
          if (isSpawned) return waitFor(name, request.texts.at(-1)?.text ?? '');
          isSpawned = true;
          return spawn;
        },
      };
      of.next(...Array.from({ length: 12 }, () => reply));
      const ran = await of.oneshot('Have the words counted.', VOUCHED[name]);
      expect(ran.status, ran.stdout + ran.stderr).toBe(0);
      const turns = of.turns();
      const children = turns.filter(({ texts }) => isChild(texts));
      const parents = turns.filter(({ texts }) => !isChild(texts));
      const [first] = children;
      expect(
        children.length,
        JSON.stringify(
          turns.map(({ texts }) => texts.map(({ text }) => text.slice(0, 200))),
          null,
          1,
        ),
      ).toBeGreaterThan(0);
      expect(timesGiven(first, 'Never push to main.')).toBe(1);
      expect(timesGiven(first, 'register the route')).toBe(1);
      expect(timesGiven(first, '[foreword sub-agent fw_')).toBe(1);
      for (const turn of parents) expect(timesGiven(turn, '[foreword sub-agent fw_')).toBe(0);
      for (const turn of turns) expect(timesGiven(turn, 'Never push to main.')).toBeLessThanOrEqual(1);
    },
  );
