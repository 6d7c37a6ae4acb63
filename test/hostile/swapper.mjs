#!/usr/bin/env node
// Swaps files of a repository and links out of it, without a pause, until it is ended. Each swap is one rename, so that
// there is always one of the two.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';

const { root, swaps, ledger } = JSON.parse(process.argv[2]);
process.chdir(root);
const pairs = swaps.map(([path, target], index) => {
  fs.mkdirSync(dirname(path), { recursive: true });
  return { path, target, plain: join(root, `.swap-${index}`), other: join(root, `.swap-${index}-link`) };
});
for (const { path, target, plain } of pairs) {
  if (!fs.existsSync(path)) fs.writeFileSync(path, '# x\n');
  fs.cpSync(path, plain, { recursive: true, verbatimSymlinks: true });
  fs.rmSync(path, { recursive: true });
  fs.symlinkSync(target, path);
}
let count = 0;
process.on('SIGTERM', () => {
  fs.writeFileSync(ledger, String(count));
  process.exit(0);
});
const turn = () => {
  for (const { path, target, plain, other } of pairs) {
    try {
      // What a command wrote to the place goes with it.
      fs.renameSync(path, other);
      fs.renameSync(plain, path);
      fs.renameSync(path, plain);
      fs.rmSync(other, { recursive: true, force: true });
      fs.symlinkSync(target, path);
      count += 2;
    } catch {
      // A command made or removed it in between.
    }
  }
  setImmediate(turn);
};
turn();
