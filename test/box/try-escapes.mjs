// An agent that makes every try of a list in its box, several at once, and writes what came of each. Arguments: the list and the
// file for the outcomes. Those that change its folder come last, one after the other.

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [list, outcomes] = process.argv.slice(2);
const { tries, reversed } = JSON.parse(readFileSync(list, 'utf8'));
// A try that reads the list itself must not find it.
const secret = [...reversed].reverse().join('');
const AT_ONCE = 4;
const made = [];

const make = ({ name, command, timeoutMs = 10_000 }) =>
  new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    const done = () => {
      const isOpen = printed.includes('ESCAPED') || printed.includes(secret);
      made.push({ name, isOpen });
      resolve();
    };
    child.on('error', done);
    child.on('exit', () => setTimeout(done, 20));
  });

const waiting = tries.filter(({ keepsCopy }) => keepsCopy);
const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await make(next);
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
for (const each of tries.filter(({ keepsCopy }) => !keepsCopy)) await make(each);
// Only now: one of them deletes everything that it can.
writeFileSync(outcomes, JSON.stringify(made));
writeFileSync('done.txt', 'done\n');
console.log('I tried everything.');
// Processes that still run would keep the pipes open.
process.exit(0);
