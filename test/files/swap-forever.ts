// Exchanges a file and a folder of a project for links to the outside and back, as fast as it can, until it is killed.

import { linkSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const [, , root = '', outside = ''] = process.argv;
const at = (name: string) => join(root, name);

/** The file's two forms take its place by one rename each, so a reader finds one of them at any time. */
function exchangeFile(): void {
  symlinkSync(join(outside, 'file.md'), at('next'));
  renameSync(at('next'), at('file.md'));
  linkSync(at('kept.md'), at('next'));
  renameSync(at('next'), at('file.md'));
}

symlinkSync(outside, at('link'));
for (let round = 0; ; round += 1) {
  exchangeFile();
  renameSync(at('folder'), at('aside'));
  renameSync(at('link'), at('folder'));
  renameSync(at('folder'), at('link'));
  renameSync(at('aside'), at('folder'));
  if (round === 0) process.stdout.write('started\n');
}
