// What hooks print is said once, whatever becomes of the tool at which it was printed: nothing that the model has is taken for
// lost. And it is proved by what the agent writes down, where that shows it.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import { DIALECTS } from '../../src/hooks/dialects.ts';
import type { LabCall } from '../../src/kernel/agent-lab.ts';
import { calling, marksIn, RealField } from './field.ts';
import { eachAgent } from './offered.ts';

/** Before the other arguments of a prompt without a terminal. */
const GO_ON: Readonly<Record<string, readonly string[]>> = { gemini: ['--resume', 'latest'] };
/** Behind the first of them, where that is a subcommand. */
const GO_ON_IN: Readonly<Record<string, readonly string[]>> = { codex: ['resume', '--last'], opencode: ['--continue'] };

/** Codex runs a hook only once a person looked at it; whoever vouches for it otherwise says so for one invocation. */
const VOUCHED: Readonly<Record<string, readonly string[]>> = { codex: ['--dangerously-bypass-hook-trust'] };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

const FIRST: Readonly<Record<string, (of: RealField) => readonly LabCall[]>> = {
  'a command that fails': ({ recipe }) => [recipe.commandCall('exit 3')],
  'a file that cannot be written': ({ recipe, scratch }) => [
    recipe.fileCall(join(scratch.project, 'readme.txt', 'below-a-file.txt'), 'x'),
  ],
  'two commands at once': ({ recipe }) => [recipe.commandCall('sleep 0.3; echo one'), recipe.commandCall('exit 3')],
};

for (const [what, calls] of Object.entries(FIRST))
  eachAgent(`%s: first ${what}, then a session that goes on: nothing is said twice`, async (name) => {
    const of = await RealField.make(name);
    field = of;
    await of.must('init', '--yes', '--agents', name);
    of.next(calling(...calls(of)), calling(of.recipe.commandCall('echo two')));
    await of.oneshot('Begin.', VOUCHED[name]);
    const told = [of.turns().at(-1)].map((turn) => [marksIn(turn, 'startup').length, marksIn(turn, 'gate').length]);
    for (const prompt of ['Go on.', 'Go on once more.']) {
      of.next(calling(of.recipe.commandCall('echo three')));
      // No person goes on in less; two starts within three seconds count as one (src/hooks/epochs.ts).
      if ((DIALECTS[name]?.forgets ?? []).length > 0) await sleep(3000);
      await goOn(of, prompt);
      const last = of.turns().at(-1);
      told.push([marksIn(last, 'startup').length, marksIn(last, 'gate').length]);
    }
    console.log(`${name}, ${what}: ${JSON.stringify(told)}`);
    expect(told.flat().every((count) => count <= 1)).toBe(true);
    expect(told).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect((await of.foreword('doctor')).stdout).not.toContain(`lost by ${name}`);
    const receipts: readonly Listed[] = JSON.parse((await of.must('receipts', '--json')).stdout).receipts;
    const shown = DIALECTS[name]?.shown ?? [];
    const gates = receipts.filter(({ moment }) => moment === 'first-tool').map(({ proof }) => proof);
    expect(gates).toContain(shown.includes(DIALECTS[name]?.gate ?? 'post-tool') ? 'served' : 'placed');
  });

interface Listed {
  readonly moment: string;
  readonly proof: string;
}

async function goOn(of: RealField, prompt: string): Promise<void> {
  const { agent } = of.recipe;
  const [first = '', ...rest] = of.scratch.oneshotArgs(prompt);
  const inside = GO_ON_IN[agent];
  const before = inside === undefined ? (GO_ON[agent] ?? ['--continue']) : [];
  const ran = await of.started([...before, first, ...(inside ?? []), ...(VOUCHED[agent] ?? []), ...rest]);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
}
