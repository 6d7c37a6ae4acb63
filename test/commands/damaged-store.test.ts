// What commands do with a store that they cannot use: doctor and reading commands change nothing, run does not start over.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, shop } from '../foreword.ts';
import { everydayRows } from '../long.ts';

let root: string;
let file: string;
let open: Libsql.Database | undefined;
beforeEach(async () => {
  root = shop();
  file = join(root, 'kept.db');
});
afterEach(() => {
  open?.close();
  open = undefined;
  rmSync(dirname(root), { recursive: true, force: true });
});

const run = (...args: string[]) => foreword([...args, '--store', file], { cwd: root });

/** Each brings the store into a state. The file that `save` made is there, with our mark. */
const STATES: Readonly<Record<string, () => void>> = {
  healthy: () => undefined,
  'healthy and open with a log': () => {
    open = new Libsql(file);
    open.exec("PRAGMA journal_mode=WAL; INSERT INTO continuity (key, body) VALUES ('x', '{}')");
  },
  locked: () => {
    open = new Libsql(file);
    open.exec('BEGIN EXCLUSIVE');
  },
  missing: () => rmSync(file),
  empty: () => writeFileSync(file, ''),
  'damaged in its header': () => writeFileSync(file, damage(readFileSync(file), 100, 200)),
  'damaged in its records': () => writeFileSync(file, damage(readFileSync(file), 4096, readFileSync(file).length)),
  'without a table': () => change('DROP TABLE cleared'),
  newer: () => change('PRAGMA user_version=99'),
};
const UNUSABLE = ['damaged in its header', 'without a table', 'newer'];

test.each(Object.keys(STATES))('doctor changes nothing beside or in a store that is %s', async (state) => {
  await run('save', 'a note');
  STATES[state]?.();
  const before = contents(root);
  const { status, stdout } = await run('doctor');
  expect(contents(root)).toEqual(before);
  const isReported = state.startsWith('damaged') || UNUSABLE.includes(state);
  expect(stdout.includes('--fresh')).toBe(isReported);
  expect([0, 3]).toContain(status);
});

test.each(everydayRows(UNUSABLE, 0, 1))(
  'reading commands report a store that is %s, exit with 3 and leave it',
  async (state) => {
    await run('save', 'a note');
    STATES[state]?.();
    const before = contents(root);
    for (const command of [['status'], ['export'], ['load'], ['context'], ['history', 'x'], ['effect'], ['receipts']]) {
      const { status, stderr } = await run(...command);
      expect([command, status, stderr]).toEqual([command, 3, expect.stringContaining('--fresh')]);
    }
    expect(contents(root)).toEqual(before);
  },
);

test.each(everydayRows(UNUSABLE, 0))(
  'run does not start over on a store that is %s, but with --fresh it does',
  async (state) => {
    await run('save', 'a note');
    STATES[state]?.();
    const bytes = readFileSync(file);
    const refused = await run('run', '.foreword/tasks.yaml', '--dry-run');
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('--fresh')]);
    expect(readFileSync(file)).toEqual(bytes);
    const fresh = await run('save', 'a new note', '--fresh');
    expect([fresh.status, fresh.stderr]).toEqual([0, expect.stringContaining('It was renamed to')]);
    const [aside = ''] = readdirSync(root).filter((name) => /^kept\.db\.(corrupt|newer)[^/]*Z$/.test(name));
    expect(readFileSync(join(root, aside))).toEqual(bytes);
  },
);

function change(sql: string): void {
  const database = new Libsql(file);
  database.exec(sql);
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  database.close();
  for (const end of ['-wal', '-shm']) if (existsSync(file + end)) rmSync(file + end);
}

function damage(bytes: Buffer, from: number, to: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let index = from; index < to; index += 3) copy[index] = (copy[index] ?? 0) ^ 0xff;
  return copy;
}

/** Every entry below a folder, with what it holds. */
function contents(folder: string, base = ''): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, base)).sort()) {
    const path = join(base, name);
    const stat = lstatSync(join(folder, path));
    if (stat.isDirectory()) Object.assign(found, { [path]: 'folder' }, contents(folder, path));
    else if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(folder, path))}`;
    else
      found[path] = createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex');
  }
  return found;
}
