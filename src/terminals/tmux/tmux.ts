// An agent in tmux, on its own server: it outlives us, and a person can attach to it.
//
// The server is started with the agent's environment, since tmux passes its own on; no secret is in an argument.
// The pane first runs a placeholder and becomes the agent when our control client is attached, so that not one byte is
// missed. Commands name the session by its exact name, or the pane by its number.

import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import type { Terminal, TerminalStart } from '../../kernel/terminal.ts';
import { platform } from '../../system/platform.ts';
import { checkStart, withExactEnvironment } from '../pty/start-check.ts';
import { SET_BY_SHELLS } from './keeper.ts';
import { type Pane, readPane } from './pane.ts';
import { checkVersion, findTmux, runTmux, type TmuxPlace } from './program.ts';
import { connectPane, holdPane } from './terminal.ts';

export type { TmuxPlace } from './program.ts';

/** What a host that died had seen, as far as it was remembered. */
export interface Remembered {
  /** tmux before 3.7 does not report whether the agent asks for framed pastes. */
  readonly hasBracketedPaste?: boolean;
  /** Another process in the pane is not the agent. */
  readonly pid?: number;
}

/** The agent's PATH may begin with a folder of the repository, which could have a `sleep` of its own. */
const WAIT = 'PATH=/usr/bin:/bin:$PATH; while kill -0 "$0"; do sleep 5; done';
/** Becomes the agent; if we die before that, it goes by itself and the server with it. */
const PLACEHOLDER = ['/bin/sh', '-c', WAIT, String(process.pid)] as const;
/** What tmux sets and its programs need: TERM, TERM_PROGRAM and TMUX stay as tmux sets them. */
const SET_BACK = ['SHELL', 'PWD', 'PATH', 'COLORTERM', ...SET_BY_SHELLS];

const SERVER_OPTIONS = [
  ['-s', 'escape-time', '0'],
  ['-s', 'extended-keys', 'off'],
  ['-s', 'exit-unattached', 'off'],
  ['-g', 'default-terminal', 'screen-256color'],
  ['-g', 'default-shell', '/bin/sh'],
  ['-g', 'destroy-unattached', 'off'],
  ['-g', 'history-limit', '2000'],
  ['-g', 'lock-after-time', '0'],
  // As without tmux: the agent gets the mouse, and the person's terminal the agent's title.
  ['-g', 'mouse', 'on'],
  ['-g', 'set-titles', 'on'],
  ['-g', 'set-titles-string', '#T'],
  ['-g', 'status', 'off'],
  // A person who attaches brings no environment along.
  ['-g', 'update-environment', ''],
  ['-gw', 'allow-rename', 'off'],
  ['-gw', 'automatic-rename', 'off'],
  ['-gw', 'window-size', 'latest'],
] as const;

/** Throws `missing-program` without tmux, and `conflict` when a server runs at that place already. */
export async function openTmux(start: TerminalStart, place: TmuxPlace): Promise<Terminal> {
  checkStart(start);
  const reserved = await reserveTmux(start, place);
  return reserved.run(start);
}

/** A server and a pane in which an agent can start at once, for callers that do not know its command yet. */
export interface ReservedTmux {
  /** Once. The environment is all of the agent's, not only what is new. */
  run(start: Pick<TerminalStart, 'command' | 'env'>): Promise<Terminal>;
  /** For when no agent comes. Does nothing once one runs. */
  end(): Promise<void>;
}

/** Throws as `openTmux`. */
export async function reserveTmux(
  start: Pick<TerminalStart, 'cwd' | 'env' | 'size'>,
  place: TmuxPlace,
): Promise<ReservedTmux> {
  checkPlace(place);
  const program = findTmux({ path: start.env.PATH ?? '', cwd: start.cwd });
  if (existsSync(place.socket)) await refuseLiving(program, place);
  const version = checkVersion(program);
  version.catch(() => undefined);
  const env = withoutTmux(start.env);
  const options = SERVER_OPTIONS.flatMap((option) => ['set-option', '-q', ...option, ';']);
  const size = ['-x', String(start.size.cols), '-y', String(start.size.rows)];
  const session = ['new-session', '-d', '-s', place.session, ...size, '-P', '-F', '#{pane_id}', '--', ...PLACEHOLDER];
  const args = ['start-server', ';', ...options, ...session];
  const beginning = runTmux(program, place, { args, env, cwd: start.cwd });
  beginning.catch(() => undefined);
  const end = async (): Promise<void> => {
    await beginning.catch(() => undefined);
    await runTmux(program, place, { args: ['kill-server'] }).catch(() => undefined);
  };
  const orEnd = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      await end();
      throw error;
    });
  // How an older version handles it is not defined.
  const printed = await orEnd(version.then(() => beginning));
  const held = await orEnd(holdPane({ program, place, id: printed.trim(), hasBracketedPaste: false }));
  let isTaken = false;
  return {
    run: async (agent) => {
      checkStart({ ...start, ...agent });
      const command = withExactEnvironment(agent, SET_BACK);
      const terminal = await orEnd(held.run(command, changesOf(env, withoutTmux(agent.env))));
      isTaken = true;
      return terminal;
    },
    end: async () => {
      if (isTaken) return;
      await held.release();
      await end();
    },
  };
}

function withoutTmux({ TMUX: _, TMUX_PANE: __, ...env }: Readonly<Record<string, string>>): Record<string, string> {
  return env;
}

/** The changes that turn one environment into the other. */
function changesOf(
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return Object.fromEntries([...names].flatMap((name) => (from[name] === to[name] ? [] : [[name, to[name]]])));
}

/** Takes a session over from a host that died. Its output begins with what the screen shows. Throws `session-gone`
 *  when there is no such session or the agent in it is another one. An agent that ended meanwhile is returned, too,
 *  with its status. */
export async function attachTmux(place: TmuxPlace, remembered: Remembered = {}): Promise<Terminal> {
  checkPlace(place);
  const program = findTmux();
  await checkVersion(program);
  const pane = await findPane(program, place);
  if (pane === undefined || (remembered.pid !== undefined && remembered.pid !== pane.pid)) {
    throw new ForewordError('session-gone', `The tmux session ${place.session} is gone.`, {
      hint: 'Start a new session.',
    });
  }
  const { id } = pane;
  return connectPane({ program, place, id, hasBracketedPaste: remembered.hasBracketedPaste ?? false });
}

/** Ends whatever runs at that place, where a host died before it could. */
export async function endTmux(place: TmuxPlace): Promise<void> {
  if (existsSync(place.socket)) await runTmux(findTmux(), place, { args: ['kill-server'] }).catch(() => undefined);
}

/** What a person runs to attach to the session: program and arguments. */
export function attachCommand(place: TmuxPlace): string[] {
  return [findTmux(), '-u', '-S', place.socket, 'attach-session', '-t', `=${place.session}`];
}

/** Shows another session of ours in a window of its own, or the agent's own window again. The window closes with the other
 *  session, and the agent's is shown then. */
export async function showInTmux(place: TmuxPlace, other: TmuxPlace | undefined): Promise<void> {
  const program = findTmux();
  const session = `=${place.session}`;
  const select = (window: string) => runTmux(program, place, { args: ['select-window', '-t', `${session}:${window}`] });
  if (other === undefined) return void (await select(FIRST_WINDOW));
  const list = ['list-windows', '-t', session, '-F', '#{window_name}'];
  const names = (await runTmux(program, place, { args: list })).split('\n');
  if (names.includes(other.session)) return void (await select(`=${other.session}`));
  const attach = ['/usr/bin/env', '-u', 'TMUX', '-u', 'TMUX_PANE', ...attachCommand(other)];
  const open = ['new-window', '-n', other.session, '-t', `${session}:`, '--', ...attach];
  await runTmux(program, place, { args: [...open, ';', 'set-option', '-w', 'remain-on-exit', 'off'] });
}

/** Whether another session of ours is in front. */
export async function isShownInTmux(place: TmuxPlace, other: TmuxPlace): Promise<boolean> {
  const args = ['display-message', '-p', '-t', `=${place.session}:`, '#{window_name}'];
  return (await runTmux(findTmux(), place, { args })).trim() === other.session;
}

const FIRST_WINDOW = '0';

/** A line below the screen of whoever is attached, and in the title of their terminal. */
export async function announceInTmux(place: TmuxPlace, text: string | undefined): Promise<void> {
  // What tmux would replace in it is doubled.
  const plain = text?.replace(/#/g, '##');
  const options =
    plain === undefined
      ? [
          ['status', 'off'],
          ['set-titles-string', '#T'],
        ]
      : [
          ['status', 'on'],
          ['status-format[0]', plain],
          ['set-titles-string', plain],
        ];
  const args = options.flatMap((option, index) => [...(index === 0 ? [] : [';']), 'set-option', '-g', ...option]);
  await runTmux(findTmux(), place, { args });
}

/** A line below the screen of whoever is attached, for some seconds or until a key is pressed. */
export async function sayInTmux(place: TmuxPlace, text: string): Promise<void> {
  const program = findTmux();
  const list = ['list-clients', '-t', `=${place.session}`, '-F', '#{client_name}'];
  const clients = (await runTmux(program, place, { args: list })).split('\n').filter((name) => name !== '');
  // What tmux would replace in it is doubled.
  const said = text.replace(/#/g, '##');
  for (const client of clients)
    await runTmux(program, place, { args: ['display-message', '-c', client, '-d', '4000', said] });
}

/** When a person last pressed a key in a terminal attached to the session, in milliseconds; `undefined` when nobody is
 *  attached, or pressed one since. tmux counts in seconds: the end of the second is meant, never later than now. */
export async function personActivity(place: TmuxPlace): Promise<number | undefined> {
  const args = [
    'list-clients',
    '-t',
    `=${place.session}`,
    '-F',
    '#{client_control_mode} #{client_activity} #{client_created}',
  ];
  const printed = await runTmux(findTmux(), place, { args }).catch(() => '');
  const seconds = printed.split('\n').flatMap((line) => {
    const [isControl, activity, created] = line.split(' ').map(Number);
    // To attach is counted as activity by tmux.
    return isControl === 0 && activity !== undefined && activity !== created ? [activity] : [];
  });
  return seconds.length === 0 ? undefined : Math.min(Date.now(), Math.max(...seconds) * 1000 + 999);
}

/** `undefined` when no server replies there, or it has no such session. */
async function findPane(program: string, place: TmuxPlace): Promise<Pane | undefined> {
  try {
    return await readPane(program, place, `=${place.session}:${FIRST_WINDOW}`);
  } catch {
    return undefined;
  }
}

async function refuseLiving(program: string, place: TmuxPlace): Promise<void> {
  const lives = await runTmux(program, place, { args: ['list-sessions'] }).catch(() => undefined);
  if (lives === undefined) return;
  throw new ForewordError('conflict', `A tmux server runs at ${place.socket} already.`, {
    hint: 'Attach to its session, or use another place.',
  });
}

/** Everyone who can write to the socket can type to the agent: the folder must be private. */
function checkPlace({ socket, session }: TmuxPlace): void {
  if (!/^[A-Za-z0-9_-]{1,80}$/.test(session)) {
    throw new ForewordError('bad-usage', `"${session}" is not a valid name of a tmux session.`);
  }
  if (Buffer.byteLength(socket) > platform.longestSocket) {
    throw new ForewordError('bad-usage', `The path of the tmux socket is too long: ${socket}.`, {
      hint: `It can have at most ${platform.longestSocket} bytes. Set XDG_RUNTIME_DIR or TMPDIR to a shorter folder.`,
    });
  }
  const folder = dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(folder);
  if (uid !== userInfo().uid || (mode & 0o77) !== 0 || (mode & 0o170000) !== 0o040000) {
    throw new ForewordError('bad-usage', `Other users can access ${folder}, so a session there would not be safe.`, {
      hint: `Make the folder private: chmod 700 ${folder}`,
    });
  }
}
