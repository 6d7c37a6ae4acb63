// Work that travels by git: two machines, each with its own clone and state, and one bare repository that decides.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCarrier } from '../../src/fleet/carrier.ts';
import { assertPushed, carriedRefs, remoteOf, removeCarried } from '../../src/fleet/carry.ts';
import { ForewordError } from '../../src/kernel/errors.ts';
import { refsOf } from '../../src/runs/checkouts/index.ts';
import type { Workplace } from '../../src/runs/workplaces/workplace.ts';
import type { Remote } from '../../src/system/git/remote.ts';
import { beginRun, type Machine, type Machines, makeMachines, OURS, SECRET, workOn } from './machines.ts';

let all: Machines;
let [one, two]: [Machine, Machine] = [] as never;
beforeEach(() => {
  all = makeMachines();
  [one, two] = [all.machine('one'), all.machine('two')];
});
afterEach(() => all.remove());

const NEW = { run: undefined, start: undefined, last: undefined };

async function land(place: Workplace, files: Readonly<Record<string, string | Uint8Array>>) {
  return place.land(await workOn(place, files), OURS);
}

test('a task that passed is one commit on the remote, and the next one on another machine begins with it', async () => {
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  expect(await land(a, { 'a.txt': 'a\n' })).toMatchObject({ kind: 'landed' });
  const b = await two.workplaces().open('b', NEW);
  expect(readFileSync(join(b.cwd, 'a.txt'), 'utf8')).toBe('a\n');
  expect(await land(b, { 'b.txt': 'b\n' })).toMatchObject({ kind: 'landed' });
  expect(all.ledger(run)).toEqual(['a', 'b']);
});

test('who loses the push has the work merged into what the other pushed, and must pass there before it lands', async () => {
  const run = await beginRun(one);
  const [a, b] = [await one.workplaces().open('a', NEW), await two.workplaces().open('b', NEW)];
  expect(await land(a, { 'a.txt': 'a\n' })).toMatchObject({ kind: 'landed' });
  const merged = await land(b, { 'b.txt': 'b\n' });
  expect(merged).toMatchObject({ kind: 'rebased' });
  expect(['a.txt', 'b.txt'].map((name) => existsSync(join(b.cwd, name)))).toEqual([true, true]);
  expect(all.ledger(run)).toEqual(['a']);
  expect(await land(b, {})).toMatchObject({ kind: 'landed' });
  expect(all.ledger(run)).toEqual(['a', 'b']);
});

test('work in conflict with what another machine pushed is not pushed', async () => {
  const run = await beginRun(one);
  const [a, b] = [await one.workplaces().open('a', NEW), await two.workplaces().open('b', NEW)];
  await land(a, { 'same.txt': 'of one\n' });
  expect(await land(b, { 'same.txt': 'of two\n' })).toEqual({ kind: 'conflict', paths: ['same.txt'] });
  expect(all.ledger(run)).toEqual(['a']);
});

test('two machines that both believe to own a task make one commit of it', async () => {
  const run = await beginRun(one);
  const [mine, theirs] = [await one.workplaces().open('a', NEW), await two.workplaces().open('a', NEW)];
  const [first, second] = await Promise.all([
    land(mine, { 'a.txt': 'of one\n' }),
    land(theirs, { 'a.txt': 'of two\n' }),
  ]);
  expect(first).toEqual(second);
  expect(all.ledger(run)).toEqual(['a']);
});

test('a task whose owner died after its push is found on the branch by the next one, wherever that begins', async () => {
  await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  const landed = await land(a, { 'a.txt': 'a\n' });
  const again = await two.workplaces().open('a', NEW);
  expect(await again.onLedger()).toBe(landed.kind === 'landed' ? landed.commit : '');
  expect(await again.landed()).toBe(await again.onLedger());
});

test('nothing is pushed for a claim that was lost', async () => {
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  const lost = () => Promise.reject(new Error('lost'));
  await expect(workOn(a, { 'a.txt': 'a\n' }).then((work) => a.land(work, lost))).rejects.toThrow('lost');
  expect(all.ledger(run)).toEqual([]);
});

test('an attempt goes on on another machine where the last one left it', async () => {
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  const { after, at } = await workOn(a, { 'half.txt': 'half\n' });
  const commit = await a.keep({ attempt: 1, agent: 'first', after, at });
  const there = await two.workplaces().open('a', { run, start: a.start(), last: commit });
  expect(there.isFresh).toBe(false);
  expect(readFileSync(join(there.cwd, 'half.txt'), 'utf8')).toBe('half\n');
});

test('the work of an attempt whose claim was lost is kept under a ref of its own', async () => {
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  const { after, at } = await workOn(a, { 'a.txt': 'a\n' });
  const kept = { attempt: 1, agent: 'first', after, at };
  await a.keep(kept);
  await a.keep({ ...kept, lost: 7 });
  const { attempt } = refsOf(run);
  const refs = all.shared.run('for-each-ref', '--format=%(refname)', 'refs/foreword/').split('\n');
  expect(refs).toEqual([attempt('a', 1), `${attempt('a', 1)}-lost-7`]);
});

test('an attempt that another machine pushed first is replaced, and what is not known to be there has a reason', async () => {
  const run = await beginRun(one);
  const { own } = await one.source();
  const remote = await remoteOf(await one.source(), 'origin');
  const [start, ref] = [one.clone.run('rev-parse', 'HEAD'), refsOf(run).attempt('a', 1)];
  const commitOf = (text: string) => one.clone.run('commit-tree', `${start}^{tree}`, '-p', start, '-m', text);
  const [mine, theirs] = [commitOf('mine'), commitOf('theirs')];
  const keep = (parts: Partial<Remote>) =>
    openCarrier({ own, remote: { ...remote, ...parts }, hasSecret: () => false }).keep(ref, { commit: mine, start });
  const moved = async () => ({ kind: 'moved' }) as const;
  await remote.push([{ ref, from: null, to: theirs }]);
  const away = () => Promise.reject(new ForewordError('bad-input', 'it is away'));
  expect(await keep({ list: away })).toBe('the remote origin has another commit there, and could not be asked which');
  expect(await keep({ list: async () => new Map() })).toContain('could not be asked which');
  expect(await keep({ push: moved })).toBe('another machine pushed it at the same time');
  expect(await keep({})).toBeUndefined();
  expect(all.shared.run('rev-parse', ref)).toBe(mine);
  expect(await keep({})).toBeUndefined();
});

test('a remote that refuses now and then gets the work all the same', async () => {
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  all.hook(`f=${join(all.folder, 'once')}; test -e $f || { touch $f; echo "not now" >&2; exit 1; }`);
  expect(await land(a, { 'a.txt': 'a\n' })).toMatchObject({ kind: 'landed' });
  expect(all.ledger(run)).toEqual(['a']);
});

test('a known secret stays on this machine, and the file is named', async () => {
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  expect(await land(a, { 'key.txt': `password=${SECRET}\n` })).toEqual({
    kind: 'refused',
    reason: 'key.txt holds a known secret, so it was not pushed',
  });
  const { after, at } = await workOn(a, {});
  await a.keep({ attempt: 1, agent: 'first', after, at });
  expect(all.shared.run('for-each-ref', '--format=%(refname)')).toBe(`refs/heads/foreword/${run}\nrefs/heads/main`);
});

const LINE = `password=${SECRET}\n`;
const SPREAD = Array.from({ length: 300_000 }, (_, index) => (index * 193) % 256);

test.each<[string, string, string | Uint8Array]>([
  ['a file with NUL', 'a.pyc', `\u0000\u0001${LINE}`],
  ['text in UTF-16', 'notes.txt', Buffer.from(`\ufeffa\r\n${LINE}`, 'utf16le')],
  ['text in UTF-16, high byte first', 'notes.txt', Buffer.from(`a\n${LINE}`, 'utf16le').swap16()],
  ['a large binary file', 'a.bin', Buffer.from([...SPREAD, ...Buffer.from(LINE), ...SPREAD])],
  ['a line that looks like a header of a diff', 'a.txt', `++ ${LINE}`],
  ['a line that looks like the next file of a diff', 'a.txt', `a\rdiff --git ${LINE}`],
  ['a file with blanks in its name', 'a b/c.txt', LINE],
])('a known secret in %s is not pushed', async (_, path, content) => {
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  expect(await land(a, { [path]: content })).toMatchObject({
    reason: `${path} holds a known secret, so it was not pushed`,
  });
  expect(all.ledger(run)).toEqual([]);
});

test('binary files without a secret are pushed, and a secret that the remote has already is no reason', async () => {
  one.clone.write('old.bin', `\u0000${LINE}a\n`);
  one.clone.commit();
  one.clone.run('push', '--quiet', 'origin', 'HEAD:main');
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  const files = { 'a.bin': Buffer.from(SPREAD), 'old.bin': `\u0000${LINE}b\n` };
  expect(await land(a, files)).toMatchObject({ kind: 'landed' });
  expect(all.ledger(run)).toEqual(['a']);
});

test('a base that the remote has not is refused, and what others pushed meanwhile is looked at', async () => {
  const remote = await remoteOf(await one.source(), 'origin');
  const { own } = await one.source();
  two.clone.write('b.txt', 'b\n');
  const pushed = two.clone.commit();
  two.clone.run('push', '--quiet', 'origin', 'HEAD:main');
  await assertPushed(own, remote, pushed);
  one.clone.write('a.txt', 'a\n');
  const unpushed = one.clone.commit();
  await expect(assertPushed(own, remote, unpushed)).rejects.toThrow(/No branch of the remote origin has the commit/);
});

test('a clone without the remote is refused with the cure', async () => {
  await expect(remoteOf(await one.source(), 'upstream')).rejects.toMatchObject({
    message: expect.stringContaining('This clone has no remote "upstream"'),
    hint: expect.stringContaining('git remote add upstream URL'),
  });
});

test('everything of a run is removed from the remote, and nothing else', async () => {
  const run = await beginRun(one);
  const a = await one.workplaces().open('a', NEW);
  const { after, at } = await workOn(a, { 'a.txt': 'a\n' });
  await a.keep({ attempt: 1, agent: 'first', after, at });
  const remote = await remoteOf(await one.source(), 'origin');
  const carried = await carriedRefs(remote);
  expect([...carried.keys()]).toEqual([run]);
  expect(await removeCarried(remote, carried.get(run) ?? new Map())).toBeUndefined();
  expect(all.shared.run('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});

test('a worker gets nothing of the run into its own repository', async () => {
  await beginRun(one);
  const before = two.clone.run('for-each-ref');
  await land(await two.workplaces().open('a', NEW), { 'a.txt': 'a\n' });
  await two.workplaces().end();
  expect(two.clone.run('for-each-ref')).toBe(before);
  expect(two.clone.run('status', '--porcelain')).toBe('');
});
