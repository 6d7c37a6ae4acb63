// An agent that prints without end: the memory of the whole supervising process stays small.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { scaled } from '../scale.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
/** Of each kind; 2 GB together in the long run. */
const BYTES = scaled(500_000_000);
const MOST_MIB = 200;

const KINDS = [
  `yes 'compiling src/module/part.ts: 12 warnings, 0 errors' | head -c ${BYTES}`,
  `yes 'compiling src/module/part.ts: 12 warnings, 0 errors' | head -c ${BYTES} >&2`,
  `yes '{"type":"item","text":"${'some words of a tool. '.repeat(20)}"}' | head -c ${BYTES}`,
  `head -c ${BYTES} /dev/zero | tr '\\0' x`,
];

let field: Field;
afterEach(() => field.remove());

test.skipIf(process.platform !== 'linux')(
  'gigabytes on both streams, as lines, JSON and one endless line, take less than 200 MiB',
  async () => {
    field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
    const rules = [{ when: { type: 'answer' }, answer: 'text' }];
    field.change('first', ({ oneshot }) => ({
      oneshot: {
        ...oneshot,
        command: ['sh', '-c', [...KINDS, 'echo done > done-a.txt'].join('\n')],
        output: { format: 'jsonl', rules },
        retryLine: '^Retrying in [0-9]+ s',
      },
    }));
    const child = spawn(process.execPath, [MAIN, ...field.args, '--json'], {
      cwd: field.project,
      env: { PATH: process.env.PATH, HOME: field.folder, FOREWORD_CHECKOUTS: field.folder },
      stdio: 'ignore',
    });
    let most = 0;
    const sampling = setInterval(() => {
      most = peakMib(child.pid ?? 0) ?? most;
    }, 50);
    const status = await new Promise((resolve) => child.on('close', resolve));
    clearInterval(sampling);
    expect(status).toBe(0);
    expect(most).toBeGreaterThan(20);
    expect(most).toBeLessThan(MOST_MIB);
  },
  600_000,
);

/** The most memory the process ever had; `undefined` when it is gone. */
function peakMib(pid: number): number | undefined {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found === null ? undefined : Number(found[1]) / 1024;
  } catch {
    return undefined;
  }
}
