// Sessions that the real agents made with the hooks of `foreword init`: `foreword audit` counts them and finds nothing wrong.

import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { LabCall } from '../../src/kernel/agent-lab.ts';
import type { Audited } from '../../src/verify/audit/audit.ts';
import { IS_LONG } from '../scale.ts';
import { calling, RealField } from './field.ts';
import { eachAgent } from './offered.ts';

const VOUCHED: Readonly<Record<string, readonly string[]>> = { codex: ['--dangerously-bypass-hook-trust'] };
/** What hooks print at a start goes into its system prompt, of which it keeps nothing. */
const KEEPS_NO_START = ['qwen'];
const SESSIONS = IS_LONG ? 30 : 2;

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent(`%s: ${SESSIONS} clean sessions have no finding, and their figures are right`, async (name) => {
  const of = await RealField.make(name);
  field = of;
  await of.must('init', '--yes', '--agents', name);
  for (let session = 0; session < SESSIONS; session += 1) {
    of.next(
      calling(of.recipe.commandCall('echo one')),
      calling(of.recipe.commandCall('echo two')),
      calling(editOf(of, `made-${session}.txt`)),
    );
    const ran = await of.oneshot(`Make the file ${session}.`, VOUCHED[name]);
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  }
  const { groups, findings }: Audited = JSON.parse((await of.must('audit', name, '--json')).stdout);
  // Nobody agreed to them in a terminal: the test vouches for them.
  expect(findings.filter(({ kind }) => name !== 'codex' || kind !== 'untrusted')).toEqual([]);
  expect(groups).toMatchObject([{ agent: name, sessions: SESSIONS, prompts: SESSIONS, actions: 3 * SESSIONS }]);
  expect(groups[0]?.edits).toBe(SESSIONS);
  expect(groups[0]?.served).toBeGreaterThanOrEqual(KEEPS_NO_START.includes(name) ? 0 : SESSIONS);
  expect(groups[0]?.reorientation.start).toMatchObject({
    beginnings: SESSIONS,
    edited: SESSIONS,
    actions: { median: 2 },
  });
});

function editOf({ recipe, scratch }: RealField, file: string): LabCall {
  return recipe.editCall?.(file, 'made') ?? recipe.fileCall(join(scratch.project, file), 'made');
}
