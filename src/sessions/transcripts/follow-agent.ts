// The transcript of whoever works in a folder since a time, for a caller that is no session of ours.

import { homedir } from 'node:os';
import type { TranscriptReader } from '../../kernel/transcript.ts';
import { type OpenOptions, openTranscript, TRANSCRIPTS } from './index.ts';

/** An agent may date its file a moment before it starts others. */
const EARLIER_MS = 5000;

/** `undefined` for an agent whose transcript is not known. */
export function followAgent(
  agent: string,
  {
    startedAt,
    env,
    ...given
  }: Required<Pick<OpenOptions, 'cwd' | 'env' | 'openDatabase'>> & { readonly startedAt: number },
): TranscriptReader | undefined {
  const spec = Object.hasOwn(TRANSCRIPTS, agent) ? TRANSCRIPTS[agent] : undefined;
  if (spec === undefined) return undefined;
  return openTranscript(spec, { ...given, env, home: env.HOME ?? homedir(), startedAfterMs: startedAt - EARLIER_MS });
}
