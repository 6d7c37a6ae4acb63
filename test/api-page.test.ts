// docs/api.md lists every exported name with a sentence, and every name stands in an example that runs.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function exportedNames(): readonly string[] {
  const lists = [...read('src/index.ts').matchAll(/^export (type )?\{([^}]*)\}/gm)].map(([, , list = '']) => list);
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => name.replace(/^\s*(type )?(\w+ as )?/, '').trim())
    .filter((name) => name !== '');
}

function listedNames(): readonly string[] {
  return [...read('docs/api.md').matchAll(/^\| `(\w+)` \| \w+ \| \S.* \|$/gm)].map(([, name = '']) => name);
}

test('every exported name has a line on the page, once, and nothing else has', () => {
  expect([...listedNames()].sort()).toEqual([...exportedNames()].sort());
});

test('there are about 45 names', () => {
  expect(exportedNames().length).toBeLessThanOrEqual(50);
});

test('every exported name stands in an example that runs', () => {
  const examples = readdirSync(join(root, 'examples')).filter((name) => name.startsWith('api-'));
  const text = examples.map((name) => read(join('examples', name))).join('\n');
  const used = new Set(text.match(/\w+/g));
  expect(exportedNames().filter((name) => !used.has(name))).toEqual([]);
});

test.each([
  ['openProject', 'src/config/project-options.ts', 'ProjectOptions'],
  ['prepareRun', 'src/runs/run-options.ts', 'RunOptions'],
])('every option of %s has its line on the page', (_, file, type) => {
  const body = new RegExp(`export interface ${type} \\{([\\s\\S]*?)\\n\\}`).exec(read(file))?.[1] ?? '';
  const options = [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name = '']) => name);
  expect(options.length).toBeGreaterThan(8);
  const rows =
    read('docs/api.md')
      .match(/^\| `.*$/gm)
      ?.join('\n') ?? '';
  expect(options.filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
});
