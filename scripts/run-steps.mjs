// Runs named steps one after the other, says how long each took, and stops at the first that fails; or all of them at once.

import { spawn, spawnSync } from 'node:child_process';
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

/** All at once, each with a second try as above. What one printed stands together. */
export async function runTogether(steps) {
  const ends = await Promise.all(
    steps.map(async (step) => {
      let status = await runAside(step);
      if (status !== 0 && hasSecondTry()) {
        status = await runAside(step);
        if (status === 0) console.log(secondTry(step));
      }
      return { status, failed: step[0] };
    }),
  );
  return ends.find(({ status }) => status !== 0) ?? { status: 0 };
}

function runAside([name, command, args, env]) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => printed.push(part));
  return new Promise((resolve) => {
    const end = (status, error) => {
      process.stdout.write(Buffer.concat(printed));
      console.log(endLine({ name, status, started, error }));
      resolve(status);
    };
    child.on('error', (error) => end(1, error));
    child.on('close', (status) => end(status ?? 1));
  });
}

function endLine({ name, status, started, error }) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const why = error === undefined ? '' : `: ${error.message}`;
  return `${status === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)${why}`;
}

function secondTry([name]) {
  return `passed at the second try: the step "${name}"`;
}

function runUntilFailure(steps, isTriedTwice = false) {
  for (const step of steps) {
    let status = runStep(step);
    if (status !== 0 && isTriedTwice) {
      status = runStep(step);
      if (status === 0) console.log(secondTry(step));
    }
    if (status !== 0) return { status, failed: step[0] };
  }
  return { status: 0 };
}

function runStep([name, command, args, env]) {
  const started = performance.now();
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  console.log(endLine({ name, status, started, error }));
  return status ?? 1;
}
