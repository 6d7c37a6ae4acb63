// A recipe of CONTRIBUTING.md as data: the files it changes, the test of the new thing, and the line that is easily forgotten.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Change {
  /** From the root of the project. */
  readonly path: string;
  /** The file as it is, or an empty text for a new one, becomes the file as it should be. */
  edit(text: string): string;
}

export interface Recipe {
  /** The heading in CONTRIBUTING.md. */
  readonly heading: string;
  readonly changes: readonly Change[];
  /** A test of the new thing, beside it. */
  readonly test?: { readonly path: string; readonly text: string };
  /** Tests of the project that watch this kind of thing. */
  readonly watchers: readonly string[];
  /** A change left out: the types name this file, or this test fails. */
  readonly forgotten?: {
    readonly path: string;
    readonly found: { readonly types: string } | { readonly test: string };
  };
}

export function newFile(path: string, text: string): Change {
  return { path, edit: () => text };
}

/** Puts lines before the line that begins so. */
export function addBefore(path: string, anchor: string, lines: string): Change {
  return replaceIn(path, [[`\n${anchor}`, `\n${lines}\n${anchor}`]]);
}

/** Throws where a text that is to be replaced does not stand there exactly once. */
export function replaceIn(path: string, pairs: readonly (readonly [string, string])[]): Change {
  return {
    path,
    edit: (text) =>
      pairs.reduce((now, [from, to]) => {
        const [before, after, ...more] = now.split(from);
        if (after === undefined || more.length > 0) throw new Error(`not once in ${path}: ${from}`);
        return `${before}${to}${after}`;
      }, text),
  };
}

const ROOT = join(import.meta.dirname, '../..');

/** What `tsc -p .`, the rules, the tests and the scripts for the docs need. */
const COPIED = [
  ...['src', 'scripts', 'test', 'docs', 'schema', 'examples', 'bench'],
  ...['biome.json', 'package.json', 'tsconfig.json', 'vitest.config.ts', '.gitignore'],
];

export function copyProject(to: string): void {
  for (const name of COPIED) cpSync(join(ROOT, name), join(to, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

/** Each changed file is made anew from the project's own. `isLeftOut`: as if the change had been forgotten. */
export function carryOut(recipe: Recipe, copy: string, isLeftOut: (path: string) => boolean = () => false): void {
  for (const { path, edit } of recipe.changes) {
    const own = ownText(path);
    write(copy, path, isLeftOut(path) ? own : edit(own));
  }
  if (recipe.test !== undefined) write(copy, recipe.test.path, recipe.test.text);
}

function ownText(path: string): string {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    // A new file.
    return '';
  }
}

function write(copy: string, path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}
