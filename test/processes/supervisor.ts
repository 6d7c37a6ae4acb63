// A process that runs programs, to be measured or killed: `supervisor MODE …`.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ProcessRequest } from '../../src/kernel/process.ts';
import { redactionStreams } from '../../src/kernel/redact-stream.ts';
import { watchRun } from '../../src/system/processes/guard.ts';
import { startOf } from '../../src/system/processes/process-table.ts';
import { processRunner, runProcess } from '../../src/system/processes/run-process.ts';

const [mode, ...args] = process.argv.slice(2);
const request = (command: ProcessRequest['command']): ProcessRequest => ({
  command,
  cwd: process.cwd(),
  env: { PATH: process.env.PATH ?? '', TAG: process.env.TAG ?? '' },
  timeoutMs: 600_000,
});

/** One program to its end: how it ended, how much it printed, and the most memory we had. */
async function one(log: string, ...command: string[]): Promise<void> {
  const [program = 'true', ...rest] = command;
  const logFile = log === '' ? {} : { logFile: log };
  const { stdout, stderr, ...end } = await runProcess({ ...request([program, ...rest]), ...logFile });
  const sizes = { stdout: { bytes: stdout.bytes, kept: stdout.text.length }, stderr: { bytes: stderr.bytes } };
  console.log(JSON.stringify({ ...end, ...sizes, peakMiB: process.resourceUsage().maxRSS / 1024 }));
}

/** Programs that stay and programs that end, all the time: whenever we are killed, something is just starting. */
async function many(family: string): Promise<void> {
  console.log('ready');
  for (let count = 0; count < 3; count++) void runProcess(request([family, 'stay']));
  for (;;) await runProcess(request(['true']));
}

/** A family that runs, until something ends us. */
async function stay(family: string, endBy: string): Promise<void> {
  const end = runProcess({ ...request([family, 'stay']), firstOutputMs: 60_000 });
  console.log('ready');
  process.stdin.once('data', () => {
    if (endBy === 'exit') process.exit(0);
    throw new Error('an end that nobody planned');
  });
  await end;
}

/** A program with a log from which its secret is removed, until we are killed. */
async function logged(log: string, secret: string, script: string): Promise<void> {
  const run = processRunner({ redaction: redactionStreams([secret]) });
  await run({ ...request(['sh', '-c', script]), logFile: log });
}

/** Tells the guard of a process that is ours (0), of one that only has the number (another start), or of none: then the
 *  process carries the marker. */
function told(drift: string): void {
  const id = randomBytes(16).toString('hex');
  const watch = watchRun(id, process.env.PATH);
  const env = { PATH: process.env.PATH, ...(drift === 'marker' ? { FOREWORD_RUN: id } : {}) };
  const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env });
  const { pid } = child;
  const start = pid === undefined ? undefined : startOf(pid);
  if (pid === undefined || start === undefined) throw new Error('no process to tell of');
  if (drift !== 'marker') watch.started(pid, start + Number(drift));
  console.log(pid);
}

const family = join(process.env.PROGRAMS ?? '', 'family.sh');
if (mode === 'one') await one(args[0] ?? '', ...args.slice(1));
if (mode === 'many') await many(family);
if (mode === 'stay') await stay(family, args[0] ?? '');
if (mode === 'logged') await logged(args[0] ?? '', args[1] ?? '', args[2] ?? '');
if (mode === 'told') told(args[0] ?? '0');
