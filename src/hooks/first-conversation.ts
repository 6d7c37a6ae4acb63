// A host of ours gives its context to the first conversation of the agent in its terminal. Agents that begin another one there
// (`/new`, `/clear`) without a word about it have lost that context; what begins before the first prompt, because the agent
// started itself again, is still the first. foreword-speak.sh looks at the same folder.

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../system/files/make-folder.ts';
import type { HookCall } from './hook-call.ts';
import { reasonOf, sessionFolder, sessionName } from './state.ts';
import { readFrom } from './transcript.ts';

/** How a typed context begins. */
const TYPED = '[CONTEXT INJECTION fw_';

type Conversation = Pick<HookCall, 'state' | 'env' | 'name' | 'note'>;

/** Whether the conversation has the host's context, or is about to get it. Called at a prompt of a live session; two hooks may
 *  ask at the same moment, those of the launch and those of `foreword init`. */
export function hasContextOfHost(call: Conversation): boolean {
  return existsSync(join(folderOf(call), call.name)) || beginAsFirst(call);
}

/** For a resumed conversation of a live session: it has the context when its transcript does. One that cannot be read may have
 *  it, and nothing is said twice. */
export function settleResumedLive(call: HookCall): void {
  const read = call.transcript === undefined ? undefined : readFrom(call.transcript, 0);
  const hasContext = read === undefined || read.bytes.includes(TYPED);
  if (!hasContext || beginAsFirst(call)) return;
  makeFolder(join(folderOf(call), call.name));
}

function folderOf({ state, env }: Conversation): string {
  return sessionFolder(state.places, sessionName(env.FOREWORD_SESSION ?? '', undefined));
}

/** False when another conversation is the first. The folder comes into being with the conversation in it, so that whoever
 *  sees the one sees the other. True where nothing can be kept. */
function beginAsFirst(call: Conversation): boolean {
  const terminal = folderOf(call);
  let ready = '';
  try {
    makeFolder(dirname(terminal));
    // No session has such a name.
    ready = mkdtempSync(`${terminal}.first.`);
    mkdirSync(join(ready, call.name));
    renameSync(ready, terminal);
    return true;
  } catch (error) {
    if (ready !== '') rmSync(ready, { recursive: true, force: true });
    const reason = reasonOf(error);
    if (reason === 'ENOTEMPTY' || reason === 'EEXIST') return existsSync(join(terminal, call.name));
    call.note(`the first conversation of the session could not be recorded: ${reason}`);
    return true;
  }
}
