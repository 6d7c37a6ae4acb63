// Keeps what a session did, at its events; agents in a run are left out, since the run keeps a record itself.

import { readHookSettings } from '../config/hook-settings.ts';
import { isInRun } from '../system/files/project-state.ts';
import type { HookCall, WorkEvent } from './hook-call.ts';
import { reasonOf } from './state.ts';

/** Never throws. */
export async function keepWork(call: HookCall, event: WorkEvent['event']): Promise<void> {
  const { root, state, env, session, transcript, dialect, subagent } = call;
  if (root === undefined || state.kind !== 'open' || subagent !== undefined || isInRun(env)) return;
  try {
    const { keepsWork, secretVariables } = await readHookSettings(root, env);
    if (!keepsWork) return;
    await call.ports.keepWork({ event, agent: dialect.agent, session, transcript, root, secretVariables });
  } catch (error) {
    call.note(`what the session did could not be kept: ${reasonOf(error)}`);
  }
}
