// Runs named steps one after the other, says how long each took, and stops at the first that fails.

import { spawnSync } from 'node:child_process';

/** `steps`: [name, command, arguments, extra environment]. Answers the exit status. */
export function runSteps(steps) {
  for (const [name, command, args, env] of steps) {
    const started = performance.now();
    const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `${status === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)${error === undefined ? '' : `: ${error.message}`}`,
    );
    if (status !== 0) return status ?? 1;
  }
  return 0;
}
