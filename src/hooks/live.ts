// A session that `foreword start` began: its host put the context into a file for us to print, and listens to what hooks
// see. The environment of the session names both.

import { join } from 'node:path';
import { safeText } from '../kernel/safe-text.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { takeClaim } from './claims.ts';
import { clipped } from './clip.ts';
import { epochOf } from './epochs.ts';
import { isLive, type Occasion, type Saying } from './occasion.ts';
import { reportToHost } from './report.ts';
import { idsIn } from './transcript.ts';

/** What the host handed over, once per epoch; `undefined` when there is nothing, or it was said. Sub-agents are not the
 *  session that it is for. */
export function contextOfHost(occasion: Occasion): Saying | undefined {
  const path = occasion.env.FOREWORD_CONTEXT_FILE;
  if (!isLive(occasion) || path === undefined || path === '' || occasion.subagent !== undefined) return undefined;
  const given = readContext(path);
  if (given === undefined) {
    occasion.note(`the context of the session's host cannot be read: ${path}`);
    return undefined;
  }
  // The epoch is of the agent's session; a new one of those in the same terminal has a context of its own.
  const claims = join(`${path}.said`, `${occasion.name}@${epochOf(occasion.folder)}`);
  const claim = takeClaim(claims, occasion.ports.now());
  if (claim.kind === 'held') return undefined;
  return { id: given.id, text: clipped(safeText(given.text), occasion.dialect), claim };
}

function readContext(path: string): { readonly id: string; readonly text: string } | undefined {
  const read = readTextFile(path);
  if (read.kind !== 'text') return undefined;
  try {
    const value: unknown = JSON.parse(read.text);
    if (typeof value !== 'object' || value === null || !('id' in value) || !('text' in value)) return undefined;
    const { id, text } = value;
    return typeof id === 'string' && typeof text === 'string' ? { id, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Tells the host; `printed` is the id of its own context when that was just said. */
export async function tellHost(occasion: Occasion, printed: string | undefined): Promise<void> {
  const { env, ports } = occasion;
  const { FOREWORD_SESSION: session, FOREWORD_SOCKET: socket } = env;
  if (session === undefined || session === '' || socket === undefined || socket === '') return;
  const isTold = await reportToHost(socket, {
    kind: 'hook',
    session,
    event: occasion.event,
    agent: occasion.dialect.agent,
    hookSession: occasion.session,
    ...(occasion.subagent === undefined ? {} : { subagent: occasion.subagent }),
    ...(occasion.source === undefined ? {} : { source: occasion.source }),
    ...(occasion.transcript === undefined ? {} : { transcriptPath: occasion.transcript }),
    ids: idsIn(occasion.prompt ?? ''),
    ...(printed === undefined ? {} : { printed }),
    at: new Date(ports.now()).toISOString(),
  });
  if (!isTold) occasion.note('the host of the session does not answer');
}
