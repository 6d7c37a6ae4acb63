// The helper looks at a copy of the work and proposes commands. What it changes decides nothing, and what it read and answered is
// in the history.

import { afterEach, expect } from 'vitest';
import { findSandbox } from '../../src/runs/sandboxes/index.ts';
import { runProcess } from '../../src/system/processes/run-process.ts';
import { everything } from '../checkouts/field.ts';
import { testUnless } from '../skipping.ts';
import { type Field, makeField } from './field.ts';

let field: Field;
afterEach(() => field.remove());

const TASK = {
  task_id: 'a',
  intent: 'Make a',
  instructions: `do: ${JSON.stringify([['write', 'other.txt', 'not what was asked for']])}`,
  acceptance_criteria: ['done.txt is there'],
  retry_policy: { max_retries: 0 },
};
/** Criteria without a check need a sandbox. */
const { kind } = await findSandbox({
  level: 'auto',
  readOnly: [],
  run: runProcess,
  searchPath: '/usr/bin:/bin:/usr/sbin:/sbin',
  workTree: import.meta.dirname,
});
const sandboxed = testUnless(kind === 'missing' ? 'there is no sandbox' : undefined);

function withHelper(command: string, own?: string, retries = 0): void {
  const helper = ['helps', command, ...(own === undefined ? [] : [own])];
  field = makeField({
    agents: { first: ['follows'], helper },
    tasks: [{ ...TASK, retry_policy: { max_retries: retries } }],
    // In a box a helper cannot reach what is outside of its copy.
    settings: { helper: 'helper', lineup: ['first'], run: { confine: 'off' } },
  });
}

const lastVerdict = async () => (await field.attempts('a')).at(-1)?.verdict;

sandboxed('a helper that does the work itself does not make it pass', async () => {
  withHelper('test -f done.txt', 'touch done.txt "$NAMED/done.txt"');
  const before = everything(field.project, /^\.git(\/|$)/);
  expect((await field.run()).status).toBe(1);
  expect(await field.statuses()).toEqual({ a: 'needs-review' });
  expect((await lastVerdict())?.results).toContainEqual({
    criterion: 'done.txt is there',
    outcome: 'not-run',
    by: 'none',
    detail: 'the helper changed files, so what it proposed does not count: done.txt',
  });
  expect(everything(field.project, /^\.git(\/|$)/)).toEqual(before);
});

sandboxed('a helper that writes into the checkout of the work decides nothing either', async () => {
  withHelper('test -f done.txt', 'for tree in ../../*/tree; do touch "$tree/done.txt"; done; rm -f done.txt');
  await field.run();
  expect(await field.statuses()).toEqual({ a: 'needs-review' });
  expect((await lastVerdict())?.results.at(-1)?.detail).toContain('the helper changed files');
});

sandboxed('a helper reads the work in a copy, and its commands decide', async () => {
  withHelper('test -f other.txt');
  expect((await field.run()).status).toBe(0);
  const [worker, helper] = field.prompts();
  expect(helper?.prompt).toContain(`Directory: ${helper?.cwd}`);
  expect(helper?.cwd).not.toBe(worker?.cwd);
  expect(field.onBranch('other.txt')).toBe('not what was asked for');
});

sandboxed('what the helper read and answered is in the history, and its hand-over is counted', async () => {
  withHelper('test -f done.txt', ':', 1);
  expect((await field.run()).status).toBe(1);
  const verdict = await lastVerdict();
  expect(verdict?.helper).toEqual({
    agent: 'helper',
    asked: [
      { prompt: field.prompts().at(-1)?.prompt, answer: expect.stringContaining('"command":"test -f done.txt"') },
    ],
  });
  const { stdout } = await field.command('metrics');
  expect(stdout).toContain('context_injection_count{type="helper"} 1');
  expect((await field.command('history', 'a')).stdout).toContain('  helper: helper, asked once: foreword history ');
  const shown = (await field.command('history', 'a', '--prompt')).stdout;
  expect(shown).toContain('prompt of the helper helper ===\n');
  expect(shown).toContain('"command":"test -f done.txt"');
});

sandboxed('an agent that has a command for reading only is asked with it', async () => {
  withHelper('test -f other.txt');
  field.change('helper', ({ oneshot }) => {
    const { command } = oneshot as { command: string[] };
    const writing = command.map((word) => (word === 'helps' ? 'crashes' : word));
    return { oneshot: { ...oneshot, readOnly: command, command: writing } };
  });
  expect((await field.run()).status).toBe(0);
});
