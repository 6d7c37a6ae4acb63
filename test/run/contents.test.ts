// A run keeps what agents did. What the person has not committed is no part of it, and checkouts can be removed at any time.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { everydayRows } from '../long.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const CONTENT = 'a line that only the work tree may have 4711';

let field: Field;
afterEach(() => field.remove());

/** Files in the person's state folder that have the content in them. Objects of snapshots are written uncompressed. */
const state = () => join(field.folder, '.local/state/foreword');
function copies(): readonly string[] {
  return readdirSync(state(), { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(state(), name);
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
    env: { PATH: process.env.PATH ?? '', HOME: field.folder, FOREWORD_CHECKOUTS: field.folder },
    stdio: 'ignore',
  });
  await vi.waitFor(() => expect(field.ledger().length).toBeGreaterThan(0), { timeout: 20_000 });
  child.kill('SIGKILL');
  await once(child, 'close');
}

const checkouts = () => {
  const projects = join(state(), 'projects');
  const [project = ''] = readdirSync(projects).filter((name) => /^p[0-9a-f]{16}$/.test(name));
  return readdirSync(join(projects, project, 'checkouts')).filter((name) => /^\d+$/.test(name));
};

test.each(everydayRows(['1', '2'], 1))(
  'a run copies nothing that is not committed, also when it is killed (%s at once)',
  async (concurrency) => {
    plant({ alpha: ['hangs'] });
    await killInTheMiddle('--concurrency', concurrency);
    expect(copies()).toEqual([]);
  },
);

test('"foreword clean" keeps what a run that was cut off goes on with, and removes the checkouts that nobody uses', async () => {
  plant({ alpha: ['works', '3000'] });
  await killInTheMiddle();
  expect(checkouts()).toEqual(['1']);
  const { status, stdout } = await field.command('clean');
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/checkouts\/1: kept: task a was cut off in it: foreword run goes on with it\.\n$/),
  });
  expect(checkouts()).toEqual(['1']);
  field.change('alpha', (described) => ({
    ...described,
    oneshot: { ...described.oneshot, command: (described.oneshot as { command: string[] }).command.slice(0, -1) },
  }));
  expect((await field.run()).status).toBe(0);
  expect(field.subjects().toSorted()).toEqual(['Make a', 'Make b']);
  expect((await field.command('clean', '--dry-run')).stdout).toMatch(/checkouts\/1: to be removed$/m);
  expect((await field.command('clean')).stdout).toMatch(/checkouts\/1: removed$/m);
  expect(checkouts()).toEqual([]);
  expect((await field.command('clean')).stdout).toBe('Nothing to clean.\n');
});
