// Starts a process that will host a session. Small, so that the new process is under way before anything else is loaded
// or read: both start up side by side, the one to prepare the session, the other to host it.

import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import type { SessionPlace } from '../system/files/project-state.ts';
import { openFaultFile } from '../system/processes/fault-log.ts';
import { makePlace, placeFor, removePlace } from './places.ts';
import { type HostRole, toldFailure, withRole } from './role.ts';

export interface HostProcess {
  /** What it says once its session runs, and what it wrote to its log by then. Rejects with what ended it before that. */
  readonly told: Promise<{ readonly message: Readonly<Record<string, unknown>>; readonly notes: readonly string[] }>;
  send(message: object): void;
  /** Ends it and waits for that. Does nothing once its session runs, and answers whether that was so. */
  giveUp(): Promise<'ended' | 'runs'>;
}

/** A new session's. */
export interface NewHost extends HostProcess {
  readonly place: SessionPlace;
}

const PATIENCE_MS = 5_000;

/** What a new session's host is told to start with, as the person said it. */
export interface NewHostWords {
  readonly agent: string;
  readonly isDetached: boolean;
  readonly config: string | undefined;
  readonly store: string | undefined;
}

/** A host that waits for what it is to start. Throws when its folder cannot be made. */
export function beginHost({ agent, isDetached, config, store }: NewHostWords, cwd: string): NewHost {
  const place = makePlace();
  const words = [agent, '--tmux', ...(isDetached ? ['--detach'] : [])];
  const args = [...words, ...(config === undefined ? [] : ['--config', config])];
  const role = { kind: 'new', session: place.id, ...(store === undefined ? {} : { store }) };
  const host = orRemove(place, () => spawnHost(args, cwd, role as HostRole));
  return {
    ...host,
    place,
    giveUp: async () => {
      if ((await host.giveUp()) === 'runs') return 'runs';
      // A host that was killed leaves its agent in tmux.
      const { endTmux } = await import('../terminals/tmux/tmux.ts');
      await endTmux(place.tmux);
      removePlace(place);
      return 'ended';
    },
  };
}

function orRemove<T>(place: SessionPlace, work: () => T): T {
  try {
    return work();
  } catch (error) {
    removePlace(place);
    throw error;
  }
}

/** Starts this very command once more, as the host of a session. What the host has to say later it writes into the
 *  session's log: nobody reads from it any more. */
export function spawnHost(args: readonly string[], cwd: string, role: HostRole): HostProcess {
  const { log: file } = placeFor(role.session);
  const log = openFaultFile(file);
  const from = fstatSync(log).size;
  const said = (): readonly string[] => {
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    return bytes.subarray(from).toString().split('\n').filter(Boolean);
  };
  const child = spawn(process.execPath, [join(__dirname, 'start.cjs'), 'start', ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', log, 'ipc'],
    env: withRole(role) as NodeJS.ProcessEnv,
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  let isRunning = false;
  const told: HostProcess['told'] = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (message) => {
      const failure = toldFailure(message);
      isRunning = failure === undefined;
      if (child.connected) child.disconnect();
      child.unref();
      if (failure === undefined) resolve({ message: message as Readonly<Record<string, unknown>>, notes: said() });
      else reject(failure);
    });
    child.once('exit', (status, signal) => {
      const why = said().at(-1) ?? `Its host ended with ${status ?? signal}.`;
      reject(
        new ForewordError('session-gone', `The session could not be started. ${why}`, {
          hint: 'foreword doctor shows what is missing.',
        }),
      );
    });
  });
  // Whoever does not wait for it hears of another failure.
  told.catch(() => undefined);
  return {
    told,
    send: (message) => {
      // One that died says so by `told`.
      if (child.connected) child.send(message, () => undefined);
    },
    giveUp: async () => {
      if (isRunning) return 'runs';
      if (child.connected) child.disconnect();
      child.ref();
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await ended;
      clearTimeout(timer);
      return 'ended';
    },
  };
}
