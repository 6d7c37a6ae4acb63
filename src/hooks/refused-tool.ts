// A tool call that the person refused takes the gate's text along: the agent puts it before the model with the call's result, and
// there is none. No event reports that such a turn ended, so the next prompt looks for it, and the next tool call is given the
// text again.

import { entryBase, type HookCall } from './hook-call.ts';
import { lostAtRefusal } from './printed.ts';
import { appendSpool } from './spool.ts';
import { reasonOf } from './state.ts';
import { readFrom } from './transcript.ts';

/** Called at a prompt. Never throws. */
export async function settleRefusedTool(call: HookCall): Promise<void> {
  const { root, state, dialect, transcript, note } = call;
  const { refused } = dialect;
  if (root === undefined || state.kind !== 'open' || refused === undefined || transcript === undefined) return;
  try {
    const isLost = (id: string, offset: number) => {
      const bytes = readFrom(transcript, offset)?.bytes;
      return bytes?.includes(refused) === true && !bytes.includes(id);
    };
    for (const { id, event } of await lostAtRefusal(call, isLost))
      appendSpool(state.folder, root, {
        ...entryBase(call),
        kind: 'context-lost',
        context: id,
        event: dialect.events[event] ?? event,
      });
  } catch (error) {
    note(`a refused tool call could not be looked at: ${reasonOf(error)}`);
  }
}
