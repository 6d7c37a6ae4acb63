import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isTarHead, openTar, writeTar } from './tar.ts';

let folder = '';
let file = '';
const NAMES = ['one', 'two', 'three'];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-tar-'));
  file = join(folder, 'x.tar');
  writeFileSync(join(folder, 'long'), Buffer.alloc(3_000_000, 'x'));
  writeTar(file, [
    { name: 'one', content: Buffer.from('first') },
    { name: 'two', content: { path: join(folder, 'long') } },
  ]);
});
afterEach(() => rmSync(folder, { recursive: true }));

const refusal = (bytes: Uint8Array, names = NAMES) => {
  writeFileSync(file, bytes);
  try {
    openTar(file, names, 'x.tar').close();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

test('what was written is read, by tar too', async () => {
  const tar = openTar(file, NAMES, 'x.tar');
  expect(tar.read('one', 5).toString()).toBe('first');
  expect(() => tar.read('one', 4)).toThrow('its one is longer than 4 bytes');
  expect(tar.part('three')).toBeUndefined();
  const two = tar.part('two');
  let size = 0;
  if (two !== undefined) for await (const piece of tar.stream(two)) size += (piece as Buffer).length;
  expect(size).toBe(3_000_000);
  tar.close();
  expect(execFileSync('tar', ['-tf', file], { encoding: 'utf8' })).toBe('one\ntwo\n');
  expect(execFileSync('tar', ['-xOf', file, 'one'], { encoding: 'utf8' })).toBe('first');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(isTarHead(readFileSync(file).subarray(0, 512))).toBe(true);
});

test('a file that is cut off anywhere is refused', () => {
  const whole = readFileSync(file);
  for (const length of [0, 1, 511, 512, 600, 1024, 1536, 2_000_000, whole.length - 1024, whole.length - 1])
    expect(refusal(whole.subarray(0, length)), String(length)).toBe('Nothing was imported from x.tar: it is cut off.');
});

test('other names, links, bad sums and sizes, and what follows the end are refused', () => {
  const whole = readFileSync(file);
  const changed = (at: number, text: string) => {
    const copy = Buffer.from(whole);
    copy.write(text, at, 'latin1');
    return copy;
  };
  const other = 'Nothing was imported from x.tar: it has something else than one, two, three.';
  expect(refusal(changed(0, '../'))).toBe(other);
  expect(refusal(changed(156, '2'))).toBe(other);
  expect(refusal(changed(124, '77777777777'))).toBe(other);
  expect(refusal(changed(124, '-0000000005'))).toBe(other);
  expect(refusal(whole, ['two', 'one'])).toContain('something else');
  expect(refusal(Buffer.concat([whole, Buffer.from('x')]))).toContain('something follows its end');
  expect(refusal(whole)).toBeUndefined();
});
