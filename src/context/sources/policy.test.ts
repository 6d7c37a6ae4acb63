import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observePolicy } from './policy.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-policy-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
}

test('no file, then the usual places, the nearest last', () => {
  expect(observePolicy(root)).toEqual({ kind: 'absent' });
  write('config/policy.edn', '{:limits {:max-files 10}}');
  expect(observePolicy(root)).toEqual({
    kind: 'found',
    value: { limits: { max_files: 10 } },
    from: 'config/policy.edn',
  });
  write('.foreword/policy.yaml', 'deny: [secrets/**]\n');
  expect(observePolicy(root)).toEqual({
    kind: 'found',
    value: { deny: ['secrets/**'] },
    from: '.foreword/policy.yaml',
  });
});

test('a misspelt limit and a missing path are faults', () => {
  write('p.edn', '{:limits\n {:max-file 10}}');
  expect(observePolicy(root, { path: 'p.edn' })).toEqual({
    kind: 'unavailable',
    from: 'p.edn',
    faults: [
      { where: 'p.edn', line: 2, path: 'limits.max_file', message: 'Unknown key "max_file"; did you mean max_files?' },
    ],
  });
  expect(observePolicy(root, { path: 'gone.yaml' })).toMatchObject({
    faults: [{ where: 'gone.yaml', message: 'No such file.' }],
  });
});
