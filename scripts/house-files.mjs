// Which files the house rules look at, and what kind each is.

import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PURE_FILES } from './rooms.mjs';

/** Every TypeScript file of src/, as a path from the root. */
export function productAndTestFiles(root) {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** Product code may not import these; they may import anything. */
export function isTestCode(path) {
  return (
    /\.test\.ts$|^src\/(stores|terminals)\/contract(\/|\.ts$)|^src\/testing\/|^(test|scripts)\//.test(path) ||
    ['vitest', 'fast-check', 'yaml', 'gpt-tokenizer'].includes(path)
  );
}

/** The folder below src/; `undefined` for the files that stand there alone, and for packages. */
export function roomOf(path) {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

/** Whether the file decides and does nothing else. */
export function isPure(path) {
  const room = roomOf(path);
  // What an agent's folder says is data.
  if (room === 'kernel' || room === 'agents') return true;
  const rest = path.slice(`src/${room}/`.length);
  return (PURE_FILES[room] ?? []).some((one) => isNamed(rest, one));
}

function isNamed(path, one) {
  if (one.endsWith('/')) return path.startsWith(one);
  if (one.endsWith('/*')) return path.startsWith(one.slice(0, -1)) && !path.slice(one.length - 1).includes('/');
  return path === `${one}.ts`;
}
