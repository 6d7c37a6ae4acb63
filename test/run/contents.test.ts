// To see what an attempt changed, contents of files are kept while a run goes on. Nothing of them is left afterwards.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const CONTENT = 'a line that only the work tree may have 4711';

let field: Field;
afterEach(() => field.remove());

/** Files in the person's state folder that have the content in them. Objects are written uncompressed. */
function copies(): readonly string[] {
  const state = join(field.folder, '.local/state/foreword');
  return readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(state, name);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path).includes(CONTENT);
  });
}

function plant(agents: Record<string, readonly string[]>): void {
  field = makeField({ agents, tasks: [fileTask('a'), fileTask('b')] });
  writeFileSync(join(field.project, 'draft.txt'), `${CONTENT}\n`);
}

async function killInTheMiddle(...more: string[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...field.args, ...more], {
    cwd: field.project,
    env: { PATH: process.env.PATH ?? '', HOME: field.folder },
    stdio: 'ignore',
  });
  await vi.waitFor(() => expect(field.ledger().length).toBeGreaterThan(0), { timeout: 20_000 });
  child.kill('SIGKILL');
  await once(child, 'close');
}

test.each(['1', '2'])('a run that ends leaves no contents of files behind (%s at once)', async (concurrency) => {
  plant({ alpha: ['works'] });
  expect((await field.run('--concurrency', concurrency)).status).toBe(0);
  expect(copies()).toEqual([]);
});

test('what a killed run left is gone after the next one, which goes on from it', async () => {
  plant({ alpha: ['works', '3000'] });
  await killInTheMiddle();
  expect(copies()).not.toEqual([]);
  field.change('alpha', (described) => ({
    ...described,
    oneshot: { ...described.oneshot, command: (described.oneshot as { command: string[] }).command.slice(0, -1) },
  }));
  expect((await field.run()).status).toBe(0);
  expect(copies()).toEqual([]);
});

test.each(['1', '2'])('what a killed run left is gone after "foreword clean" (%s at once)', async (concurrency) => {
  plant({ alpha: ['hangs'] });
  await killInTheMiddle('--concurrency', concurrency);
  expect(copies().filter((name) => !/worktree\/[0-9a-f]+\/draft\.txt$/.test(name))).not.toEqual([]);
  const { status, stdout } = await field.command('clean');
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/observer: deleted/) });
  // A worktree is the agent's work, not ours to delete.
  expect(copies().filter((name) => !/worktree\/[0-9a-f]+\/draft\.txt$/.test(name))).toEqual([]);
  expect((await field.command('clean')).stdout).toBe('Nothing to clean.\n');
});
