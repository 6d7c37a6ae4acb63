// The end of a turn or of a session: looks once at what the agent wrote down since the last time, and records in the
// journal which of our texts the model was given and which context files it read. Prints nothing: at the end of a turn, a text
// would make the agent go on.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readHookSettings } from '../config/hook-settings.ts';
import type { HookEvent } from '../kernel/hook-events.ts';
import { gatePaths } from './gate.ts';
import { entryBase, type HookCall } from './hook-call.ts';
import { keepWork } from './keep-work.ts';
import { lookAtTexts } from './look-database.ts';
import { settleLost } from './printed.ts';
import { keepsDatabase, type SeenProofs } from './proofs.ts';
import { keepSeen, lastSeen } from './seen.ts';
import { settleCompacted } from './session-start.ts';
import { appendSpool, type SpoolEntry } from './spool.ts';
import { reasonOf } from './state.ts';
import { filesReadOf, look, type Seen } from './transcript.ts';

export async function stop(call: HookCall): Promise<void> {
  const { root, state, note } = call;
  if (root === undefined || state.kind !== 'open') return;
  try {
    for (const entry of [...(await seenEntries(call, root)), ...endEntry(call)]) appendSpool(state.folder, root, entry);
  } catch (error) {
    note(`the end of the session could not be recorded: ${reasonOf(error)}`);
  }
  await keepWork(call, call.event === 'session-end' ? 'end' : 'turn');
}

async function seenEntries(call: HookCall, root: string): Promise<readonly SpoolEntry[]> {
  const { folder } = call;
  const files = gatePaths(await readHookSettings(root, call.env)).filter((name) => existsSync(join(root, name)));
  const before = lastSeen(folder);
  const now = await lookNow(call, before, files);
  if (now === undefined || now.offset === before.offset) return [];
  await keepSeen(folder, now);
  await settleCompacted(call);
  const lost = await settleLost(call, now);
  const entries = [
    ...proofEntries(call, before, now),
    ...lost.map(
      ({ id, event }): SpoolEntry => ({
        ...entryBase(call),
        kind: 'context-lost',
        context: id,
        event: eventName(call, event),
      }),
    ),
  ];
  const hasChanged = now.read.length !== before.read.length || now.unclear !== before.unclear;
  const isNews = now.isPastGate && (!before.isPastGate || hasChanged);
  if (!isNews) return entries;
  const unread = files.filter((path) => !now.read.some((one) => one.path === path));
  return [...entries, { ...entryBase(call), kind: 'context-files-read', unread, ...filesReadOf(now) }];
}

async function lookNow(call: HookCall, before: Seen, files: readonly string[]): Promise<Seen | undefined> {
  const { transcript, dialect, session, ports } = call;
  if (transcript !== undefined) return look(before, transcript, files, dialect);
  if (!keepsDatabase(dialect.agent)) return undefined;
  const texts = await ports.textsSince({ agent: dialect.agent, session, sinceMs: before.offset });
  return lookAtTexts(before, texts, { session, files });
}

/** As the agent calls it. */
function eventName({ dialect }: HookCall, event: HookEvent): string {
  return dialect.events[event] ?? event;
}

/** What is new about texts of ours. */
function proofEntries(call: HookCall, before: SeenProofs, now: SeenProofs): readonly SpoolEntry[] {
  const served = now.served.filter((id) => !before.served.includes(id));
  const submitted = now.submitted.filter((id) => !before.submitted.includes(id) && !now.served.includes(id));
  const failed = Object.entries(now.unanswered).filter(([id, reason]) => before.unanswered[id] !== reason);
  return [
    ...submitted
      .filter((id) => now.unanswered[id] === undefined)
      .map((context): SpoolEntry => ({ ...entryBase(call), kind: 'context-submitted', context })),
    ...failed.map(
      ([context, reason]): SpoolEntry => ({ ...entryBase(call), kind: 'context-submitted', context, reason }),
    ),
    ...served.map((context): SpoolEntry => ({ ...entryBase(call), kind: 'context-served', context })),
  ];
}

function endEntry(call: HookCall): readonly SpoolEntry[] {
  if (call.event !== 'session-end') return [];
  const reason = (call.reason ?? '').slice(0, 80).toWellFormed();
  return [{ ...entryBase(call), kind: 'agent-session-ended', reason }];
}
