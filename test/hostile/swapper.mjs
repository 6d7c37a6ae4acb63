#!/usr/bin/env node
// Swaps files and folders of a repository and links out of it until it is ended. Each form stays for a random time of up to
// `dwellMs`, so that a command meets both, and one after the other. A file is replaced by one rename; a folder cannot be, so
// for an instant there is nothing.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

const { root, swaps, ledger, dwellMs = 4 } = JSON.parse(process.argv[2]);
process.chdir(root);
const counts = { link: 0, plain: 0, failed: 0 };
const pairs = swaps.map(([path, target], index) => {
  fs.mkdirSync(dirname(path), { recursive: true });
  if (!fs.existsSync(path)) fs.writeFileSync(path, '# x\n');
  const isFolder = fs.statSync(path).isDirectory();
  const aside = join(root, `.swap-${index}`);
  const next = join(root, `.swap-${index}-next`);
  return { path, target, isFolder, aside, next, text: isFolder ? undefined : fs.readFileSync(path), isLink: false };
});

function swap(pair) {
  const { path, target, isFolder, aside, next, text } = pair;
  fs.rmSync(next, { recursive: true, force: true });
  if (pair.isLink) {
    if (isFolder) {
      fs.unlinkSync(path);
      fs.renameSync(aside, path);
    } else {
      fs.writeFileSync(next, text);
      fs.renameSync(next, path);
    }
  } else {
    fs.symlinkSync(target, next);
    if (isFolder) fs.renameSync(path, aside);
    fs.renameSync(next, path);
  }
  pair.isLink = !pair.isLink;
  counts[pair.isLink ? 'link' : 'plain'] += 1;
}

function turn(pair) {
  try {
    swap(pair);
  } catch {
    // A command made or removed something in between: what is there now decides what comes next.
    counts.failed += 1;
    pair.isLink = fs.lstatSync(pair.path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  }
  setTimeout(() => turn(pair), Math.random() * dwellMs);
}

process.on('SIGTERM', () => {
  fs.writeFileSync(ledger, JSON.stringify(counts));
  process.exit(0);
});
for (const pair of pairs) turn(pair);
