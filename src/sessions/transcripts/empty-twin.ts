// A second file of a session without a message in it. Some agents make one beside the conversation that a launch of ours gave them,
// and their clean-up deletes every file of a session that has such a file. Only a small file is removed, of a session that has another
// file with messages.

import { realpathSync, rmSync, statSync } from 'node:fs';
import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import { type LinesSpec, sessionOfRecord, textsInRecord } from '../../kernel/transcript.ts';
import { type Environment, environment } from '../../system/environment.ts';
import { findFiles } from './find-files.ts';
import { firstRecords } from './first-records.ts';

/** Its first records, of which one may repeat a set-up text of the agent. */
const MOST_BYTES = 64 * 1024;

/** `folderOf` names the agent's own folder. Never rejects. */
export async function removeEmptyTwins(
  agent: string,
  { cwd, startedAt }: { readonly cwd: string; readonly startedAt: number },
  folderOf: (agent: string, env: Environment) => string,
): Promise<void> {
  const spec = TRANSCRIPTS[agent];
  if (spec?.store !== 'lines' || spec.leavesEmptyTwin !== true) return;
  try {
    const base = realpathSync.native(folderOf(agent, environment()));
    const wanted = { base, cwds: [cwd], startedAfterMs: startedAt };
    const files = (await findFiles(spec, wanted)).map(({ path }) => ({ path, ...lookInto(path, spec) }));
    for (const { path, session, isEmpty } of files) {
      const isSecond = files.some((other) => other.session === session && !other.isEmpty);
      if (isEmpty && session !== undefined && isSecond) rmSync(path, { force: true });
    }
  } catch {
    // A folder that cannot be read holds nothing of ours.
    return;
  }
}

function lookInto(path: string, spec: LinesSpec): { readonly session: string | undefined; readonly isEmpty: boolean } {
  const isSmall = statSync(path).size <= MOST_BYTES;
  const records = firstRecords(path, MOST_BYTES);
  const session = records.map((record) => sessionOfRecord(spec, record)).find((id) => id !== undefined);
  const texts = records.flatMap((record) => textsInRecord(spec, record, path));
  const hasMessage = texts.some(({ kind, isRetold }) => isRetold !== true && (kind === 'given' || kind === 'reply'));
  return { session, isEmpty: isSmall && !hasMessage };
}
