// A command of a benchmark run to its end, and waiting for a condition.

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** No command of these benchmarks takes longer; one that hangs is ended. */
const LONGEST_MS = 240_000;

export async function runToEnd([program, ...args], options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part) => {
    stderr += part;
  });
  const timer = setTimeout(() => child.kill('SIGTERM'), LONGEST_MS);
  // Not `close`: what the command leaves running may hold its streams.
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  clearTimeout(timer);
  return { status, stdout, stderr };
}

export async function until(condition, timeoutMs, stepMs = 100) {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(stepMs)) if (await condition()) return true;
  return false;
}
