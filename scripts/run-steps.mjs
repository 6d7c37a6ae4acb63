// Runs named steps one after the other, says how long each took, and stops at the first that fails.

import { spawnSync } from 'node:child_process';
import { hasSecondTry } from './once-more-alone.mjs';

/** `steps`: [name, command, arguments, extra environment]. Answers the exit status. */
export function runSteps(steps) {
  return runUntilFailure(steps).status;
}

/** The same where a landing depends on it (FOREWORD_TEST_SECOND_TRY=1): a step that failed is run once more, and named if it
 *  passes then. Answers also the name of the step that failed. */
export function runStepsTwice(steps) {
  return runUntilFailure(steps, hasSecondTry());
}

function runUntilFailure(steps, isTriedTwice = false) {
  for (const step of steps) {
    let status = runStep(step);
    if (status !== 0 && isTriedTwice) {
      status = runStep(step);
      if (status === 0) console.log(`passed at the second try: the step "${step[0]}"`);
    }
    if (status !== 0) return { status, failed: step[0] };
  }
  return { status: 0 };
}

function runStep([name, command, args, env]) {
  const started = performance.now();
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${status === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)${error === undefined ? '' : `: ${error.message}`}`,
  );
  return status ?? 1;
}
