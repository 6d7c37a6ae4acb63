// A host of ours gives its context to the first conversation of the agent in its terminal. Agents that begin another one there
// (`/new`, `/clear`) without a word about it have lost that context; what begins before the first prompt, because the agent
// started itself again, is still the first. foreword-speak.sh looks at the same folder.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../system/files/make-folder.ts';
import type { HookCall } from './hook-call.ts';
import { reasonOf, sessionFolder, sessionName } from './state.ts';
import { readFrom } from './transcript.ts';

/** How a typed context begins. */
const TYPED = '[CONTEXT INJECTION fw_';

/** Whether the conversation has the host's context, or is about to get it. Called at a prompt of a live session. */
export function hasContextOfHost(call: HookCall): boolean {
  const terminal = folderOf(call);
  if (existsSync(join(terminal, call.name))) return true;
  if (existsSync(terminal)) return false;
  return adopt(call);
}

/** For a resumed conversation of a live session: it has the context when its transcript does. One that cannot be read may have
 *  it, and nothing is said twice. */
export function settleResumedLive(call: HookCall): void {
  const read = call.transcript === undefined ? undefined : readFrom(call.transcript, 0);
  if (read === undefined || read.bytes.includes(TYPED)) adopt(call);
}

function folderOf({ state, env }: HookCall): string {
  return sessionFolder(state.places, sessionName(env.FOREWORD_SESSION ?? '', undefined));
}

function adopt(call: HookCall): true {
  try {
    makeFolder(join(folderOf(call), call.name));
  } catch (error) {
    call.note(`the first conversation of the session could not be recorded: ${reasonOf(error)}`);
  }
  return true;
}
