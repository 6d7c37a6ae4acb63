// The end of a turn or of a session: looks once at what the agent wrote down since the last time, and records in the
// journal which of our texts the model was given and which context files it read. Prints nothing: at the end of a turn, a text
// would make the agent go on.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readHookSettings } from '../config/hook-settings.ts';
import { gatePaths } from './gate.ts';
import { entryBase, type HookCall } from './hook-call.ts';
import { keepSeen, lastSeen } from './seen.ts';
import { settleCompacted } from './session-start.ts';
import { appendSpool, type SpoolEntry } from './spool.ts';
import { reasonOf } from './state.ts';
import { look } from './transcript.ts';

export async function stop(call: HookCall): Promise<void> {
  const { root, state, note } = call;
  if (root === undefined || state.kind !== 'open') return;
  try {
    for (const entry of [...(await seenEntries(call, root)), ...endEntry(call)]) appendSpool(state.folder, root, entry);
  } catch (error) {
    note(`the end of the session could not be recorded: ${reasonOf(error)}`);
  }
}

async function seenEntries(call: HookCall, root: string): Promise<readonly SpoolEntry[]> {
  const { transcript, folder, dialect } = call;
  if (transcript === undefined) return [];
  const files = gatePaths(await readHookSettings(root, call.env)).filter((name) => existsSync(join(root, name)));
  const before = lastSeen(folder);
  const now = look(before, transcript, files, dialect);
  if (now === undefined || now.offset === before.offset) return [];
  await keepSeen(folder, now);
  await settleCompacted(call);
  const entries: SpoolEntry[] = now.served
    .filter((id) => !before.served.includes(id))
    .map((context) => ({ ...entryBase(call), kind: 'context-served', context }));
  const isNews = now.isPastGate && (!before.isPastGate || now.read.length !== before.read.length);
  if (!isNews) return entries;
  const unread = files.filter((path) => !now.read.some((one) => one.path === path));
  return [
    ...entries,
    { ...entryBase(call), kind: 'context-files-read', read: now.read, unread, otherCalls: now.otherCalls },
  ];
}

function endEntry(call: HookCall): readonly SpoolEntry[] {
  if (call.event !== 'session-end') return [];
  const reason = (call.reason ?? '').slice(0, 80).toWellFormed();
  return [{ ...entryBase(call), kind: 'agent-session-ended', reason }];
}
