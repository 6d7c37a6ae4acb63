import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { rootPlaces } from '../system/files/project-state.ts';
import { appendSpool, hasSpool, type SpoolEntry, takeSpool, watchSpool } from './spool.ts';
import { log, openState, sessionName } from './state.ts';

let folder: string;
let spool: string;
beforeEach(() => {
  folder = temporaryFolder('spool');
  ({ spool } = rootPlaces(folder, '/one'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (id: string): SpoolEntry => ({
  id,
  at: '2026-11-15T00:00:00.000Z',
  agent: 'claude',
  session: 's',
  kind: 'context-served',
  context: 'fw_a',
});
const ids = (root: string) => takeSpool(folder, root).entries.map(({ id }) => id);

test('what hooks recorded is taken over in order, by its own project only, and gone when it is stored', () => {
  appendSpool(folder, '/one', entry('a'));
  appendSpool(folder, '/two', entry('b'));
  appendSpool(folder, '/one', entry('c'));
  const one = takeSpool(folder, '/one');
  expect(one.entries.map(({ id }) => id)).toEqual(['a', 'c']);
  one.remove();
  expect(ids('/one')).toEqual([]);
  expect(ids('/two')).toEqual(['b']);
});

test('what was taken and never stored is taken up again after a minute', () => {
  appendSpool(folder, '/one', entry('a'));
  expect(ids('/one')).toEqual(['a']);
  expect(ids('/one')).toEqual([]);
  const [taken = ''] = readdirSync(spool);
  const old = taken.replace(/taken-\d+/, `taken-${Date.now() - 61_000}`);
  renameSync(join(spool, taken), join(spool, old));
  appendSpool(folder, '/one', entry('b'));
  const again = takeSpool(folder, '/one');
  expect(again.entries.map(({ id }) => id)).toEqual(['a', 'b']);
  again.remove();
  expect(readdirSync(spool)).toEqual([]);
});

test('lines that are none are passed over', () => {
  appendSpool(folder, '/one', entry('a'));
  const [name = ''] = readdirSync(spool);
  appendFileSync(join(spool, name), 'half a li\n[]\nnull\n');
  appendSpool(folder, '/one', entry('b'));
  expect(ids('/one')).toEqual(['a', 'b']);
});

test('a line that was torn takes no other with it', () => {
  appendSpool(folder, '/one', entry('a'));
  const [name = ''] = readdirSync(spool);
  appendFileSync(join(spool, name), '{"id":"torn","kind":"context-ser');
  appendSpool(folder, '/one', entry('b'));
  expect(ids('/one')).toEqual(['a', 'b']);
});

test('where nothing was recorded there is nothing', () => {
  expect(hasSpool(folder, '/one')).toBe(false);
  expect(ids('/one')).toEqual([]);
  appendSpool(folder, '/one', entry('a'));
  expect(hasSpool(folder, '/one')).toBe(true);
  expect(hasSpool(folder, '/two')).toBe(false);
});

test('a project is the same by each of its paths', () => {
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  appendSpool(folder, join(folder, 'link'), entry('a'));
  expect(ids(join(folder, 'real'))).toEqual(['a']);
});

test('the log begins anew at a megabyte and keeps the last one', () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'hook.log'), 'x'.repeat(1024 * 1024));
  expect(log(folder, 'one\nline\u001b', 0)).toBe(true);
  expect(existsSync(join(folder, 'hook.log'))).toBe(false);
  expect(log(folder, 'next', 0)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['hook.log', 'hook.log.1']);
});

test('names of sessions stay in their folder and differ when the ids do', () => {
  const odd = ['..', '.', '', '/', 'a/b', '../../x', 'a.b', '~a', 'x'.repeat(81), 'é', 'a\0b', 'a b'];
  const names = [...odd, 'plain', 'x'.repeat(80)].map((id) => sessionName(id, undefined));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^(~[0-9a-f]{32}|[A-Za-z0-9_-]{1,80})$/);
  expect(sessionName('a', 'b')).toBe('a.b');
  expect(sessionName('a', '../b')).toMatch(/^a\.~[0-9a-f]{32}$/);
});

test('the state folder is private, also when it was not', () => {
  mkdirSync(join(folder, 'foreword'), { mode: 0o755 });
  expect(openState({ XDG_STATE_HOME: folder })).toEqual({ kind: 'open', folder: join(folder, 'foreword') });
  expect(openState({ HOME: folder })).toEqual({ kind: 'open', folder: join(folder, '.local/state/foreword') });
  expect(openState({ XDG_STATE_HOME: 'relative', HOME: folder }).folder).toBe(join(folder, '.local/state/foreword'));
});

test('who only watches sees what waits, leaves it there, and has the same list while nothing is new', () => {
  const watch = watchSpool(folder, '/one');
  expect(watch()).toEqual([]);
  appendSpool(folder, '/one', entry('a'));
  const first = watch();
  expect(first.map(({ id }) => id)).toEqual(['a']);
  expect(watch()).toBe(first);
  appendSpool(folder, '/one', entry('b'));
  expect(watch().map(({ id }) => id)).toEqual(['a', 'b']);
  expect(ids('/one')).toEqual(['a', 'b']);
  expect(watch()).toEqual([]);
});
