import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerName } from '../processes/owner.ts';
import { everybodyAtWork, whileAtWork } from './at-work.ts';
import { stateOf } from './open-state.ts';
import { projectPlaces } from './project-state.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-at-work-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('who works is known while they do, and not after, also when the work fails', async () => {
  const state = join(folder, 'state');
  const { atWork } = projectPlaces(state, stateOf(folder, state).toWrite().id);
  expect(everybodyAtWork(state)).toEqual([]);
  const by = { owner: ownerName(), what: 'foreword run' };
  const seen = await whileAtWork(atWork, by, async () => everybodyAtWork(state));
  expect(seen).toMatchObject([{ what: 'foreword run', root: folder, pid: process.pid }]);
  await expect(whileAtWork(atWork, by, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(everybodyAtWork(state)).toEqual([]);
});

test('the note of a process that is gone counts for nothing; one of another machine is shown with its file', async () => {
  const state = join(folder, 'state');
  const { atWork } = projectPlaces(state, stateOf(folder, state).toWrite().id);
  const [host, boot, , start, machine] = ownerName().split(' ');
  await whileAtWork(atWork, { owner: ownerName(), what: 'foreword run' }, async () => {
    const left = { owner: [host, boot, 4_194_304, start, machine].join(' '), what: 'foreword run' };
    writeFileSync(join(atWork, `${'0'.repeat(16)}.json`), JSON.stringify(left));
    const far = { owner: 'far b 1 1 m', what: 'foreword worker' };
    writeFileSync(join(atWork, `${'1'.repeat(16)}.json`), JSON.stringify(far));
    writeFileSync(join(atWork, `${'2'.repeat(16)}.json`), '{');
  });
  const file = join(atWork, `${'1'.repeat(16)}.json`);
  expect(everybodyAtWork(state)).toEqual([{ what: 'foreword worker', root: folder, pid: 1, elsewhere: 'far', file }]);
  await whileAtWork(atWork, { owner: ownerName(), what: 'foreword run' }, async () => undefined);
  expect(readdirSync(atWork)).toEqual([`${'1'.repeat(16)}.json`, `${'2'.repeat(16)}.json`]);
});
