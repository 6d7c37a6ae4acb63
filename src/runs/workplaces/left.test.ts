import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectPlaces } from '../../system/files/project-state.ts';
import { leftCheckouts } from './left.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-left-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ID = `p${'1'.repeat(16)}`;
const look = () => ({ id: ID, store: '', index: '' });
const isAlive = (owner: string) => owner === 'alive';

test('counts the checkouts that nobody uses, and makes nothing', () => {
  expect(leftCheckouts({ look: () => undefined, folder }, isAlive)).toBe(0);
  expect(leftCheckouts({ look, folder }, isAlive)).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test('one in use, and one in which a task was cut off, do not count', () => {
  const work = { run: 'r', task: 't', start: '' };
  const leases = [{}, { owner: 'alive' }, { owner: 'dead' }, { owner: 'dead', work }, 'cut off'];
  leases.forEach((lease, index) => {
    const file = projectPlaces(folder, ID).checkout(index + 1).lease;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof lease === 'string' ? '{"own' : JSON.stringify(lease));
  });
  expect(leftCheckouts({ look, folder }, isAlive)).toBe(3);
});
