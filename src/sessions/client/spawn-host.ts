// Starts the program that hosts a session. Small, so that the new process is under way before anything else is loaded: both
// start up side by side, one to prepare the session, the other to host it.

import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, readFileSync } from 'node:fs';
import { ForewordError } from '../../kernel/errors.ts';
import type { SessionPlace } from '../../kernel/session.ts';
import type { Environment } from '../../system/environment.ts';
import { openFaultFile } from '../../system/processes/fault-log.ts';
import { errorOf, type HostMessage, type PreparedMessage } from '../host/messages.ts';
import { type HostChoices, type HostRequest, withHostRequest } from '../host/request.ts';
import { removePlace, type SessionPlaces } from '../places.ts';
import type { TmuxTerminals } from '../terminals.ts';

export interface HostProcess {
  /** The message of a host that runs, and what it logged by then. Rejects with the error that ended it before. */
  readonly started: Promise<{ readonly message: StartedMessage; readonly notes: readonly string[] }>;
  /** Does nothing when the host is gone: `started` rejects with the reason. */
  send(message: PreparedMessage): void;
  /** Ends it and waits until it is gone. Does nothing once its session runs. */
  cancel(): Promise<'ended' | 'runs'>;
}

export type StartedMessage = Exclude<HostMessage, { readonly kind: 'failed' }>;

export interface NewHost extends HostProcess {
  readonly place: SessionPlace;
}

export interface SpawnParts {
  /** The built program. */
  readonly program: string;
  readonly env: Environment;
  /** The folder the host runs in. */
  readonly cwd: string;
  readonly places: Pick<SessionPlaces, 'at' | 'make'>;
}

/** A host ends soon after its starter is gone. */
const PATIENCE_MS = 5_000;

/** A host that waits for the session it is to run. Throws when the folder of the session cannot be made. */
export function spawnNewHost(
  request: HostChoices,
  parts: SpawnParts & { readonly endTmux: TmuxTerminals['end'] },
): NewHost {
  const place = parts.places.make();
  const { agent, store, fleet, allowVolatile, allowPlainRedis, isFresh, config } = request;
  const chosen: HostChoices = { agent, store, fleet, allowVolatile, allowPlainRedis, isFresh, config };
  const whole: HostRequest = { kind: 'new', session: place.id, ...chosen };
  const host = orRemove(place, () => spawnHost(whole, parts));
  return {
    ...host,
    place,
    cancel: async () => {
      if ((await host.cancel()) === 'runs') return 'runs';
      // A host that was killed leaves its agent in tmux.
      await parts.endTmux(place.tmux);
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

/** The host logs to the session's log. Its id and the agent are on the command line for people who look at processes. */
export function spawnHost(request: HostRequest, { program, env, cwd, places }: SpawnParts): HostProcess {
  const { log: path } = places.at(request.session);
  const log = openFaultFile(path);
  const from = fstatSync(log).size;
  const notes = (): readonly string[] => linesAfter(path, from);
  const child = spawn(process.execPath, [program, request.session, request.agent], {
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', log, 'ipc'],
    env: withHostRequest(env, request) as NodeJS.ProcessEnv,
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  let isRunning = false;
  const started: HostProcess['started'] = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (message: HostMessage) => {
      isRunning = message.kind !== 'failed';
      if (child.connected) child.disconnect();
      child.unref();
      if (message.kind === 'failed') reject(errorOf(message.error));
      else resolve({ message, notes: notes() });
    });
    child.once('exit', (status, signal) => reject(hostEnded(notes().at(-1), status ?? signal)));
  });
  // A caller that does not wait for it has another error to report.
  started.catch(() => undefined);
  return {
    started,
    send: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    cancel: async () => {
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

function linesAfter(path: string, from: number): readonly string[] {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  return bytes.subarray(from).toString().split('\n').filter(Boolean);
}

function hostEnded(last: string | undefined, how: number | string | null): ForewordError {
  const why = last ?? `Its host ended with ${how}.`;
  return new ForewordError('session-gone', `The session could not be started. ${why}`, {
    hint: 'foreword doctor shows what is missing.',
  });
}
