// Sessions seen from outside: finding one, speaking to it, sitting down at it, and the host that stays behind with a
// session in tmux. A host that died is started again by whoever needs it; its agent lives on in tmux.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DeliveryRecord } from './core/delivery.ts';
import { isEnded } from './core/delivery.ts';
import { type ErrorCode, ForewordError, isForewordError } from './core/errors.ts';
import { isAtLeast } from './core/receipt.ts';
import type { SessionRecord } from './core/session.ts';
import { environment } from './environment.ts';
import { replaceFile } from './files/atomic.ts';
import { closeDeadSession } from './sessions/close-dead.ts';
import { removeSessionFolder } from './sessions/folder.ts';
import { isHosted, isHostedSoon, isInTmux, isThere } from './sessions/presence.ts';
import { askSocket, type Message } from './sessions/socket.ts';
import type { Project } from './wire.ts';
import { runSession, type SessionOptions } from './wire-host.ts';
import { interactiveAgent, prepareSession, requiredProof } from './wire-session.ts';

/** Tells a new process that it is a host: of a new session (`new`), or of one whose host died (its id). */
export const HOST_VARIABLE = 'FOREWORD_HOST';

const SIZE = { cols: 120, rows: 40 };

export interface SessionView extends SessionRecord {
  readonly waiting: readonly { readonly id: string; readonly reason: string }[];
}

export async function listSessions(
  project: Project,
  how: { readonly isAll: boolean },
): Promise<readonly SessionView[]> {
  const stores = await project.readStores();
  const records = (await stores.sessions.list()).map(({ value }) => value);
  const seen = await Promise.all(records.map((one) => asSeen(project, one)));
  const shown = seen.filter((one) => how.isAll || one.readiness !== 'gone');
  return Promise.all(
    shown.map(async (record) => {
      const open = (await stores.deliveries.list(record.id)).map(({ value }) => value).filter((one) => !isEnded(one));
      return {
        ...record,
        waiting: open.flatMap(({ id, waiting: reason }) => (reason === undefined ? [] : [{ id, reason }])),
      };
    }),
  );
}

/** A record whose host and terminal are gone says so, whatever it said last. Its books are closed by whoever sees it. */
async function asSeen(project: Project, record: SessionRecord): Promise<SessionRecord> {
  if (record.endedAt !== undefined) return { ...record, readiness: 'gone' };
  if (await isThere(record, project.clock.now())) return record;
  const { emit, newId, clock } = project;
  await closeDeadSession(record.id, { stores: await project.writeStores(), emit, newId, now: () => clock.now() });
  if (record.tmux !== undefined && existsSync(record.tmux.socket)) {
    const { endTmux } = await import('./terminals/tmux.ts');
    await endTmux(record.tmux);
  }
  return { ...record, readiness: 'gone', evidence: 'its wrapper died' };
}

/** By its id or the beginning of one; of those that run. */
export async function findSession(project: Project, id: string): Promise<SessionRecord> {
  const running = await listSessions(project, { isAll: false });
  const found = running.filter((one) => one.id.startsWith(id));
  const [only] = found;
  if (only !== undefined && (found.length === 1 || only.id === id)) return only;
  const there = running.map((one) => `${one.id} (${one.agent})`).join(', ');
  throw new ForewordError(
    'unknown-session',
    found.length > 1 ? `More than one session begins with "${id}".` : `No session "${id}" runs.`,
    { hint: there === '' ? 'foreword start AGENT begins one.' : `There are ${there}.` },
  );
}

/** Says something to a session and follows the delivery it made to its end. */
export async function askSession(
  project: Project,
  record: SessionRecord,
  message: Message,
  onChange: (delivery: DeliveryRecord) => void,
): Promise<DeliveryRecord> {
  let last: DeliveryRecord | undefined;
  await speak(project, record, message, (answer) => {
    const delivery = answer.delivery as DeliveryRecord | undefined;
    if (delivery === undefined) return false;
    last = delivery;
    if (answer.kind === 'changed') onChange(delivery);
    return answer.kind === 'done';
  }).catch((error: unknown) => {
    if (last === undefined || !isForewordError(error) || error.code !== 'session-gone') throw error;
    // It is stored: whoever sends the same once more would give it twice.
    throw new ForewordError('session-gone', `The wrapper of ${record.id} died; ${last.id} was ${last.proof} by then.`, {
      hint: 'It is kept: foreword receipts shows what becomes of it. Do not send it again.',
      cause: error,
    });
  });
  if (last === undefined) throw new ForewordError('session-gone', 'The session gave no answer.');
  return last;
}

export async function tellSession(project: Project, record: SessionRecord, message: Message): Promise<void> {
  await speak(project, record, message, (answer) => answer.kind === 'done');
}

async function speak(
  project: Project,
  record: SessionRecord,
  message: Message,
  onAnswer: (answer: Message) => boolean,
): Promise<void> {
  await ensureHost(project, record);
  const refused: { error?: { code: ErrorCode; message: string; hint?: string } } = {};
  await askSocket(record.socket ?? '', message, (answer) => {
    if (answer.kind !== 'error') return onAnswer(answer);
    refused.error = answer.error as { code: ErrorCode; message: string; hint?: string };
    return true;
  });
  if (refused.error === undefined) return;
  const { code, message: said, hint } = refused.error;
  throw new ForewordError(code, said, hint === undefined ? {} : { hint });
}

/** The session a failed text goes to: the one named, the one it was meant for, or the only one that runs. */
export async function sessionForRedelivery(
  project: Project,
  delivery: string,
  named: string | undefined,
): Promise<SessionRecord> {
  if (named !== undefined) return findSession(project, named);
  const stores = await project.readStores();
  const record = (await stores.deliveries.get(delivery))?.value;
  if (record === undefined) {
    throw new ForewordError('bad-usage', `There is no delivery ${delivery}.`, {
      hint: 'foreword receipts --failed lists those that can be sent again.',
    });
  }
  const running = await listSessions(project, { isAll: false });
  const own = running.find((one) => one.id === record.session);
  if (own !== undefined) return own;
  const [only, other] = running;
  if (only !== undefined && other === undefined) return only;
  throw new ForewordError('session-gone', `Session ${record.session}, for which ${delivery} was meant, has ended.`, {
    hint: only === undefined ? 'Start one: foreword start AGENT --detach.' : 'Name another with --to.',
  });
}

/** Answers the status of the agent when it ended meanwhile, else 0. */
export async function attachSession(project: Project, id: string | undefined): Promise<number> {
  const inTmux = (await listSessions(project, { isAll: false })).filter((one) => one.tmux !== undefined);
  const record = id === undefined && inTmux.length === 1 ? inTmux[0] : await findSession(project, id ?? '');
  if (record?.tmux === undefined) {
    throw new ForewordError('bad-usage', `Session ${record?.id} runs in another terminal, not in tmux.`, {
      hint: 'Only sessions started with --tmux or --detach can be attached.',
    });
  }
  await ensureHost(project, record);
  const { attachCommand } = await import('./terminals/tmux.ts');
  const [program = 'tmux', ...args] = attachCommand(record.tmux);
  await new Promise<void>((resolve, reject) => {
    const { TMUX: _, ...env } = environment();
    const child = spawn(program, args, { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  return statusAfter(project, record.id);
}

/** The host writes the end down a moment after the screen is gone. */
async function statusAfter(project: Project, id: string): Promise<number> {
  for (let tries = 0; tries < 20; tries += 1) {
    const stores = await project.readStores();
    const record = (await stores.sessions.get(id))?.value;
    if (record?.endedAt !== undefined) return record.exitStatus ?? 0;
    if (record !== undefined && tries >= 4 && isInTmux(record) && (await isHosted(record))) return 0;
    await project.clock.wait(100);
  }
  return 0;
}

export interface Cleaned {
  readonly removed: readonly { readonly path: string; readonly isDeleted: boolean }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  readonly folders: readonly string[];
}

/** Blocks in instruction files, and the folders of sessions that are gone. */
export async function cleanProject(project: Project, how: { readonly isOnlyExpired: boolean }): Promise<Cleaned> {
  const { removeBlocks } = await import('./files/managed-block-file.ts');
  const now = new Date(project.clock.now()).toISOString();
  const done = removeBlocks(project.root, how.isOnlyExpired ? { expiredBefore: now } : undefined);
  const gone = (await listSessions(project, { isAll: true })).filter((one) => one.readiness === 'gone');
  const folders = gone.flatMap(({ folder }) => (folder !== undefined && existsSync(folder) ? [folder] : []));
  for (const folder of folders) removeSessionFolder(folder);
  return {
    removed: done.flatMap((one) => (one.kind === 'removed' ? [one] : [])),
    refused: done.flatMap((one) => (one.kind === 'refused' ? [one] : [])),
    folders,
  };
}

export async function startDetached(project: Project, options: SessionOptions): Promise<number> {
  const role = environment()[HOST_VARIABLE];
  if (role === 'new') return hostNew(project, options);
  if (role !== undefined) return hostAgain(project, role);
  const said = await spawnHost(argsOf(options), project.cwd, 'new');
  const record = said.session as SessionRecord;
  const startup = said.startup as string | undefined;
  if (!options.isDetached) {
    options.out.note(`session ${record.id}; leave it with Ctrl-b d, come back with foreword attach ${record.id}`);
    return attachSession(project, record.id);
  }
  let delivery: DeliveryRecord | undefined;
  if (options.wait !== undefined && startup !== undefined) {
    const message = { kind: 'follow', id: startup, wait: options.wait };
    delivery = await askSession(project, record, message, ({ waiting }) => {
      if (waiting !== undefined) options.out.note(`the startup context waits: ${waiting}`);
    });
  }
  const isEnough = options.wait === undefined || (delivery !== undefined && isAtLeast(delivery.proof, options.wait));
  if (options.isJson) options.out.json({ session: record, ...(delivery === undefined ? {} : { startup: delivery }) });
  else {
    const how =
      delivery === undefined
        ? ''
        : `; startup context ${delivery.proof}${delivery.reason === undefined ? '' : ` (${delivery.reason})`}`;
    options.out.print(`${record.id}: ${record.agent} runs${how}. foreword attach ${record.id}`);
  }
  return isEnough ? 0 : 1;
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
    ...flag('store', options.store),
    ...flag('config', options.config),
    '--',
    ...options.args,
  ];
}

async function hostNew(project: Project, options: SessionOptions): Promise<number> {
  const prepared = await prepareSession(project, { ...options, isUnattended: options.isDetached });
  const { openTmux, personActivity } = await import('./terminals/tmux.ts');
  const place = { socket: join(prepared.folder, 'tmux'), session: prepared.id };
  const { config } = options;
  if (config !== undefined)
    replaceFile(join(prepared.folder, CONFIG_NOTE), resolve(project.cwd, config), { mode: 0o600 });
  const { [HOST_VARIABLE]: _, ...env } = prepared.env;
  const terminal = await openTmux({ command: prepared.command, cwd: project.cwd, env, size: SIZE }, place);
  const personAt = () => personActivity(place);
  const running = await runSession(project, prepared, { terminal, size: SIZE, tmux: place, personAt });
  process.send?.({ session: running.host.record(), startup: prepared.startup?.id });
  await running.ended;
  return 0;
}

/** A new host for a session whose host died. */
async function hostAgain(project: Project, id: string): Promise<number> {
  const { sessions } = await project.writeStores();
  const found = await sessions.get(id);
  const record = found?.value;
  if (found === undefined || record?.tmux === undefined || record.folder === undefined) {
    throw new ForewordError('unknown-session', `Session ${id} cannot be taken over.`);
  }
  // Two commands may need it at the same time. Whoever writes itself down first is its host; nothing is done before.
  const before = { value: { ...record, pid: process.pid }, version: found.version + 1 };
  if ((await isHostedSoon(record, project.clock)) || !(await sessions.put(id, before.value, found.version))) {
    throw new ForewordError('conflict', `Session ${id} has a host already.`);
  }
  const agent = interactiveAgent(project, record.agent);
  const { attachTmux, personActivity } = await import('./terminals/tmux.ts');
  const place = record.tmux;
  const terminal = await attachTmux(place, { hasBracketedPaste: takesPastes(record, project.clock.now()) });
  const prepared = {
    id,
    folder: record.folder,
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
  process.send?.({ session: running.host.record() });
  await running.ended;
  return 0;
}

/** tmux does not tell, so what the dead host wrote down counts. It may have died in the moment between seeing it and writing
 *  it down: of a young session it is assumed, and before typing the terminal must be raw and the composer shown anyway. */
function takesPastes(record: SessionRecord, now: number): boolean {
  return record.hasBracketedPaste === true || now - Date.parse(record.startedAt) < YOUNG_MS;
}

const YOUNG_MS = 15_000;

/** Starts a new host where the old one died and the agent lives on. Throws `session-gone` where nothing lives. */
async function ensureHost(project: Project, record: SessionRecord): Promise<void> {
  if (await isHostedSoon(record, project.clock)) return;
  if (!isInTmux(record)) {
    throw new ForewordError('session-gone', `Session ${record.id} is gone: its wrapper died, and its agent with it.`, {
      hint: 'foreword receipts --failed lists what it was not given; start a new session and redeliver.',
    });
  }
  const args = [record.agent, '--tmux', '--detach', '--cwd', record.cwd, ...storeArgs(project), ...configArgs(record)];
  await spawnHost(args, record.cwd, record.id).catch(async (error: unknown) => {
    // Another command needed it at the same time, and its host was first.
    const now = (await (await project.readStores()).sessions.get(record.id))?.value;
    if (now === undefined || !(await isHostedSoon(now, project.clock, 5000))) throw error;
  });
}

/** The configuration that a session was started with has its agent: a new host needs it, whoever starts it. */
function configArgs({ folder }: SessionRecord): readonly string[] {
  const note = join(folder ?? '', CONFIG_NOTE);
  return existsSync(note) ? ['--config', readFileSync(note, 'utf8')] : [];
}

const CONFIG_NOTE = 'config-path';

function storeArgs(project: Project): readonly string[] {
  return project.config.store === undefined ? [] : ['--store', project.config.store];
}

/** Starts this very command once more, as the host of a session, and hears from it when it runs. */
function spawnHost(args: readonly string[], cwd: string, role: string): Promise<Readonly<Record<string, unknown>>> {
  const child = spawn(process.execPath, [join(__dirname, 'start.cjs'), 'start', ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...environment(), [HOST_VARIABLE]: role } as NodeJS.ProcessEnv,
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      child.disconnect();
      child.stderr?.destroy();
      child.unref();
      resolve(message as Readonly<Record<string, unknown>>);
    });
    child.once('exit', (status) => {
      const [why = `it ended with ${status}`, hint] = said.trim().split('\n');
      reject(
        new ForewordError('session-gone', `The session could not be started. ${why.replace(/^foreword: /, '')}`, {
          hint: hint?.trim() ?? 'foreword doctor shows what is missing.',
        }),
      );
    });
  });
}
