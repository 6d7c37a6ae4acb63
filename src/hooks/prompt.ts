// At a prompt: the header, but only what changed in it since this session last got it. A session that got nothing
// yet gets all of its startup context: its agent has no event for the start, or for what follows a compaction, or calls
// both at the same moment.

import { join } from 'node:path';
import { readHookSettings } from '../config/hook-settings.ts';
import { isInRun } from '../system/files/project-state.ts';
import { isDone, takeClaim } from './claims.ts';
import { epochOf } from './epochs.ts';
import { endOf, idNotIn, markOf } from './fences.ts';
import { hasContextOfHost } from './first-conversation.ts';
import { entryBase, type HookCall, type HookOutput, isLive } from './hook-call.ts';
import { contextOfHost, meanwhileOfHost } from './live.ts';
import { settleRefusedTool } from './refused-tool.ts';
import { keepSentHeader, lastSentHeader } from './sent-header.ts';
import { settleCompacted, startup } from './session-start.ts';
import { startFolder } from './start-folder.ts';
import { hashOf } from './state.ts';

export async function prompt(call: HookCall): Promise<HookOutput | undefined> {
  if (isInRun(call.env)) return undefined;
  const given = contextOfHost(call) ?? meanwhileOfHost(call);
  if (given !== undefined) return given;
  const { root, state } = call;
  // Some agents call it with an empty prompt after every tool.
  const isAsked = call.prompt !== '' && call.subagent === undefined;
  if (root === undefined || !isAsked || state.kind !== 'open') return undefined;
  await settleCompacted(call);
  await settleRefusedTool(call);
  const { promptChars } = await readHookSettings(root, call.env);
  if (promptChars === 0 && call.dialect.startsAt !== 'prompt') return undefined;
  const epoch = epochOf(call.folder);
  // The host of a live session delivers it by another channel at its start, with the header in it.
  const isHosts = isLive(call) && epoch === 0 && hasContextOfHost(call);
  if (lastSentHeader(call.folder) === undefined && !isHosts) {
    const output = await startup(call);
    if (output !== undefined || !isDone(startFolder(call.folder))) return output;
  }
  if (promptChars === 0) return undefined;
  return changed(call, root, { promptChars, epoch, isHosts });
}

async function changed(
  call: HookCall,
  root: string,
  how: { readonly promptChars: number; readonly epoch: number; readonly isHosts: boolean },
): Promise<HookOutput | undefined> {
  const { ports, folder } = call;
  const frame = (id: string) => ({
    line: `${markOf('prompt', id)} Changed since you were last told:\n`, // The agent reads it; house-rule: plain-words
    end: `\n${endOf('prompt', id)}`,
  });
  // Ids are of one length.
  const { line: some, end: other } = frame(ports.newId());
  const before = lastSentHeader(folder);
  const delta = await ports.header(root, before?.header, how.promptChars - some.length - other.length);
  for (const fault of delta.faults ?? []) call.note(fault);
  if ((delta.faults ?? []).length > 0) return undefined;
  if (delta.text === '' || (before === undefined && how.isHosts)) {
    if (JSON.stringify(delta.shown) !== JSON.stringify(before?.header)) await keepSentHeader(call, delta.shown);
    return undefined;
  }
  const change = hashOf(JSON.stringify([before, delta.shown]));
  const claim = takeClaim(join(folder, String(how.epoch), `prompt-${change}`), ports.now());
  if (claim.kind === 'held') return undefined;
  const id = idNotIn([delta.text], () => ports.newId());
  const { line, end } = frame(id);
  const text = line + delta.text.trimEnd() + end;
  return {
    id,
    what: 'prompt',
    claim,
    text,
    header: delta.shown,
    entry: {
      ...entryBase(call),
      kind: 'context-printed',
      moment: 'prompt',
      context: id,
      chars: text.length,
      durationMs: Math.round(ports.elapsed()),
    },
  };
}
