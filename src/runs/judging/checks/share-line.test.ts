import { expect, test } from 'vitest';
import { entryWith, type IgnoredEntry, shareHint, wantedIn } from './share-line.ts';

const entry = (path: string, programs: readonly string[] = [], isBound = false): IgnoredEntry => ({
  path,
  programs,
  isBound,
});
const unstarted = (program: string, ...wanted: string[]) => ({ criterion: 'x', program, why: 'x.', wanted });

test('the program is in the ignored folder of its path, or in one that has a program of that name', () => {
  const ignored = [entry('tool'), entry('tools/', ['tsc']), entry('out/build/')];
  expect(entryWith(unstarted('./tools/deep/check'), ignored)?.path).toBe('tools/');
  expect(entryWith(unstarted('tool'), ignored)?.path).toBe('tool');
  expect(entryWith(unstarted('npm', 'sh', 'tsc'), ignored)?.path).toBe('tools/');
  expect(entryWith(unstarted('toolsmith', 'other'), ignored)).toBeUndefined();
});

test('the hint names what was left out, and the whole line that brings it', () => {
  const ignored = [entry('tools/'), entry('.env')];
  expect(shareHint(ignored[0], ignored, ['vendor'])).toBe(
    'Checkouts are without the ignored tools/, .env. This line of .foreword/config.yaml brings tools/ along: run: { share: [vendor, tools] }',
  );
  expect(shareHint(undefined, [entry('a b/'), entry('#x')], [])).toContain(
    'brings them along: run: { share: ["a b", "#x"] }',
  );
  expect(shareHint(undefined, [], ['vendor'])).toBe('Install the program, or change the check.');
});

test('a virtual environment needs run.prepare', () => {
  const bound = entry('.venv/', ['pytest'], true);
  expect(shareHint(bound, [bound], [])).toContain(
    '.venv/ holds its own path, so a copy does not work: set run.prepare',
  );
});

test('names are taken from lines that report a missing program', () => {
  expect(wantedIn('all fine: eslint\nsh: 1: tsc: not found\n')).toEqual(['sh', '1', 'tsc', 'not', 'found']);
});
