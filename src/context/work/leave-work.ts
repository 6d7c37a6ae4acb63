// The record of a session whose host is still there at its end. Hooks have kept its facts, if the agent had hooks of ours; else the
// transcript that it left is read now.

import type { Stores } from '../../kernel/stores.ts';
import { ownerName, ownerState } from '../../system/processes/owner.ts';
import { keepWork } from './keep-work.ts';
import { type KeptWork, listKeptWorks, writeKeptWork } from './kept-works.ts';
import { keptOf } from './one-session.ts';
import { transcriptFolder } from './read-work.ts';
import type { WorksAsk } from './startup-works.ts';
import { foldWorks } from './store-works.ts';

export interface LeftSession {
  readonly agent: string;
  readonly startedAt: number;
  /** The id of the session of ours that it ran in. */
  readonly host?: string;
  /** The process that keeps it (system/processes/owner.ts); absent where that is this one. */
  readonly owner?: string | undefined;
  /** No end of it was seen. */
  readonly isCutOff?: true;
  /** Looks for the transcript of a session that had no hooks, in the agent's folder. */
  find(folder: string): Promise<{ readonly session: string; readonly transcript: string } | undefined>;
}

/** Never throws. */
export async function leaveWork(left: LeftSession, ask: WorksAsk, stores: () => Promise<Stores>): Promise<void> {
  if (!ask.isAuto) return;
  try {
    const all = listKeptWorks(ask.folder, ask.now());
    const isOurs = (kept: KeptWork) =>
      kept.owner === ownerName() || (kept.host !== undefined && kept.host === left.host);
    const own = all.filter(
      (kept) => kept.agent === left.agent && kept.lastAt >= left.startedAt && (isOurs(kept) || !isRunning(kept)),
    );
    const open = own.filter((kept) => kept.endedAt === undefined && isOurs(kept));
    for (const over of own.length === 0 ? [await foundWork(left, ask, all)] : open) {
      const moment = {
        event: 'end',
        agent: left.agent,
        root: ask.root,
        owner: undefined,
        startedAt: left.startedAt,
      } as const;
      const { session, transcript } = over;
      const kept = await keepWork({ ...moment, session, transcript }, ask);
      if (left.isCutOff === true) writeKeptWork(ask.folder, { ...kept, isCutOff: true });
    }
  } catch {
    // The disk is full, or the folder cannot be used: there is no record then.
    return;
  }
  await foldWorks(ask, stores);
}

/** Another session, whose process is there: the agent of the one that is left is gone. */
function isRunning({ endedAt, owner }: KeptWork): boolean {
  return endedAt === undefined && owner !== undefined && owner !== ownerName() && ownerState(owner) === 'alive';
}

/** Without a transcript there is what git shows. */
async function foundWork(
  left: LeftSession,
  ask: WorksAsk,
  all: readonly KeptWork[],
): Promise<Pick<KeptWork, 'session' | 'transcript'>> {
  const found = await left.find(transcriptFolder(left.agent, ask.env));
  const known = found === undefined ? undefined : keptOf(all, left.agent, found);
  if (found === undefined || (known !== undefined && isRunning(known))) return { session: `began ${left.startedAt}` };
  return { ...found, ...known };
}
