// At a prompt: the header, but only what changed in it since this session was last told. A session that was told nothing
// yet gets all of its startup context: its agent has no event for the start, or for what follows a compaction, or calls
// both at the same moment.

import { join } from 'node:path';
import { readHookSettings } from '../config/hook-settings.ts';
import { isDone, takeClaim } from './claims.ts';
import { epochOf } from './epochs.ts';
import { markOf } from './gate-text.ts';
import { contextOfHost } from './live.ts';
import { isLive, type Occasion, type Saying, told } from './occasion.ts';
import { settleCompacted, startFolder, startup } from './session-start.ts';
import { hashOf } from './state.ts';
import { keepTold, lastTold } from './told.ts';

export async function prompt(occasion: Occasion): Promise<Saying | undefined> {
  const given = contextOfHost(occasion);
  if (given !== undefined) return given;
  const { root, state } = occasion;
  // Some call it with an empty prompt after every tool.
  const isAsked = occasion.prompt !== '' && occasion.subagent === undefined;
  if (root === undefined || !isAsked || state.kind !== 'open') return undefined;
  await settleCompacted(occasion);
  const { promptChars } = await readHookSettings(root, occasion.env);
  if (promptChars === 0) return undefined;
  const epoch = epochOf(occasion.folder);
  // The host of a live session tells it by another way at its start, with the header in it.
  const isHosts = isLive(occasion) && epoch === 0;
  if (lastTold(occasion.folder) === undefined && !isHosts) {
    const said = await startup(occasion);
    if (said !== undefined || !isDone(startFolder(occasion.folder))) return said;
  }
  return changed(occasion, root, { promptChars, epoch, isHosts });
}

async function changed(
  occasion: Occasion,
  root: string,
  how: { readonly promptChars: number; readonly epoch: number; readonly isHosts: boolean },
): Promise<Saying | undefined> {
  const { ports, folder } = occasion;
  const id = ports.newId();
  const line = `${markOf('prompt', id)} Changed since you were last told:\n`;
  const before = lastTold(folder);
  const delta = await ports.header(root, before?.header, how.promptChars - line.length);
  for (const fault of delta.faults ?? []) occasion.note(fault);
  if ((delta.faults ?? []).length > 0) return undefined;
  if (delta.text === '' || (before === undefined && how.isHosts)) {
    if (JSON.stringify(delta.told) !== JSON.stringify(before?.header)) await keepTold(occasion, delta.told);
    return undefined;
  }
  const change = hashOf(JSON.stringify([before, delta.told]));
  const claim = takeClaim(join(folder, String(how.epoch), `prompt-${change}`), ports.now());
  if (claim.kind === 'held') return undefined;
  const text = line + delta.text.trimEnd();
  return {
    id,
    claim,
    text,
    afterwards: () => keepTold(occasion, delta.told),
    entry: {
      ...told(occasion),
      kind: 'context-printed',
      moment: 'prompt',
      context: id,
      chars: text.length,
      durationMs: Math.round(ports.elapsed()),
    },
  };
}
