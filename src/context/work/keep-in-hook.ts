// What a hook keeps of a session. Light: no project is opened.

import { makeRedactor } from '../../kernel/redact.ts';
import type { OpenForeignDatabase } from '../../kernel/transcript.ts';
import { environment, secretsFromEnv } from '../../system/environment.ts';
import { rootPlaces, stateFolder } from '../../system/files/project-state.ts';
import { ownerOf } from '../../system/processes/owner.ts';
import { keepWork, type WorkMoment } from './keep-work.ts';

/** Seconds after Node began: what is not read by then is read later. */
const LATE_S = 0.8;

export interface HookMoment extends Omit<WorkMoment, 'owner' | 'host'> {
  readonly secretVariables: readonly string[];
}

/** `caller` is the process of the agent. Throws errors of the file system. */
export async function keepInHook(
  moment: HookMoment,
  caller: string | undefined,
  openDatabase: OpenForeignDatabase,
): Promise<void> {
  const env = environment();
  await keepWork(
    { ...moment, owner: ownerOf(Number(caller)), host: env.FOREWORD_SESSION },
    {
      env,
      folder: rootPlaces(stateFolder(env), moment.root).works,
      searchPath: env.PATH,
      redact: makeRedactor(secretsFromEnv(env, moment.secretVariables)),
      openDatabase,
      isLate: () => process.uptime() > LATE_S,
      now: () => Date.now(),
    },
  );
}
