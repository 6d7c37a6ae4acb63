// A session that `foreword start` began: its host put the context into a file for us to print, and gets reports of
// what hooks see. The environment of the session names both.

import { dirname, join } from 'node:path';
import { safeText } from '../kernel/safe-text.ts';
import { MEANWHILE_FILE } from '../kernel/session.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { takeClaim } from './claims.ts';
import { clipped } from './clip.ts';
import { epochOf } from './epochs.ts';
import { type HookCall, type HookOutput, isLive } from './hook-call.ts';
import { reportToHost } from './report.ts';
import { idsIn } from './transcript.ts';

/** What the host handed over, once per epoch; `undefined` when there is nothing, or it was printed. Sub-agents are not the
 *  session that it is for. After a compaction or a clearing it is out of date: in a project our own composition, which knows what
 *  the session did since, takes its place. */
export function contextOfHost(call: HookCall): HookOutput | undefined {
  const path = call.env.FOREWORD_CONTEXT_FILE;
  if (!isLive(call) || path === undefined || path === '' || call.subagent !== undefined) return undefined;
  if (call.root !== undefined && epochOf(call.folder) > 0) return undefined;
  const given = readContext(path);
  if (given === undefined) {
    call.note(`the context file of the session's host could not be read: ${path}`);
    return undefined;
  }
  // The epoch is of the agent's session; a new one of those in the same terminal has a context of its own.
  const claims = join(`${path}.said`, `${call.name}@${epochOf(call.folder)}`);
  const claim = takeClaim(claims, call.ports.now());
  if (claim.kind === 'held') return undefined;
  return { id: given.id, text: clipped(safeText(given.text), call.dialect), claim };
}

/** What the host wants its agent to know with its next prompt, once; `undefined` when there is nothing, or it was printed. */
export function meanwhileOfHost(call: HookCall): HookOutput | undefined {
  const { FOREWORD_SOCKET: socket = '' } = call.env;
  const isAsked = call.prompt !== undefined && call.prompt !== '' && call.subagent === undefined;
  if (!isLive(call) || socket === '' || !isAsked) return undefined;
  const path = join(dirname(socket), MEANWHILE_FILE);
  const given = readContext(path);
  if (given === undefined || !DELIVERY_ID.test(given.id)) return undefined;
  const claim = takeClaim(join(`${path}.said`, given.id), call.ports.now());
  if (claim.kind === 'held') return undefined;
  return { id: given.id, text: clipped(safeText(given.text), call.dialect), claim };
}

const DELIVERY_ID = /^fw_[a-z0-9]{4,40}$/;

/** The line of the host's context that names the commands an agent can print; empty where there is none. */
export function commandsOfHost(call: HookCall): string {
  const path = call.env.FOREWORD_CONTEXT_FILE;
  const given = isLive(call) && path !== undefined && path !== '' ? readContext(path) : undefined;
  return given?.commands === undefined ? '' : `\n\n${safeText(given.commands)}`;
}

interface HostContext {
  readonly id: string;
  readonly text: string;
  readonly commands?: string;
}

function readContext(path: string): HostContext | undefined {
  const read = readTextFile(path);
  if (read.kind !== 'text') return undefined;
  try {
    const value: unknown = JSON.parse(read.text);
    if (typeof value !== 'object' || value === null || !('id' in value) || !('text' in value)) return undefined;
    const { id, text, commands } = value as Readonly<Record<string, unknown>>;
    if (typeof id !== 'string' || typeof text !== 'string') return undefined;
    return { id, text, ...(typeof commands === 'string' ? { commands } : {}) };
  } catch {
    return undefined;
  }
}

/** Reports the call to the host; `printed` is the id of the host's context when that was just printed. */
export async function notifyHost(call: HookCall, printed: string | undefined): Promise<void> {
  const { env, ports } = call;
  const { FOREWORD_SESSION: session, FOREWORD_SOCKET: socket } = env;
  if (session === undefined || session === '' || socket === undefined || socket === '') return;
  const isReceived = await reportToHost(socket, {
    kind: 'hook',
    session,
    event: call.event,
    agent: call.dialect.agent,
    hookSession: call.session,
    ...(call.subagent === undefined ? {} : { subagent: call.subagent }),
    ...(call.source === undefined ? {} : { source: call.source }),
    ...(call.transcript === undefined ? {} : { transcriptPath: call.transcript }),
    ids: idsIn(call.prompt ?? ''),
    ...(printed === undefined ? {} : { printed }),
    at: new Date(ports.now() - ports.elapsed()).toISOString(),
  });
  if (!isReceived) call.note('the host of the session does not reply');
}
