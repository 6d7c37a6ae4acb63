// A hook that is ended at any moment: when it prints, or when it records that it did. Its text is never lost, and is printed again
// only when the hook was ended between the print and the rename that follows it.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Built, run } from './built.ts';
import type { Field } from './field.ts';
import { onStage } from './stage.ts';

let built: Built;
let field: Field;
let env: Record<string, string>;
onStage('killed', (stage) => {
  ({ built, field, env } = stage);
  // The machine may be busy: only this test ends hooks here.
  const speak = join(built.folder, 'foreword-speak');
  writeFileSync(speak, readFileSync(speak, 'utf8').replace('sleep 1.5', 'sleep 60'));
});

/** More than a hook takes from the moment when its text is ready. */
const MOST_STEPS = 30;

/** A Node that has time, and ends itself before the `step`-th of its changes of a file and writes to the agent, counted from where the text is
 *  ready; 0: never. */
function nodeThatEndsBefore(step: number): string {
  const preload = join(field.folder, 'ends.cjs');
  const program = join(field.folder, `node-${step}`);
  writeFileSync(
    preload,
    `const fs = require('node:fs');
    const wait = setTimeout;
    globalThis.setTimeout = (work, ms, ...args) => wait(work, ms * 40, ...args);
    let left = Number(process.env.ENDS_BEFORE);
    let isReady = false;
    for (const name of ['mkdirSync', 'writeSync', 'renameSync', 'rmSync']) {
      const real = fs[name];
      fs[name] = (...args) => {
        isReady ||= name === 'mkdirSync' && String(args[0]).includes('ready-');
        if (isReady && --left === 0) process.kill(process.pid, 'SIGKILL');
        return real(...args);
      };
    }`,
  );
  writeFileSync(program, `#!/bin/sh\nENDS_BEFORE=${step} exec '${process.execPath}' --require '${preload}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

/** How often it printed. */
async function prompt(session_id: string, node = nodeThatEndsBefore(0)): Promise<0 | 1> {
  const ran = await run([built.script], {
    cwd: field.root,
    env: { ...env, FOREWORD_NODE: node },
    args: ['prompt', 'codex'],
    input: [JSON.stringify({ session_id, cwd: field.root, prompt: 'go on' })],
  });
  expect(ran).toMatchObject({ status: 0, signal: null });
  if (ran.stdout === '') return 0;
  expect(JSON.parse(ran.stdout)).toHaveProperty('hookSpecificOutput');
  return 1;
}

/** How often the text was printed by the killed hook, and by the one after it. */
async function killedAt(step: number): Promise<string> {
  const before = field.log().length;
  const first = await prompt(`ses-${step}`, nodeThatEndsBefore(step));
  if (!field.log().slice(before).includes('ended with 137')) return 'not killed';
  return `${first} + ${await prompt(`ses-${step}`)}`;
}

test('a hook that is killed at any step does not lose its text, and says it twice only when killed right after the print', async () => {
  const seen: string[] = [];
  for (let step = 1; step <= MOST_STEPS; step += 1) {
    const trial = await killedAt(step);
    if (trial === 'not killed') break;
    seen.push(trial);
  }
  const renamed = seen.indexOf('1 + 0');
  expect(renamed).toBeGreaterThan(2);
  expect(seen.length).toBeGreaterThan(renamed + 2);
  const expected = (step: number) => (step < renamed - 1 ? '0 + 1' : step < renamed ? '1 + 1' : '1 + 0');
  expect(seen).toEqual(seen.map((_, step) => expected(step)));
  // Every text has its entry, those of killed hooks by the hook that came after them.
  const printed = field.journal().flatMap((entry) => (entry.kind === 'context-printed' ? [entry.context] : []));
  expect(new Set(printed).size).toBe(seen.length + 1);
});
