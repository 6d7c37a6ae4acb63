import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, hasState, ownStore, shop } from '../foreword.ts';

let project = '';

beforeEach(() => {
  project = shop();
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

const run = (...args: string[]) => foreword(args, { cwd: project });

test('an export imports into another store and exports the same again', async () => {
  await run('import', '.foreword/history.jsonl');
  await run('save', '--next', 'go on');
  const first = await run('export');
  writeFileSync(join(project, 'all.jsonl'), first.stdout);
  expect(await run('import', 'all.jsonl', '--store', 'other.db')).toMatchObject({ status: 0 });
  const second = await run('export', '--store', 'other.db');
  const without = (text: string) =>
    text
      .replaceAll(/,"(imported|writer)":(true|"[^"]*")/g, '')
      .split('\n')
      .filter((line) => !line.includes('"import-finished"') && !line.includes('foreword_export'));
  expect(without(second.stdout)).toEqual(without(first.stdout));
  expect((await run('import', 'all.jsonl')).stdout).toMatch(/^0 record\(s\) added/);
});

test('a cut or wrong export is refused whole, with every fault, and no store is made', async () => {
  const lines = readFileSync(join(project, '.foreword/history.jsonl'), 'utf8').trimEnd().split('\n');
  writeFileSync(join(project, 'cut.jsonl'), lines.slice(0, 4).join('\n'));
  expect((await run('import', 'cut.jsonl')).stderr).toContain('cut off');
  const bad = [lines[0], lines[1]?.replace('completed', 'done'), '{"kind":"nothing"}', 'not json'].join('\n');
  writeFileSync(join(project, 'bad.jsonl'), bad);
  const { status, stderr } = await run('import', 'bad.jsonl');
  expect(status).toBe(2);
  for (const line of ['bad.jsonl:2', 'bad.jsonl:3', 'bad.jsonl:4']) expect(stderr).toContain(line);
  expect(hasState(project)).toBe(false);
});

test('a damaged store is refused, and with --fresh set aside with a message', async () => {
  await run('save', '--next', 'go on');
  const file = ownStore(project);
  const bytes = Buffer.from('this is no database at all, but somebody may want it back');
  writeFileSync(file, bytes);
  rmSync(`${file}-wal`, { force: true });
  const refused = await run('save', '--next', 'again');
  expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('--fresh')]);
  expect(readFileSync(file)).toEqual(bytes);
  const { status, stderr } = await run('save', '--next', 'again', '--fresh');
  expect(status).toBe(0);
  const aside = /renamed to (\S+),/.exec(stderr)?.[1] ?? '';
  expect(readFileSync(aside.startsWith('/') ? aside : join(dirname(file), aside))).toEqual(bytes);
  const events = (await run('export')).stdout;
  expect(events).toContain('"kind":"store-set-aside"');
});

test('state.dump keeps a file for other tools, whole at every moment', async () => {
  writeFileSync(join(project, '.foreword/config.yaml'), 'state: { dump: true }\n');
  await run('import', '.foreword/history.jsonl');
  const state = JSON.parse(readFileSync(join(project, '.foreword/session-state.json'), 'utf8'));
  expect(state).toMatchObject({
    project: 'shop',
    recent_history: { length: 5 },
    active_blockers: [{ task_id: 'payments_live' }],
    running: [],
    breakers: {},
  });
  expect(Date.parse(state.updated_at)).toBeGreaterThan(0);
});

test('a dump that cannot be written never fails the work', async () => {
  writeFileSync(join(project, '.foreword/config.yaml'), 'state: { dump: true }\n');
  await run('save', '--next', 'x');
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(project, '.foreword/session-state.json'), { recursive: true });
  const { status, stderr } = await run('import', '.foreword/history.jsonl');
  expect(status).toBe(0);
  expect(stderr).toContain('session-state.json was not written');
  expect((await run('export')).stdout).toContain('"state-dump-failed"');
});

test('the store is private to its user', async () => {
  await run('save', '--next', 'x');
  expect(statSync(ownStore(project)).mode & 0o077).toBe(0);
});

test('an unknown kind of store and an unreachable server are told apart', async () => {
  expect(await run('context', '--store', 'mongodb://x')).toMatchObject({ status: 2 });
  const { status, stderr } = await run('context', '--store', 'redis://:hidden-password@127.0.0.1:1');
  expect(status).toBe(3);
  expect(stderr).not.toContain('hidden-password');
});

test('an old store file is imported from a copy, and what is imported is shown as such', async () => {
  await run('import', '.foreword/history.jsonl');
  await run('save', 'a note of before');
  const old = join(project, 'old.db');
  renameSync(ownStore(project), old);
  for (const end of ['-wal', '-shm']) rmSync(`${ownStore(project)}${end}`, { force: true });
  const bytes = readFileSync(old);
  const { status, stdout } = await run('import', 'old.db', '--json');
  expect(status).toBe(0);
  const counts = JSON.parse(stdout) as { added: number };
  expect(counts).toMatchObject({ kept: 0, left_out: [] });
  expect(counts.added).toBeGreaterThan(8);
  expect(readFileSync(old)).toEqual(bytes);
  expect((await run('load')).stdout).toMatch(/saved .* by person \S+@\S+, imported\)/);
  expect(JSON.parse((await run('load', '--json')).stdout)).toMatchObject({ continuity: { imported: true } });
  expect((await run('import', 'old.db')).stdout).toMatch(/^0 record\(s\) added/);
  await run('save', 'a note of now');
  expect((await run('load')).stdout).toMatch(/saved .* by person\)/);
  expect(JSON.parse((await run('load', '--json')).stdout).continuity).not.toHaveProperty('writer');
});

test('deep JSON in an import is refused with its line', async () => {
  writeFileSync(join(project, 'deep.jsonl'), `{"foreword_export":1}\n{"kind":${'['.repeat(100_000)}\n`);
  const { status, stderr } = await run('import', 'deep.jsonl');
  expect([status, stderr]).toEqual([2, expect.stringContaining('deep.jsonl:2: is nested deeper than 64 levels.')]);
});
