// tmux as a program: found, known to be new enough, and run for one command at a time on a server of ours. Every command
// has its own process: what waits in the control client (tmux-control.ts) does not hold it up.

import { spawn } from 'node:child_process';
import { ForewordError } from '../../kernel/errors.ts';
import { findProgram, type SearchPlace } from '../../system/processes/find-program.ts';

/** Where a session lives: a server of its own behind a socket in a private folder. */
export interface TmuxPlace {
  readonly socket: string;
  readonly session: string;
}

export interface TmuxCommand {
  readonly args: readonly string[];
  /** Written to standard input. */
  readonly input?: Uint8Array | string;
  /** Of the client, and of the server when this starts it; empty unless given. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A tmux that does not reply by then hangs. */
export const LIMIT_MS = 5_000;
/** When this process was stopped meanwhile (SIGSTOP, a laptop asleep), its timer is due before it has read a reply that is
 *  there: this much time to read it. */
const UNREAD_MS = 200;
/** Flags of control clients, and sizes of sessions that nobody looks at. */
const OLDEST = [3, 2] as const;
const USUAL_FOLDERS = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin';
const NOWHERE: SearchPlace = { path: '', cwd: '/' };
const versions = new Map<string, Promise<string>>();

/** `where` is the PATH of a session and a folder of its project. Throws `missing-program` when tmux is not installed. */
export function findTmux(where: SearchPlace = NOWHERE, usual: string = USUAL_FOLDERS): string {
  const found = findProgram('tmux', { ...where, path: `${where.path}:${usual}` });
  if (found !== undefined) return found;
  throw new ForewordError('missing-program', 'tmux is not installed.', {
    hint: 'Install tmux 3.2 or newer, or start the agent without --tmux and --detach.',
  });
}

/** Throws `missing-program` when it is too old. Checked once per program. */
export async function checkVersion(program: string): Promise<void> {
  const asked = versions.get(program) ?? run(program, { args: ['-V'] });
  versions.set(program, asked);
  const version = (await asked).trim();
  // `tmux 3.3a`, `tmux next-3.7`; what has no number (`tmux master`) is newer than all of them.
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || Number(major) > OLDEST[0]) return;
  if (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]) return;
  throw new ForewordError('missing-program', `${program} is too old: its version is ${version}.`, {
    hint: 'Install tmux 3.2 or newer.',
  });
}

/** The command failed. `isAnswered`: tmux reported that; otherwise it may have been carried out. */
export type TmuxError = ForewordError & { readonly isAnswered: boolean };

/** One command, or several with `;` between them. Returns what it printed; throws a `TmuxError`. */
export function runTmux(program: string, place: TmuxPlace, command: TmuxCommand): Promise<string> {
  return run(program, { ...command, args: ['-u', '-S', place.socket, '-f', '/dev/null', ...command.args] });
}

function run(program: string, { args, input, env, cwd }: TmuxCommand): Promise<string> {
  const name = `tmux ${args.find((arg) => /^[a-z]+-[a-z]+$/.test(arg)) ?? args.join(' ')}`;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env }, cwd: cwd ?? '/', stdio: 'pipe' });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const giveUp = (): void => {
      child.kill('SIGKILL');
      reject(failed(name, `no reply within ${LIMIT_MS / 1000} s`, false));
    };
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, UNREAD_MS);
    }, LIMIT_MS);
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(failed(name, error.message, true));
    });
    child.once('close', (status, signal) => {
      clearTimeout(timer);
      if (status === 0) resolve(Buffer.concat(out).toString());
      else
        reject(failed(name, Buffer.concat(err).toString().trim() || `ended with ${status ?? signal}`, status !== null));
    });
    // It may end without having read.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function failed(name: string, why: string, isAnswered: boolean): TmuxError {
  return Object.assign(new ForewordError('internal', `${name} failed: ${why}`), { isAnswered });
}
