// The record of a session whose host is still there at its end. Hooks have kept its facts, if the agent had hooks of ours; else the
// transcript that it left is read now.

import type { Stores } from '../../kernel/stores.ts';
import { keepWork } from './keep-work.ts';
import { listKeptWorks, writeKeptWork } from './kept-works.ts';
import { transcriptFolder } from './read-work.ts';
import type { WorksAsk } from './startup-works.ts';
import { foldWorks } from './store-works.ts';

export interface LeftSession {
  readonly agent: string;
  readonly startedAt: number;
  /** No end of it was seen. */
  readonly isCutOff?: true;
  /** Looks for the transcript of a session that had no hooks, in the agent's folder. */
  find(folder: string): Promise<{ readonly session: string; readonly transcript: string } | undefined>;
}

/** Never throws. */
export async function leaveWork(left: LeftSession, ask: WorksAsk, stores: () => Promise<Stores>): Promise<void> {
  if (!ask.isAuto) return;
  try {
    const kept = listKeptWorks(ask.folder, ask.now());
    const isKept = kept.some(({ agent, lastAt }) => agent === left.agent && lastAt >= left.startedAt);
    if (!isKept) {
      // Without a transcript there is what git shows.
      const found = (await left.find(transcriptFolder(left.agent, ask.env))) ?? {
        session: `began ${left.startedAt}`,
        transcript: undefined,
      };
      const moment = { event: 'end', agent: left.agent, root: ask.root, owner: undefined, ...found } as const;
      const kept = await keepWork(moment, ask);
      if (left.isCutOff === true) writeKeptWork(ask.folder, { ...kept, isCutOff: true });
    }
  } catch {
    // The disk is full, or the folder cannot be used: there is no record then.
    return;
  }
  await foldWorks(ask, stores);
}
