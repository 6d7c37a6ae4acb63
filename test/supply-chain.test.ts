// The packages that foreword depends on, and the licences of those whose code it ships.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockFaults } from '../scripts/supply-chain.mjs';

const root = join(import.meta.dirname, '..');
const json = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const INTEGRITY = `sha512-${'A'.repeat(86)}==`;

describe('the lockfile', () => {
  test('pins every package by its content', () => {
    expect(lockFaults(json('package-lock.json'), json('package.json'))).toEqual([]);
  });

  test.each([
    ['no sum', { packages: { 'node_modules/a': {} } }, {}, 'node_modules/a: has no sha512 of its content'],
    ['a weak sum', { packages: { 'node_modules/a': { integrity: 'sha1-x' } } }, {}, 'has no sha512'],
    ['git', { packages: { 'node_modules/a': { integrity: INTEGRITY, resolved: 'git+ssh://x' } } }, {}, 'not from'],
    ['a link', { packages: { 'node_modules/a': { link: true } } }, {}, 'not from the registry'],
    ['a script', { packages: { 'node_modules/a': { integrity: INTEGRITY, hasInstallScript: true } } }, {}, 'a script'],
    ['a range', { packages: {} }, { dependencies: { a: '^1.0.0' } }, 'a: "^1.0.0" is not one exact version'],
    ['our own script', { packages: {} }, { scripts: { postinstall: 'x' } }, 'every user'],
  ])('is refused with %s', (_, lock, own, fault) => {
    expect(lockFaults(lock, own)).toEqual([expect.stringContaining(fault)]);
  });
});

test('the licence of every package whose code is in dist/ goes with it', () => {
  const { dependencies, devDependencies, peerDependencies } = json('package.json');
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const imported = sources.flatMap((name) =>
    [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/(?:from|import\()\s*'((?:@[^/']+\/)?[^./'][^/']*)/g)]
      .map(([, one = '']) => one)
      .filter((one) => one in devDependencies && !(one in dependencies) && !(one in peerDependencies)),
  );
  const text = readFileSync(join(root, 'dist/THIRD-PARTY.txt'), 'utf8');
  const bundled = [...new Set(imported)].filter((one) => !TEST_ONLY.has(one)).sort();
  expect(bundled.length).toBeGreaterThan(3);
  for (const name of bundled) {
    expect(text).toMatch(new RegExp(`^${name.replace('/', '\\/')} \\d`, 'm'));
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (file !== undefined) expect(text).toContain(readFileSync(join(folder, file), 'utf8').trim());
  }
});

/** Of parts that only tests load. */
const TEST_ONLY = new Set([
  'vitest',
  'fast-check',
  '@valibot/to-json-schema',
  'gpt-tokenizer',
  'esbuild',
  'playwright-core',
]);
