// Which context files an agent read is counted, also when it named none of them: by a shell pattern.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { IS_LONG } from '../scale.ts';
import { AGENTS, CONTEXT_FILES, calling, RealField } from './field.ts';

/** Codex runs a hook only once a person looked at it. */
const VOUCHED: Readonly<Record<string, readonly string[]>> = { codex: ['--dangerously-bypass-hook-trust'] };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

/** A log in lines and a database; the others are looked at in the long run. */
const EVERYDAY = ['codex', 'opencode'];

test.each(AGENTS.filter((name) => IS_LONG || EVERYDAY.includes(name)))(
  '%s read every context file by a shell pattern, after the gate asked for it, and it is counted',
  async (name) => {
    field = await RealField.make(name);
    writeFileSync(join(field.scratch.project, '.foreword/config.yaml'), 'gate: { mode: directive }\n');
    await field.must('init', '--yes', '--agents', name);
    field.next(
      calling(field.recipe.commandCall('echo one')),
      calling(field.recipe.commandCall('cat .context/*.md')),
      calling(field.recipe.commandCall('echo two')),
    );
    const ran = await field.oneshot('Go on.', VOUCHED[name]);
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    const { compliance } = JSON.parse((await field.must('receipts', '--compliance', '--json')).stdout);
    expect(compliance).toMatchObject([
      {
        agent: name,
        mode: 'directive',
        served: 'served',
        read: Object.keys(CONTEXT_FILES).map((file) => `.context/${file}`),
        inTime: 'yes',
      },
    ]);
  },
);
