import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import { fateOf } from './gone-projects.ts';
import { readProjectFacts } from './project-facts.ts';
import { recordOf } from './project-identity.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('gone');
  mkdirSync(join(folder, 'above/shop'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record = () =>
  recordOf(readProjectFacts(join(folder, 'above/shop')), {
    id: 'p0123456789abcdef',
    created: '2026-01-01T00:00:00.000Z',
    rootCommits: null,
  });

test('a project whose folder was removed is missing', () => {
  const known = record();
  expect(fateOf(known)).toBe('there');
  rmSync(join(folder, 'above'), { recursive: true });
  expect(fateOf(known)).toBe('missing');
});

test('a project that nobody can look at is not called missing', () => {
  const known = record();
  renameSync(join(folder, 'above'), join(folder, 'moved'));
  symlinkSync(join(folder, 'above'), join(folder, 'above'));
  expect(fateOf(known)).toBe('there');
});
