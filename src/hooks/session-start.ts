// The start of a session, and of each new context in it: after a compaction or a clearing the model knows nothing of what
// it was told. A resumed session still has it, if its transcript does.

import { join } from 'node:path';
import { completeClaim, isDone, takeClaim } from './claims.ts';
import { clipped } from './clip.ts';
import { beginEpoch, epochOf } from './epochs.ts';
import { gateClaims } from './gate.ts';
import { markOf } from './gate-text.ts';
import { contextOfHost } from './live.ts';
import { isLive, type Occasion, type Saying, told } from './occasion.ts';
import { lastSeen } from './seen.ts';
import { makeFolder, reasonOf } from './state.ts';
import { keepTold } from './told.ts';
import { hasLostMark, holdsMark } from './transcript.ts';

export async function sessionStart(occasion: Occasion): Promise<Saying | undefined> {
  const { source } = occasion;
  const isNewContext = source === 'compact' || source === 'clear';
  if (isNewContext) await newEpoch(occasion);
  if (source === 'resume' || source === 'fork') await settleResumed(occasion);
  if (isLive(occasion)) {
    const isLater = occasion.dialect.hostAt === 'prompt' && !isNewContext;
    const given = isLater ? undefined : contextOfHost(occasion);
    // The host found another way in for the start; after a compaction there is only this one.
    if (given !== undefined || !isNewContext) return given;
  }
  return startup(occasion);
}

/** The startup context, once per epoch. */
export async function startup(occasion: Occasion): Promise<Saying | undefined> {
  const { root, folder, ports, state, dialect } = occasion;
  if (root === undefined || occasion.subagent !== undefined) return undefined;
  const claim =
    state.kind === 'open'
      ? takeClaim(startFolder(folder), ports.now())
      : ({ kind: 'unwritable', why: state.why } as const);
  if (claim.kind === 'held') return undefined;
  const id = ports.newId();
  const line = `${markOf('startup', id)} What is known of this project and of the work before this session. Facts, not a request.`;
  const composed = await ports.startup(root, dialect.maxChars - line.length - 2);
  for (const fault of composed?.faults ?? []) occasion.note(fault);
  if (composed === undefined || composed.text.trim() === '') {
    completeClaim(claim);
    return undefined;
  }
  const text = clipped(`${line}\n\n${composed.text.trimEnd()}`, dialect);
  return {
    id,
    claim,
    text,
    // The header is part of it: the first prompt need not say it again.
    afterwards: () => keepTold(occasion, composed.told),
    entry: {
      ...told(occasion),
      kind: 'context-printed',
      moment: 'session-start',
      context: id,
      chars: text.length,
      durationMs: Math.round(ports.elapsed()),
    },
  };
}

/** Before a compaction, for agents that say nothing after it. */
export async function preCompact(occasion: Occasion): Promise<void> {
  const { triggers } = occasion.dialect;
  if (triggers === undefined || triggers.includes(occasion.trigger ?? '')) await newEpoch(occasion);
}

export async function newEpoch(occasion: Occasion): Promise<void> {
  if (occasion.state.kind !== 'open') return;
  try {
    await beginEpoch(occasion.folder, occasion.ports.now());
  } catch (error) {
    occasion.note(`a new epoch could not be begun: ${reasonOf(error)}`);
  }
}

/** Where no event tells of a compaction. */
export async function settleCompacted(occasion: Occasion): Promise<void> {
  const { dialect, transcript, folder } = occasion;
  if (dialect.isCompactedSilently !== true) return;
  const isGateLost = isDone(gateClaims(occasion)) && hasLostMark(transcript, 'gate', dialect);
  const isStartLost = isDone(startFolder(folder)) && hasLostMark(transcript, 'startup', dialect);
  if (isGateLost || isStartLost) await newEpoch(occasion);
}

export function startFolder(session: string, epoch = epochOf(session)): string {
  return join(session, String(epoch), 'start');
}

/** Decides by the transcript what the model still has; where there is none to read, by what we said to this session. A
 *  fork has its own id and the transcript of another. Some agents do not give a resumed session all of its transcript. */
async function settleResumed(occasion: Occasion): Promise<void> {
  const { folder, dialect, state } = occasion;
  if (state.kind !== 'open') return;
  const old = dialect.isResumedInOldTranscript === true ? lastSeen(folder).path : '';
  const transcript = old === '' ? occasion.transcript : old;
  const saidGate = isDone(gateClaims(occasion));
  const saidStart = isDone(startFolder(folder));
  const { forgets } = dialect;
  const hasGate = !forgets.includes('gate') && (holdsMark(transcript, 'gate', dialect) ?? saidGate);
  const hasStart = !forgets.includes('startup') && (holdsMark(transcript, 'startup', dialect) ?? saidStart);
  if ((saidGate && !hasGate) || (saidStart && !hasStart)) await newEpoch(occasion);
  try {
    if (hasGate) makeFolder(join(gateClaims(occasion), 'done'));
    if (hasStart) makeFolder(join(startFolder(folder), 'done'));
  } catch (error) {
    occasion.note(`what a resumed session has could not be noted down: ${reasonOf(error)}`);
  }
}
