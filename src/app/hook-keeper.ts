// Joins what a hook keeps of a session to the databases of agents. Lighter than the composer.

import { type HookMoment, keepInHook } from '../context/work/keep-in-hook.ts';
import { transcriptReader } from '../sessions/transcripts/read-once.ts';
import { openForeignLater } from '../stores/sqlite/foreign-later.ts';
import { environment } from '../system/environment.ts';

export const keepWork = (moment: HookMoment, caller: string | undefined) =>
  keepInHook(moment, caller, openForeignLater);

export const textsSince = transcriptReader(environment(), openForeignLater);
