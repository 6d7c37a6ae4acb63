// What a session that is still running did so far, for another agent that goes on in its terminal. The person's prompts stay with
// their agent: the last one is put into the other's composer.

import type { Stores } from '../../kernel/stores.ts';
import { ownerName } from '../../system/processes/owner.ts';
import { listKeptWorks } from './kept-works.ts';
import type { LeftSession } from './leave-work.ts';
import { keptOf } from './one-session.ts';
import { transcriptFolder } from './read-work.ts';
import { startupWorks, type WorksAsk } from './startup-works.ts';

/** Called by the host that keeps the session. At most 2 KiB; none when its transcript is not found. Never rejects. */
export async function runningWork(
  left: LeftSession,
  ask: WorksAsk,
  stores: () => Promise<Stores>,
): Promise<readonly string[]> {
  try {
    const found = await left.find(transcriptFolder(left.agent, ask.env));
    if (found === undefined) return [];
    const known = keptOf(listKeptWorks(ask.folder, ask.now()), left.agent, found);
    const { session, transcript } = { ...found, ...known };
    const reader = { agent: left.agent, session, transcript, isCompacted: true, owner: left.owner ?? ownerName() };
    const { state } = await startupWorks(await stores(), { ...ask, reader });
    return withoutPrompts(state.slice(1));
  } catch {
    return [];
  }
}

/** The first line of the others is their heading. */
export function withoutPrompts(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.startsWith('Prompts of the person'));
  if (from === -1) return lines;
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => !line.startsWith('- "'));
  return [...lines.slice(0, from), ...(end === -1 ? [] : rest.slice(end))];
}
