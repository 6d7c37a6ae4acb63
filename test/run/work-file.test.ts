// What a work file brings, and which files are refused. Nothing of a refused file is kept.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTar, type TarPart, writeTar } from '../../src/system/files/tar.ts';
import { longTest } from '../long.ts';
import type { Field } from './field.ts';
import { commit, type Job, landed, newJob, pipelineField } from './jobs.ts';

const PARTS = ['foreword-work.json', 'records.jsonl', 'work.bundle'];
let field: Field;
let first: Job;
/** Of a run that was killed in its second task. */
let work = '';
beforeAll(async () => {
  field = pipelineField();
  work = join(field.folder, 'work.tar');
  first = newJob(field);
  expect(await first.command('run', 'tasks.json', '--only', 'a')).toMatchObject({ status: 0 });
  const isDone = first.killedRun(60_000);
  for (let tries = 0; tries < 600 && !field.ledger().some(({ task }) => task === 'b'); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  first.kill();
  expect(await isDone).toBe(false);
  expect(await first.command('export', '--work', work)).toMatchObject({ status: 0, stderr: '' });
}, 120_000);
afterAll(() => field.remove());

/** The file with some of its parts changed. */
function changed(change: Readonly<Record<string, (bytes: Buffer) => Buffer | string>>): string {
  const tar = openTar(work, PARTS, 'work.tar');
  const parts = PARTS.map((name): TarPart => {
    const bytes = tar.read(name, 1 << 30);
    return { name, content: Buffer.from(change[name]?.(bytes) ?? bytes) };
  });
  tar.close();
  const file = join(field.folder, 'changed.tar');
  writeTar(file, parts);
  return file;
}

const replace = (from: string | RegExp, to: string) => (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');

async function refused(job: Job, file: string): Promise<string> {
  const { status, stderr } = await job.command('import', file);
  expect([status, stderr]).toEqual([expect.toSatisfy((code) => code === 1 || code === 2), expect.any(String)]);
  return stderr;
}

test('another clone goes on: same run and branch, the next attempt, a hand-over that names the end of the last', async () => {
  const job = newJob(field);
  const taken = await job.command('import', work);
  expect(taken).toMatchObject({ status: 0, stderr: '' });
  const branch = first.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/foreword/');
  expect(job.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/foreword/')).toBe(branch);
  const run = /refs\/heads\/foreword\/(\S+)/.exec(branch)?.[1] ?? '';
  expect(taken.stdout).toContain(`Run ${run} goes on with: foreword run tasks.json\n`);
  // A second time changes nothing.
  expect((await job.command('import', work)).stdout).toMatch(/^0 record\(s\) added/);
  expect((await job.command('diff', 'a')).stdout).toContain('+done');
  expect((await job.command('diff', 'a', '--attempt', '1')).stdout).toContain('+wrong');
  const starts = field.ledger().length;
  expect(await job.command('run', 'tasks.json')).toMatchObject({ status: 0, stderr: '' });
  expect(landed(job)).toEqual(['a', 'b', 'c']);
  const { a, b } = await job.attempts();
  expect(a).toHaveLength(2);
  expect(b?.map(({ exitReason = 'none' }) => exitReason)).toEqual(['interrupted', 'validation_failure', 'none']);
  expect(
    field
      .ledger()
      .slice(starts)
      .map(({ task }) => task),
  ).toEqual(['b', 'b', 'c', 'c']);
  expect(b?.[1]?.preContext).toContain('attempt 1 ended early: interrupted');
  expect(await refused(job, work)).toContain('task b has 3 attempt(s) here and 0 in the file');
  expect((await job.command('undo', 'c')).status).toBe(0);
});

test('git and tar read it', () => {
  const bundle = join(field.folder, 'work.bundle');
  writeFileSync(bundle, execFileSync('tar', ['-xOf', work, 'work.bundle']));
  const job = newJob(field);
  expect(job.git('bundle', 'verify', bundle)).toMatch(/is okay|contains/);
  job.git('fetch', '-q', bundle, 'refs/heads/foreword/*:refs/heads/mine/*');
  expect(job.git('log', '-1', '--format=%s', '--branches=mine/*')).toBe('Make a');
  expect(readFileSync(bundle).length).toBeLessThan(20_000);
});

longTest('a job on a shallow clone goes on, and names the commit that it lacks', async () => {
  const same = newJob(field, '--depth', '1');
  expect(await same.command('import', work)).toMatchObject({ status: 0, stderr: '' });
  expect((await same.command('run', 'tasks.json', '--only', 'b')).status).toBe(0);
  const base = field.git('rev-parse', 'HEAD');
  writeFileSync(join(field.project, 'more.txt'), 'more\n');
  commit(field, 'more');
  const later = newJob(field, '--depth', '1');
  const stderr = await refused(later, work);
  expect(stderr).toContain(`its run began at commit ${base}, which is not here`);
  expect(stderr).toContain(`git fetch origin ${base}`);
  later.git('fetch', '-q', 'origin', base);
  expect(await later.command('import', work)).toMatchObject({ status: 0, stderr: '' });
  field.git('reset', '-q', '--hard', base);
});

test('files that are no work file, cut off, of another version or another project are refused, and nothing is kept', async () => {
  const job = newJob(field);
  const whole = readFileSync(work);
  const cut = join(field.folder, 'cut.tar');
  writeFileSync(cut, whole.subarray(0, whole.length / 2));
  expect(await refused(job, cut)).toContain('it is cut off');
  execFileSync('tar', ['-cf', cut, '-C', field.project, 'readme.txt']);
  expect(await refused(job, cut)).toContain('it has something else than foreword-work.json');
  const newer = changed({ 'foreword-work.json': replace('"foreword_work": 1', '"foreword_work": 2') });
  expect(await refused(job, newer)).toContain('Update foreword here');
  const other = changed({ 'foreword-work.json': replace(/"[0-9a-f]{40}"/, `"${'a'.repeat(40)}"`) });
  expect(await refused(job, other)).toContain('it is of another project');
  const lines = changed({ 'records.jsonl': replace(/\n.*\n$/, '\n') });
  expect(await refused(job, lines)).toContain('it may be cut off');
  const pack = changed({ 'work.bundle': (bytes) => bytes.subarray(0, bytes.length - 30) });
  expect(await refused(job, pack)).toMatch(/index-pack" failed/);
  expect(await refused(job, join(field.folder, 'none.tar'))).toContain('none.tar cannot be read');
  expect(job.git('for-each-ref', 'refs/heads/foreword/', 'refs/foreword/')).toBe('');
  expect((await job.command('status', '--json')).stdout).not.toContain('"task_id"');
});

test('refs of others, records that no commit bears out, and objects that git refuses do not come in', async () => {
  const job = newJob(field);
  const outside = changed({ 'work.bundle': replace(/refs\/foreword\/\S+\/tip/, 'refs/heads/main') });
  expect(await refused(job, outside)).toContain('its ref refs/heads/main is of no run in it');
  const above = changed({ 'work.bundle': replace(/(refs\/foreword\/[^/]+)\/tip/, '$1/../../x') });
  expect(await refused(job, above)).toContain('is of no run in it');
  const missing = changed({ 'work.bundle': replace(/[0-9a-f]{40} (refs\/heads\/foreword)/, `${'a'.repeat(40)} $1`) });
  expect(await refused(job, missing)).toContain('has no commit');
  expect(job.git('for-each-ref', 'refs/heads/foreword/', 'refs/foreword/')).toBe('');
  // Somebody says that all is done.
  const claims = changed({
    'records.jsonl': (bytes) =>
      bytes
        .toString()
        .split('\n')
        .map((line) =>
          line.startsWith('{"kind":"task"') && line.includes('"task_id":"b"')
            ? line.replace('"status":"running"', `"status":"completed","by":"person","commit":"${'c'.repeat(40)}"`)
            : line,
        )
        .join('\n'),
  });
  expect(await job.command('import', claims)).toMatchObject({ status: 0 });
  expect((await job.command('run', 'tasks.json', '--only', 'b')).status).toBe(0);
  expect(landed(job)).toEqual(['a', 'b']);
});

test('uncommitted files that the run began with come along', async () => {
  const from = newJob(field);
  writeFileSync(join(from.clone, 'readme.txt'), 'changed and not committed\n');
  const run = ['run', 'tasks.json', '--base', 'working', '--only'];
  expect(await from.command(...run, 'a')).toMatchObject({ status: 0 });
  const file = join(field.folder, 'working.tar');
  await from.command('export', '--work', file);
  const to = newJob(field);
  expect(await to.command('import', file)).toMatchObject({ status: 0, stderr: '' });
  expect(await to.command(...run, 'b')).toMatchObject({ status: 0 });
  expect(landed(to)).toEqual(['a', 'b']);
  expect(to.git('show', 'HEAD:readme.txt')).toBe('a project');
});

test('work whose checks were cut off is checked in the next job, and its agent not paid again', async () => {
  const fast = join(field.folder, 'fast');
  const check = { command: ['sh', '-c', `grep -q done d.txt || exit 1; test -e '${fast}' || sleep 20`] };
  const task = {
    task_id: 'd',
    intent: 'Make d',
    instructions: 'do: [["write","d.txt","done\\n"]]',
    acceptance_criteria: [{ text: 'it is done', check }],
  };
  writeFileSync(join(field.project, 'slow.json'), JSON.stringify([task]));
  commit(field, 'slow');
  const from = newJob(field);
  const isDone = from.killedRun(60_000, 'slow.json');
  const hasEnded = async () => (await from.command('export')).stdout.includes('"ended":');
  for (let tries = 0; tries < 100 && !(await hasEnded()); tries += 1);
  from.kill();
  expect(await isDone).toBe(false);
  const file = join(field.folder, 'slow.tar');
  await from.command('export', '--work', file);
  writeFileSync(fast, '');
  const to = newJob(field);
  expect(await to.command('import', file)).toMatchObject({ status: 0, stderr: '' });
  expect(await to.command('run', 'slow.json')).toMatchObject({ status: 0, stderr: '' });
  expect(field.ledger().filter(({ task: id }) => id === 'd')).toHaveLength(1);
  expect(landed(to)).toEqual(['d']);
  field.git('reset', '-q', '--hard', 'HEAD~1');
});

test('an export before any run is a file that can be imported; one that cannot be written leaves the old one', async () => {
  const job = newJob(field);
  const file = join(job.clone, '..', 'empty.tar');
  const { status, stdout } = await job.command('export', '--work', file, '--json');
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    { file, records: expect.any(Number), runs: [], attempts: 0, bytes: expect.any(Number) },
  ]);
  expect((await newJob(field).command('import', file)).status).toBe(0);
  expect(await job.command('export', '--work', join(job.clone, 'no/such/x.tar'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Name a file in a folder that is there'),
  });
  expect((await job.command('export', '--work', '-')).status).toBe(2);
  expect(existsSync(file)).toBe(true);
  rmSync(file);
});
