// The transcript that a session of an agent left which told nobody of it, because it has no hooks of ours: the newest one of this
// working directory that began with it.

import { realpath } from 'node:fs/promises';
import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import { cwdOfRecord, isOfSubagent, type LinesSpec, recordedCwd, sessionOfRecord } from '../../kernel/transcript.ts';
import { sha256 } from '../../system/sha256.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { firstRecords } from './first-records.ts';

export interface LeftTranscript {
  /** The agent's own id of the session; the path where neither the file's name nor its first records hold it. */
  readonly session: string;
  readonly transcript: string;
}

type Candidate = LeftTranscript & Pick<FoundFile, 'bornMs' | 'changedMs'>;

/** Files of other folders and of sub-agents are among them. */
const MOST_FILES = 16;
/** The first record of some agents holds the system prompt. */
const MOST_BYTES = 256 * 1024;

/** `undefined` when there is none, or more than one that it could be. Never rejects. */
export async function transcriptLeft(
  agent: string,
  at: { readonly folder: string; readonly cwd: string; readonly startedAt: number },
): Promise<LeftTranscript | undefined> {
  const spec = TRANSCRIPTS[agent];
  if (spec === undefined || spec.store !== 'lines') return undefined;
  try {
    const cwds = [...new Set([at.cwd, await realpath(at.cwd).catch(() => at.cwd)])];
    const wanted = { base: await realpath(at.folder), cwds, startedAfterMs: at.startedAt };
    const files = await findFiles(spec, wanted, MOST_FILES);
    const found = lastOf(files.flatMap((file) => candidate(spec, file, cwds)));
    return found === undefined ? undefined : { session: found.session, transcript: found.transcript };
  } catch {
    return undefined;
  }
}

function candidate(spec: LinesSpec, file: FoundFile, cwds: readonly string[]): readonly Candidate[] {
  const records = firstRecords(file.path, MOST_BYTES);
  const cwd = records.map((record) => cwdOfRecord(spec, record)).find((one) => one !== undefined);
  const isOthers = cwd !== undefined && !cwds.some((one) => recordedCwd(spec, one, sha256) === cwd);
  if (isOthers || isOfSubagent(spec, records[0])) return [];
  const recorded = records.map((record) => sessionOfRecord(spec, record)).find((one) => one !== undefined);
  const session = file.sessionId ?? recorded ?? file.path;
  return [{ session, transcript: file.path, bornMs: file.bornMs, changedMs: file.changedMs }];
}

/** After a clearing an agent goes on in another file, and no more is written to the one before. Files that grew beside one another
 *  are of sessions side by side, and nobody knows which of them it is. Newest first. */
function lastOf(candidates: readonly Candidate[]): Candidate | undefined {
  const [last] = candidates.toSorted((one, other) => other.bornMs - one.bornMs);
  if (last === undefined) return undefined;
  const isBeside = candidates.some((one) => one.session !== last.session && one.changedMs > last.bornMs);
  if (isBeside) return undefined;
  // A conversation that a launch gave may have a second file, which stays empty.
  return candidates.find(({ session }) => session === last.session);
}
