// Replaces the file again and again with whole texts of different lengths, until it is killed.

import { replaceFile } from '../../src/system/files/atomic.ts';

const [, , file = ''] = process.argv;
for (let round = 0; ; round += 1) {
  replaceFile(file, `${'x'.repeat((round % 7) * 40_000)}end`);
  if (round === 0) process.stdout.write('started\n');
}
