// CONTRIBUTING.md and ARCHITECTURE.md send people to files, names in them and scripts: each must be there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object; scripts: object };
const inSource = readdirSync(join(root, 'src'), { recursive: true }).map(String);

/** In backticks: whatever has a slash or ends like a file. Elsewhere: whatever begins with a folder of the project. */
function pathsIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word);
  const plain = [...text.matchAll(/(?<![\w./-])(?:src|docs|test|scripts|examples|schema|bench)\/[\w./*-]+/g)];
  const all = [...quoted, ...plain.map(([word]) => word.replace(/\.$/, ''))];
  return [...new Set(all)].filter((word) => /^[\w.*-]+(\/|\.(ts|mjs|json|md|sh)$)/.test(word));
}

/** An entry of the package, from the root, or from src/; a lone name or one with a star may be anywhere in src/. */
function isThere(path: string): boolean {
  if (path.startsWith('foreword/')) return path.replace('foreword', '.') in manifest.exports;
  if (existsSync(join(root, path)) || existsSync(join(root, 'src', path))) return true;
  const name = path.replace(/\/$/, '').replaceAll('*', '');
  if (path.includes('*')) {
    const [before = '', after = ''] = path.split('*');
    return inSource.some((file) => file.startsWith(before) && file.endsWith(after));
  }
  return !name.includes('/') && inSource.some((file) => file.endsWith(`/${name}`));
}

/** "`Name` in `file`", "of" or with the file in brackets. */
function namesIn(text: string): readonly (readonly [string, string])[] {
  const found = text.matchAll(/`(\w+)`\s+(?:of|in)\s+`([\w./-]+\.ts)`|`(\w+)` \(`([\w./-]+\.ts)`\)/g);
  return [...found].map(([, name, file, other, otherFile]) => [name ?? other ?? '', file ?? otherFile ?? ''] as const);
}

function faultsOf(text: string): readonly string[] {
  const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  return [
    ...pathsIn(text).filter((path) => !isThere(path)),
    ...namesIn(text)
      .filter(([, file]) => isThere(file))
      .filter(([name, file]) => !readFileSync(join(root, file), 'utf8').includes(name))
      .map(([name, file]) => `${name} in ${file}`),
    ...commands.filter((name) => !(name in manifest.scripts)).map((name) => `npm run ${name}`),
  ];
}

test.each(['CONTRIBUTING.md', 'ARCHITECTURE.md'])('%s names only what is there', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  expect(pathsIn(text).length).toBeGreaterThan(10);
  expect(faultsOf(text)).toEqual([]);
});

test('docs/words.md has at most thirty words', () => {
  const rows = readFileSync(join(root, 'docs/words.md'), 'utf8').matchAll(/^\| (\*\*.+?) \| (.+) \|.*\|$/gm);
  const words = [...rows].flatMap(([, given = '']) => given.split(', '));
  expect(words.length).toBeGreaterThan(20);
  expect(words.length).toBeLessThanOrEqual(30);
});

test('a path, a name and a script that are not there are found', () => {
  const text =
    'One line in `src/nowhere.ts` and `Nobody` in `src/kernel/receipt.ts`, see docs/nothing.md: `npm run nothing`.';
  expect(faultsOf(text)).toEqual([
    'src/nowhere.ts',
    'docs/nothing.md',
    'Nobody in src/kernel/receipt.ts',
    'npm run nothing',
  ]);
  expect(
    faultsOf('`kernel/`, `agents/*.ts`, `contract.ts`, `page/`, `stdin`, `foreword/testing`, `foreword/nothing`'),
  ).toEqual(['foreword/nothing']);
});
