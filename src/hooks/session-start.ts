// The start of a session, and of each new context in it: after a compaction or a clearing the model has lost what it
// was given. A resumed session still has it, if its transcript does.

import { join } from 'node:path';
import { makeFolder } from '../system/files/make-folder.ts';
import { isInRun } from '../system/files/project-state.ts';
import { completeClaim, isDone, takeClaim } from './claims.ts';
import { clipped } from './clip.ts';
import { beginEpoch, type EpochCause, epochOf, isBegunBy, keepCause } from './epochs.ts';
import { endOf, idNotIn, markOf } from './fences.ts';
import { settleResumedLive } from './first-conversation.ts';
import { gateClaims } from './gate.ts';
import { entryBase, type HookCall, type HookOutput, isLive, type StartupReader } from './hook-call.ts';
import { keepWork } from './keep-work.ts';
import { commandsOfHost, contextOfHost } from './live.ts';
import { printAgain } from './printed.ts';
import { lastSeen } from './seen.ts';
import { startFolder } from './start-folder.ts';
import { reasonOf } from './state.ts';
import { hasLostMark, holdsMark } from './transcript.ts';

export async function sessionStart(call: HookCall): Promise<HookOutput | undefined> {
  const { source } = call;
  const isNewContext = source === 'compact' || source === 'clear';
  if (isNewContext) await newEpoch(call);
  if (source === 'resume' || source === 'fork') await settleResumed(call);
  if (isInRun(call.env)) return undefined;
  await keepWork(call, 'start');
  if (call.dialect.startsAt === 'prompt' && !isNewContext) return undefined;
  if (isLive(call)) {
    const given = contextOfHost(call);
    // The host has a channel of its own for the start; after a compaction or a clearing there is only this one.
    if (given !== undefined || !isNewContext) return given;
  }
  return startup(call);
}

/** The startup context, once per epoch. */
export async function startup(call: HookCall): Promise<HookOutput | undefined> {
  const { root, folder, ports, state, dialect } = call;
  if (root === undefined || call.subagent !== undefined) return undefined;
  const claim =
    state.kind === 'open'
      ? takeClaim(startFolder(folder), ports.now())
      : ({ kind: 'unwritable', why: state.why } as const);
  if (claim.kind === 'held') return undefined;
  const commands = commandsOfHost(call);
  const frame = (id: string) => ({
    line: `${markOf('startup', id)} What is known of this project and of the work before this session. Facts, not a request.\n\n`,
    end: `${commands}\n\n${endOf('startup', id)}`,
  });
  // Ids are of one length.
  const { line: some, end: other } = frame(ports.newId());
  const reader = readerOf(call);
  const composed = await ports.startup(root, dialect.maxChars - some.length - other.length, reader);
  for (const fault of composed?.faults ?? []) call.note(fault);
  if (composed === undefined || composed.text.trim() === '') {
    completeClaim(claim);
    return undefined;
  }
  const id = idNotIn([composed.text], () => ports.newId());
  const { line, end } = frame(id);
  const { maxChars, maxBytes } = dialect;
  const room = { maxChars: maxChars - end.length, maxBytes: maxBytes - end.length };
  const text = clipped(line + composed.text.trimEnd(), room) + end;
  return {
    id,
    what: 'startup',
    claim,
    text,
    // The header is part of it: the first prompt need not print it again.
    header: composed.shown,
    entry: {
      ...entryBase(call),
      kind: 'context-printed',
      moment: reader.isCompacted ? 'compaction' : 'session-start',
      context: id,
      chars: text.length,
      durationMs: Math.round(ports.elapsed()),
    },
  };
}

/** A new epoch that neither a clearing nor a resumption began: the agent made its context shorter. */
function readerOf({ dialect, session, transcript, source, folder }: HookCall): StartupReader {
  const isCleared = source === 'clear' || isBegunBy(folder, 'cleared');
  const isLater = source === undefined && epochOf(folder) > 0 && !isCleared && !isBegunBy(folder, 'resumed');
  return { agent: dialect.agent, session, transcript, isCompacted: source === 'compact' || isLater, isCleared };
}

/** Before a compaction, for agents that have no event after it. */
export async function preCompact(call: HookCall): Promise<void> {
  const { triggers } = call.dialect;
  if (triggers === undefined || triggers.includes(call.trigger ?? '')) await newEpoch(call);
}

const CAUSES: Readonly<Record<string, EpochCause>> = { clear: 'cleared', resume: 'resumed', fork: 'resumed' };

async function newEpoch(call: HookCall): Promise<void> {
  if (call.state.kind !== 'open') return;
  try {
    await beginEpoch(call.folder, call.ports.now());
    const cause = call.source === undefined ? undefined : CAUSES[call.source];
    if (cause !== undefined) await keepCause(call.folder, cause);
  } catch (error) {
    call.note(`a new epoch could not be started: ${reasonOf(error)}`);
  }
}

/** Where no event reports a compaction. */
export async function settleCompacted(call: HookCall): Promise<void> {
  const { dialect, transcript, folder } = call;
  if (dialect.isCompactedSilently !== true) return;
  const isGateLost = isDone(gateClaims(call)) && hasLostMark(transcript, 'gate', dialect);
  const isStartLost = isDone(startFolder(folder)) && hasLostMark(transcript, 'startup', dialect);
  // What the model still has is not said again.
  if (isGateLost && !isStartLost && holdsMark(transcript, 'startup', dialect) === true) printAgain(call, 'gate');
  else if (isGateLost || isStartLost) await newEpoch(call);
}

/** Decides by the transcript what the model still has; where there is none to read, by what we printed for this session. A
 *  fork has its own id and the transcript of another. Some agents do not give a resumed session all of its transcript. */
async function settleResumed(call: HookCall): Promise<void> {
  const { folder, dialect, state } = call;
  if (state.kind !== 'open') return;
  const old = dialect.isResumedInOldTranscript === true ? lastSeen(folder).path : '';
  const transcript = old === '' ? call.transcript : old;
  const printedGate = isDone(gateClaims(call));
  const printedStart = isDone(startFolder(folder));
  const { forgets } = dialect;
  const hasGate = !forgets.includes('gate') && (holdsMark(transcript, 'gate', dialect) ?? printedGate);
  const hasStart = !forgets.includes('startup') && (holdsMark(transcript, 'startup', dialect) ?? printedStart);
  if ((printedGate && !hasGate) || (printedStart && !hasStart)) await newEpoch(call);
  try {
    if (hasGate) makeFolder(join(gateClaims(call), 'done'));
    if (hasStart) makeFolder(join(startFolder(folder), 'done'));
    if (isLive(call)) settleResumedLive(call);
  } catch (error) {
    call.note(`what a resumed session still has could not be recorded: ${reasonOf(error)}`);
  }
}
