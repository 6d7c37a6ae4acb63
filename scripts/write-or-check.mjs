// Generated files are written, or with `--check` compared: a page that does not say what the code does is a bug.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** `files`: path from the root → content. */
export function writeOrCheck(files) {
  const isCheck = process.argv.includes('--check');
  const stale = Object.entries(files).filter(([path, content]) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== content;
  });
  for (const [path, content] of isCheck ? [] : stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`wrote ${path}`);
  }
  if (isCheck && stale.length > 0) {
    for (const [path] of stale) console.error(`${path} is not current: run npm run docs`);
    process.exitCode = 1;
  }
}
