// What an agent's database says of one session, read once by a program that ends right after: a hook.

import { homedir } from 'node:os';
import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import type { OpenForeignDatabase, SessionAsk, TranscriptText } from '../../kernel/transcript.ts';
import type { Environment } from '../../system/environment.ts';
import { openTranscript } from './open.ts';

/** Nothing for an agent that keeps no database. Never rejects. */
export function transcriptReader(env: Environment, openDatabase: OpenForeignDatabase) {
  return async ({ agent, session, sinceMs }: SessionAsk): Promise<readonly TranscriptText[]> => {
    const spec = TRANSCRIPTS[agent];
    if (spec?.store !== 'database') return [];
    const home = env.HOME ?? homedir();
    // The id is enough: a session may be older than this program.
    const of = { home, env, cwd: '', startedAfterMs: 0, sessionId: session, sinceMs, openDatabase };
    const reader = openTranscript(spec, of);
    const texts = await reader.poll();
    reader.close();
    return texts;
  };
}
