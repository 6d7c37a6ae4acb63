// An agent for pictures: prints some lines, takes its time, and does what the task's name asks for. Started by scripts/pictures.mjs.

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , name] = process.argv;
const task = /^## Task ID\n(.*)$/m.exec(readFileSync(0, 'utf8'))?.[1] ?? '';
const slowness = 250 + ([...task].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 7) * 90;
if (name === 'swift' && task === 'invoice_pdf') {
  await sleep(900);
  const reset = new Date(Date.now() + 2 * 3_600_000).toISOString();
  process.stderr.write(`You've hit your usage limit. Try again at ${reset}.\n`);
  process.exit(1);
}
for (const line of [
  `Reading src/${task}.ts`,
  'I will write the test first, then the code.',
  `Edit src/${task}.ts`,
  'Running npm test',
  'All 214 tests pass; cleaning up the imports.',
]) {
  process.stdout.write(`${line}\n`);
  await sleep(slowness);
}
writeFileSync(`${task}.txt`, task === 'refund_rounding' ? 'wrong\n' : 'done\n');
process.stdout.write('Done.\n');
