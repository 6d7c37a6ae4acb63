// Hosts of sessions in tmux: processes of their own that stay behind. A host that died is started again by whoever needs
// it; its agent lives on in tmux.

import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ForewordError } from './core/errors.ts';
import type { SessionRecord } from './core/session.ts';
import { environment } from './environment.ts';
import { replaceFile } from './files/atomic.ts';
import { openFaultFile } from './processes/fault-log.ts';
import { ownerHost, ownerPlace, ownerState } from './processes/owner.ts';
import { logOf, removeSessionFolder } from './sessions/folder.ts';
import { hostState, isElsewhere, isHosted, isInTmux, type Owners } from './sessions/presence.ts';
import { claimSession, isHostedSoon, type TakeOverParts } from './sessions/take-over.ts';
import type { Project } from './wire.ts';
import { hostName, runSession, type SessionOptions } from './wire-host.ts';
import { type HostRole, hostRole, tellStarter, toldFailure, withoutRole, withRole } from './wire-role.ts';
import { interactiveAgent, makePlace, prepareSession, requiredProof, type SessionPlace } from './wire-session.ts';

const SIZE = { cols: 120, rows: 40 };

/** In a process that was started as a host, and nowhere else: the session to its end. */
export async function hostHere(project: Project, options: SessionOptions): Promise<number | undefined> {
  const role = hostRole();
  if (role === undefined) return undefined;
  if (role.kind === 'take-over') return hostAgain(project, role.session);
  return hostNew(project, options, { id: role.session, folder: role.folder });
}

/** Starts a process that hosts a new session. */
export async function startHosted(
  project: Project,
  options: SessionOptions,
): Promise<{ readonly session: SessionRecord; readonly startup?: string }> {
  const { id, folder } = makePlace();
  try {
    const role = { kind: 'new', session: id, folder, ...storeOf(project) } as const;
    const { message, notes } = await spawnHost(argsOf(options), project.cwd, role);
    for (const note of notes) options.out.note(note.replace(/^foreword: /, ''));
    return message as unknown as { readonly session: SessionRecord; readonly startup?: string };
  } catch (error) {
    // A host that was killed leaves its agent in tmux.
    const { endTmux } = await import('./terminals/tmux.ts');
    await endTmux({ socket: join(folder, 'tmux'), session: id });
    removeSessionFolder(folder);
    throw error;
  }
}

/** The words of the same command for the host. */
function argsOf(options: SessionOptions): readonly string[] {
  const flag = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [`--${name}`, value];
  return [
    options.agent,
    '--tmux',
    ...(options.isDetached ? ['--detach'] : []),
    ...(options.hasContext ? [] : ['--no-context']),
    ...flag('channel', options.channel),
    ...(options.isDetached ? flag('wait', options.wait) : []),
    ...flag('config', options.config),
    '--',
    ...options.args,
  ];
}

async function hostNew(project: Project, options: SessionOptions, at: SessionPlace): Promise<number> {
  const prepared = await prepareSession(project, { ...options, isUnattended: options.isDetached }, at);
  // Before the agent: what cannot be written down cannot be proved.
  await project.writeStores();
  const { openTmux, personActivity } = await import('./terminals/tmux.ts');
  const place = { socket: join(prepared.folder, 'tmux'), session: prepared.id };
  const { config } = options;
  if (config !== undefined)
    replaceFile(join(prepared.folder, CONFIG_NOTE), resolve(project.cwd, config), { mode: 0o600 });
  const env = withoutRole(prepared.env);
  const terminal = await openTmux({ command: prepared.command, cwd: project.cwd, env, size: SIZE }, place);
  const personAt = () => personActivity(place);
  const given = { terminal, size: SIZE, tmux: place, personAt };
  const running = await runSession(project, prepared, given).catch(async (error: unknown) => {
    await terminal.end();
    throw error;
  });
  tellStarter({ session: running.host.record(), startup: prepared.startup?.id });
  await running.ended;
  return 0;
}

/** A new host for a session whose host died. */
async function hostAgain(project: Project, id: string): Promise<number> {
  const { sessions } = await project.writeStores();
  const { tmux: place, folder, agent: name } = (await sessions.get(id))?.value ?? {};
  if (place === undefined || folder === undefined || name === undefined) {
    throw new ForewordError('unknown-session', `Session ${id} cannot be taken over.`);
  }
  const agent = interactiveAgent(project, name);
  const claim = await claimSession(id, hostName(), takeOverParts(project, sessions));
  if (claim.kind === 'hosted') {
    tellStarter({});
    return 0;
  }
  const { before } = claim;
  const { attachTmux, personActivity } = await import('./terminals/tmux.ts');
  const terminal = await attachTmux(place, { hasBracketedPaste: takesPastes(before.value, project.clock.now()) });
  const prepared = {
    id,
    folder,
    agent,
    command: agent.interactive.command,
    env: environment() as Record<string, string>,
    required: requiredProof(project, agent.interactive),
  };
  const running = await runSession(project, prepared, {
    terminal,
    size: terminal.size(),
    tmux: place,
    before,
    personAt: () => personActivity(place),
  }).catch(async (error: unknown) => {
    await terminal.release();
    throw error;
  });
  tellStarter({ session: running.host.record() });
  await running.ended;
  return 0;
}

/** tmux does not tell, so what the dead host wrote down counts. It may have died in the moment between seeing it and writing
 *  it down: of a young session it is assumed, and before typing the terminal must be raw and the composer shown anyway. */
function takesPastes(record: SessionRecord, now: number): boolean {
  return record.hasBracketedPaste === true || now - Date.parse(record.startedAt) < YOUNG_MS;
}

const YOUNG_MS = 15_000;

/** Starts a new host where the old one died and the agent lives on. Throws `session-gone` where nothing lives, and
 *  `bad-usage` for a session of another machine. */
export async function ensureHost(project: Project, record: SessionRecord): Promise<void> {
  await refuseElsewhere(record);
  const { sessions } = await project.readStores();
  if (await isHostedSoon(record.id, takeOverParts(project, sessions))) return;
  if (!isInTmux(record)) {
    throw new ForewordError('session-gone', `Session ${record.id} is gone: its wrapper died, and its agent with it.`, {
      hint: 'foreword receipts --failed lists what it was not given; start a new session and redeliver.',
    });
  }
  const args = [record.agent, '--tmux', '--detach', '--cwd', record.cwd, ...configArgs(record)];
  // Where another command needed it at the same time and its host was first, ours says so and ends.
  await spawnHost(args, record.cwd, {
    kind: 'take-over',
    session: record.id,
    folder: record.folder ?? '',
    ...storeOf(project),
  });
}

/** Throws `bad-usage` for a session of another machine. */
export async function refuseElsewhere(record: SessionRecord): Promise<void> {
  if (!(await isElsewhere(record, OWNERS))) return;
  const host = ownerHost(record.owner ?? '');
  throw new ForewordError('bad-usage', `Session ${record.id} runs on ${host}, and cannot be reached from here.`, {
    hint: `Run this on ${host}. If that machine is gone for good: foreword sessions --forget ${record.id}`,
  });
}

export const OWNERS: Owners = { stateOf: ownerState, placeOf: ownerPlace };

function takeOverParts(project: Project, sessions: TakeOverParts['sessions']): TakeOverParts {
  return { sessions, clock: project.clock, isHosted, hostState: (record) => hostState(record, OWNERS) };
}

/** The configuration that a session was started with has its agent: a new host needs it, whoever starts it. */
function configArgs({ folder }: SessionRecord): readonly string[] {
  const note = join(folder ?? '', CONFIG_NOTE);
  return existsSync(note) ? ['--config', readFileSync(note, 'utf8')] : [];
}

const CONFIG_NOTE = 'config-path';

/** Wherever the host runs, it is the same store. */
function storeOf({ cwd, config: { store } }: Project): Pick<HostRole, 'store'> {
  if (store === undefined) return {};
  return { store: /^[a-z]+:\/\//i.test(store) ? store : resolve(cwd, store) };
}

/** Starts this very command once more, as the host of a session, and hears from it when it runs. Throws what the host
 *  threw. What the host has to say later it writes into the session's log: nobody reads from it any more. */
async function spawnHost(
  args: readonly string[],
  cwd: string,
  role: HostRole,
): Promise<{ readonly message: Readonly<Record<string, unknown>>; readonly notes: readonly string[] }> {
  const log = openFaultFile(logOf(role.folder));
  const from = fstatSync(log).size;
  const said = (): readonly string[] => {
    const bytes = existsSync(logOf(role.folder)) ? readFileSync(logOf(role.folder)) : Buffer.alloc(0);
    return bytes.subarray(from).toString().split('\n').filter(Boolean);
  };
  const child = spawn(process.execPath, [join(__dirname, 'start.cjs'), 'start', ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', log, 'ipc'],
    env: withRole(role) as NodeJS.ProcessEnv,
  });
  closeSync(log);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (message) => {
      child.disconnect();
      child.unref();
      const failure = toldFailure(message);
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
}
