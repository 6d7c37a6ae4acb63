import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectPlaces, type RunPlaces, runPlaces } from '../../system/files/project-state.ts';
import { openLeases } from './lease.ts';

let folder: string;
let places: RunPlaces;
let alive: Set<string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-lease-'));
  places = runPlaces(projectPlaces(folder, `p${'0'.repeat(16)}`), join(folder, 'runs'), folder);
  alive = new Set(['one', 'two']);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const of = (name: string) => openLeases(places, { name, isAlive: (owner) => alive.has(owner) });
const number = (lease: { readonly places: { readonly folder: string } }) => lease.places.folder.split('/').at(-1);
const work = (task: string) => ({ run: 'r', task, start: 'c' });

test('no two tasks get the same checkout, and one that was given back is used again', async () => {
  const [one, two] = [of('one'), of('two')];
  const taken = await Promise.all([one.take(work('a')), one.take(work('b')), two.take(work('c')), two.take(work('d'))]);
  expect(taken.map(number).toSorted()).toEqual(['1', '2', '3', '4']);
  taken[1]?.release();
  expect(number(await two.take(work('e')))).toBe(number(taken[1] ?? expect.fail()));
});

test('the checkout of a process that died is for the task that lies in it, and for no other while there are few', async () => {
  const lost = await of('one').take(work('a'));
  lost.write(work('a'));
  alive.delete('one');
  const two = of('two');
  expect(number(await two.take(work('b')))).toBe('2');
  const again = await two.take(work('a'));
  expect([number(again), again.work]).toEqual(['1', work('a')]);
});

test('a checkout that was being reset has no work in it', async () => {
  const lost = await of('one').take(work('a'));
  lost.write(work('a'));
  lost.write(undefined);
  alive.delete('one');
  expect((await of('two').take(work('a'))).work).toBeUndefined();
});
