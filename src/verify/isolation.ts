// Keeps agents off the network: the whole of `foreword verify` runs again in a network of its own with loopback alone.

import { spawn } from 'node:child_process';
import { hasLoopbackOnly, inNamespace, type Namespace } from '../system/network-namespace.ts';

export interface Isolation {
  /** Whether this process can reach nothing but loopback. */
  isInside(): boolean;
  namespace(): Namespace;
  /** Runs a command and returns its exit code. */
  run(command: readonly [string, ...string[]]): Promise<number>;
}

export const isolation: Isolation = { isInside: () => hasLoopbackOnly(), namespace: () => inNamespace(), run };

/** What ends this process from the terminal reaches the other too; it cleans up, and we wait for that. */
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
