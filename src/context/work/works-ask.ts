// How the facts of the sessions of a project are looked for: where they are kept on this machine, and for how long a command looks.

import { realpathSync } from 'node:fs';
import { readAcross } from '../../config/across.ts';
import type { Config } from '../../config/load.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { OpenForeignDatabase } from '../../kernel/transcript.ts';
import { environment } from '../../system/environment.ts';
import type { ProjectState } from '../../system/files/open-state.ts';
import { ownStateFolder } from '../../system/files/person-state.ts';
import { rootPlaces } from '../../system/files/project-state.ts';
import type { WorksAsk } from './startup-works.ts';

export interface WorksOf {
  readonly root: string;
  readonly state: Pick<ProjectState, 'tree'>;
  readonly config: Pick<Config, 'continuity'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly writer: string;
  readonly openDatabase: OpenForeignDatabase;
  redact(text: string): string;
}

/** A transcript of 100 MB takes about a second. */
const LOOK_MS = 3000;

/** `lateS` is a hook's, from the start of its process; a command looks for three seconds. */
export function worksAsk(of: WorksOf, lateS?: number): WorksAsk {
  const { config, clock, redact, openDatabase } = of;
  const env = environment();
  const kept = ownStateFolder();
  const root = realFolder(of.root);
  const end = clock.now() + LOOK_MS;
  return {
    root,
    folder: rootPlaces(kept, root).works,
    tree: of.state.tree(),
    env,
    searchPath: env.PATH,
    redact,
    openDatabase,
    isLate: () => (lateS === undefined ? clock.now() > end : process.uptime() > lateS),
    now: () => clock.now(),
    isAuto: config.continuity.auto,
    isAcross: config.continuity.across || readAcross(kept) === true,
    me: of.writer,
  };
}

/** With links resolved, or as it is where that fails. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
