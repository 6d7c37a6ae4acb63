import { chmodSync, existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import { checkoutsBase, placeCheckouts, removeCheckoutsElsewhere } from './checkouts-place.ts';

describe('checkouts lie', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['/home/you/.local/state/foreword', undefined, '/var/tmp/foreword-1000'],
    ['/home/you/state/foreword', undefined, undefined],
    ['/home/you/.local/state/foreword', '/big/disk', '/big/disk'],
    ['/home/you/.local/state/foreword', 'relative', '/var/tmp/foreword-1000'],
    ['/home/you/.local/state/foreword', '/home/you', undefined],
    ['/home/you/state/foreword', '/big/disk', '/big/disk'],
  ])('for the state folder %s and FOREWORD_CHECKOUTS %s in %s', (state, named, base) => {
    expect(checkoutsBase({ FOREWORD_CHECKOUTS: named }, state, 1000)).toBe(base);
  });
});

describe('the place of checkouts', () => {
  let top: string;
  let usual: string;
  let there: { base: string; id: string };

  beforeEach(() => {
    top = temporaryFolder('checkouts-place');
    usual = join(top, 'checkouts');
    there = { base: join(top, 'elsewhere'), id: 'p1' };
  });
  afterEach(() => rmSync(top, { recursive: true }));

  test('is made once, private, with a link to it', () => {
    const place = placeCheckouts(usual, there);
    expect(place).toBe(join(top, 'elsewhere/p1'));
    expect(readlinkSync(usual)).toBe(place);
    expect(placeCheckouts(usual, { ...there, base: join(top, 'another') })).toBe(place);
    expect(placeCheckouts(usual, { ...there, base: undefined })).toBe(place);
  });

  test('stays in the state folder when it was there', () => {
    mkdirSync(usual);
    expect(placeCheckouts(usual, there)).toBe(usual);
  });

  test('is made again when the system cleaned it away', () => {
    rmSync(placeCheckouts(usual, there), { recursive: true });
    const place = placeCheckouts(usual, there);
    expect(existsSync(place)).toBe(true);
  });

  test.each<[string, (path: string) => void]>([
    ['a link', (path) => symlinkSync('/', path)],
    ['a file', (path) => writeFileSync(path, '')],
    ['open to others', (path) => chmodSync(mkdirSync(path, { recursive: true }) ?? path, 0o777)],
  ])('is the state folder when the other place is %s', (_, put) => {
    put(there.base);
    expect(placeCheckouts(usual, there)).toBe(usual);
    expect(existsSync(usual)).toBe(false);
  });

  test('is left when it was taken by somebody since', () => {
    const place = placeCheckouts(usual, there);
    rmSync(place, { recursive: true });
    symlinkSync('/', place);
    expect(placeCheckouts(usual, there)).toBe(usual);
  });

  test('is removed only when it is a private folder', () => {
    const place = placeCheckouts(usual, there);
    writeFileSync(join(place, 'file'), '');
    removeCheckoutsElsewhere(usual);
    expect(existsSync(place)).toBe(false);
    mkdirSync(join(top, 'theirs'));
    symlinkSync(join(top, 'theirs'), place);
    removeCheckoutsElsewhere(usual);
    expect(existsSync(join(top, 'theirs'))).toBe(true);
  });
});
