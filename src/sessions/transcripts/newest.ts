// The transcript that a session of an agent left which told nobody of it, because it has no hooks of ours: the newest one of this
// working directory that began with it.

import { realpathSync } from 'node:fs';
import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import { findFiles } from './find-files.ts';

export interface LeftTranscript {
  /** The agent's own id where the file's name holds it, else the path. */
  readonly session: string;
  readonly transcript: string;
}

/** `undefined` when there is none, or more than one that it could be. Never rejects. */
export async function transcriptLeft(
  agent: string,
  at: { readonly folder: string; readonly cwd: string; readonly startedAt: number },
): Promise<LeftTranscript | undefined> {
  const spec = TRANSCRIPTS[agent];
  if (spec === undefined || spec.store !== 'lines') return undefined;
  try {
    const wanted = { base: realpathSync.native(at.folder), cwds: [at.cwd], startedAfterMs: at.startedAt };
    const [one, ...others] = await findFiles(spec, wanted);
    if (one === undefined || others.length > 0) return undefined;
    return { session: one.sessionId ?? one.path, transcript: one.path };
  } catch {
    return undefined;
  }
}
