// What both benches of `foreword audit` share: a program that reads and parses the same bytes, and a run with its processor time and memory.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const parsing = `
const { openSync, readSync, readdirSync } = require('node:fs');
const piece = Buffer.allocUnsafe(1048576);
let records = 0;
for (const entry of readdirSync(process.argv[1], { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue;
  const file = openSync(entry.parentPath + '/' + entry.name);
  let rest = [];
  for (let got = readSync(file, piece); got > 0; got = readSync(file, piece)) {
    const read = piece.subarray(0, got);
    let from = 0;
    for (let end = read.indexOf(10); end !== -1; end = read.indexOf(10, from)) {
      const line = read.subarray(from, end);
      JSON.parse((rest.length === 0 ? line : Buffer.concat([...rest, line])).toString('utf8'));
      records += 1;
      rest = [];
      from = end + 1;
    }
    rest.push(Buffer.from(read.subarray(from)));
  }
}
console.log(records);
`;

/** Processor time in milliseconds, from what the shell measures of its children, and the most memory. */
export async function ran(args, folder) {
  const startedAt = performance.now();
  const child = spawn('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" > /dev/null', 'bash', process.execPath, ...args], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part) => {
    said += part;
  });
  let peakMib = 0;
  const timer = setInterval(() => {
    peakMib = Math.max(peakMib, peakOf(child.pid));
  }, 20);
  const status = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  const [user, system] = said.trim().split('\n').at(-1).split(' ').map(Number);
  if (status !== 0 || !(user + system > 0)) throw new Error(`ended with ${status}: ${said}`);
  return { ms: (user + system) * 1000, peakMib, wallMs: performance.now() - startedAt };
}

function peakOf(shell) {
  try {
    const [pid] = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
