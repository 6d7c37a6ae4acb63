// Every session saves itself: what one session did stands in the first request of the next one, whichever agent that is. The
// prompts of the person cross to another agent only after a yes.

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { LabCall } from '../../src/kernel/agent-lab.ts';
import { recipeFor } from '../../src/verify/lab/recipe.ts';
import { IS_LONG } from '../scale.ts';
import { AGENTS, calling, marksIn, RealField, timesGiven } from './field.ts';
import { eachAgent } from './offered.ts';

/** Codex runs a hook only once a person looked at it. */
const VOUCHED: Readonly<Record<string, readonly string[]>> = { codex: ['--dangerously-bypass-hook-trust'] };

const ROUNDS = IS_LONG ? 20 : 1;
const ASKED = 'Add the health route, and keep it small please.';

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

/** A model that does not know the agent's own tool for it applies a patch by a shell. */
function edit(name: string, project: string): LabCall {
  const path = join(project, 'src/health.ts');
  if (name !== 'codex') return (recipeFor(name) ?? expect.fail()).fileCall(path, 'export const health = 200;\n');
  const patch = '*** Begin Patch\n*** Add File: src/health.ts\n+export const health = 200;\n*** End Patch';
  return { tool: 'exec_command', input: { cmd: `apply_patch <<'EOP'\n${patch}\nEOP` } };
}

/** One session that edits a file, has a failing test and makes a commit. */
async function work(of: RealField): Promise<void> {
  const { project } = of.scratch;
  const { agent, commandCall } = of.recipe;
  of.next(
    calling(edit(agent, project)),
    calling(commandCall('npm test -- health; echo "expected 200 but got 404"; exit 1')),
    calling(
      commandCall(
        'git add readme.txt && git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m "begin the health route"',
      ),
    ),
    { kind: 'text', text: 'The route is there; its test fails.' },
  );
  const ran = await of.oneshot(ASKED, VOUCHED[agent]);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(existsSync(join(project, 'src/health.ts')), ran.stdout + ran.stderr).toBe(true);
  of.model.reset();
}

const FACTS = ['Edited: src/health.ts', 'Tests failing: `npm test -- health'];
/** Some agents name the last commits themselves, but not like this. Codex may not write to a repository. */
const factsOf = (name: string) => (name === 'codex' ? FACTS : [...FACTS, 'Commits:\n- ']);

for (let round = 1; round <= ROUNDS; round += 1)
  eachAgent(`%s is given in its first request what the session before did, time ${round}`, async (name) => {
    const of = await RealField.make(name);
    field = of;
    mkdirSync(join(of.scratch.project, 'src'));
    await of.must('init', '--yes', '--agents', name);
    await work(of);
    await of.oneshot('Good morning.', VOUCHED[name]);
    const [first] = of.turns();
    expect(marksIn(first, 'startup')).toHaveLength(1);
    const facts = factsOf(name);
    expect(facts.map((fact) => [fact, timesGiven(first, fact)])).toEqual(facts.map((fact) => [fact, 1]));
    expect(timesGiven(first, `"${ASKED}"`)).toBe(1);
    expect(timesGiven(first, 'The route is there')).toBe(0);
  });

const PAIRS: readonly (readonly [string, string])[] = [
  ['claude', 'codex'],
  ...(IS_LONG ? [['codex', 'gemini'] as const] : []),
];

for (let round = 1; round <= ROUNDS; round += 1)
  test.each(PAIRS.filter((pair) => pair.every((name) => AGENTS.includes(name))))(
    `what %s did is given to %s, and the prompts only after a yes, time ${round}`,
    async (one, other) => {
      const of = await RealField.make(one, [], { beside: [other] });
      field = of;
      mkdirSync(join(of.scratch.project, 'src'));
      await of.must('init', '--yes', '--agents', `${one},${other}`);
      await work(of);
      const next = of.beside(other);
      await next.oneshot('Good morning.', VOUCHED[other]);
      const facts = factsOf(one);
      const [first] = of.turns();
      expect(facts.map((fact) => [fact, timesGiven(first, fact)])).toEqual(facts.map((fact) => [fact, 1]));
      expect(timesGiven(first, ASKED)).toBe(0);
      of.model.reset();
      await next.oneshot('Good evening.', VOUCHED[other], { FOREWORD_CONTINUITY_ACROSS: 'true' });
      expect(timesGiven(of.turns()[0], `"${ASKED}"`)).toBe(1);
    },
  );
