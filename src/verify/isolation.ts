// Keeps agents off the network: `foreword verify` runs itself again in a network namespace that has only loopback.

import { spawn } from 'node:child_process';
import { hasLoopbackOnly, inNamespace, type Namespace } from '../system/network-namespace.ts';

export interface Isolation {
  /** Whether this process can reach only loopback. */
  isInside(): boolean;
  namespace(): Namespace;
  /** Runs a command and returns its exit code. */
  run(command: readonly [string, ...string[]]): Promise<number>;
}

export const isolation: Isolation = { isInside: () => hasLoopbackOnly(), namespace: () => inNamespace(), run };

/** A signal from the terminal reaches the other process too; it cleans up, and we wait for that. */
async function run([program, ...args]: readonly [string, ...string[]]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const stay = (): void => undefined;
  process.on('SIGINT', stay);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (status, signal) => resolve(status ?? (signal === 'SIGINT' ? 130 : 1)));
    });
  } finally {
    process.off('SIGINT', stay);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, pass);
  }
}
