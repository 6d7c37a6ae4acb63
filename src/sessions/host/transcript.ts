// What the agent writes down itself, for a session that looks for proof in it.

import { homedir } from 'node:os';
import type { OpenForeignDatabase, TranscriptReader } from '../../kernel/transcript.ts';
import type { PreparedSession } from '../prepared.ts';

/** An agent may date its file a moment before we saw it start. */
const EARLIER_MS = 2000;

/** `undefined` for an agent without a transcript that proves anything. */
export async function openTranscriptOf(
  { agent, env }: Pick<PreparedSession, 'agent' | 'env'>,
  given: { readonly cwd: string; readonly startedAt: number; readonly openDatabase: OpenForeignDatabase },
): Promise<TranscriptReader | undefined> {
  const { TRANSCRIPTS, openTranscript } = await import('../transcripts/index.ts');
  const spec = TRANSCRIPTS[agent.name];
  if (spec === undefined || !agent.interactive.proofs.includes('served')) return undefined;
  return openTranscript(spec, {
    home: env.HOME ?? homedir(),
    env,
    cwd: given.cwd,
    startedAfterMs: given.startedAt - EARLIER_MS,
    openDatabase: given.openDatabase,
  });
}
