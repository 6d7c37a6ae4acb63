// What the agent of a session that died wrote down, for a last look at what it proves and what it did: the host that followed it is
// gone.

import { homedir } from 'node:os';
import type { SessionRecord } from '../kernel/session.ts';
import type { OpenForeignDatabase, TranscriptText } from '../kernel/transcript.ts';
import { environment } from '../system/environment.ts';

/** An agent may date its file a moment before we saw it start. */
const EARLIER_MS = 2000;
/** Each reads some megabytes. */
const MOST_POLLS = 20;

/** All of it since the session began, within bounds; nothing for an agent whose transcript is not known. Never rejects. */
export async function readTranscriptOf(
  record: Pick<SessionRecord, 'agent' | 'cwd' | 'startedAt'>,
  openDatabase: OpenForeignDatabase,
): Promise<readonly TranscriptText[]> {
  const { TRANSCRIPTS, openTranscript } = await import('./transcripts/index.ts');
  const spec = TRANSCRIPTS[record.agent];
  if (spec === undefined) return [];
  const env = environment();
  const startedAfterMs = Date.parse(record.startedAt) - EARLIER_MS;
  const reader = openTranscript(spec, {
    home: env.HOME ?? homedir(),
    env,
    cwd: record.cwd,
    startedAfterMs,
    openDatabase,
  });
  const texts: TranscriptText[] = [];
  for (let polls = 0; polls < MOST_POLLS; polls += 1) {
    const more = await reader.poll();
    if (more.length === 0) break;
    texts.push(...more);
  }
  reader.close();
  return texts;
}

/** For the record of what it did. */
export function diedSession(record: Pick<SessionRecord, 'id' | 'agent' | 'cwd' | 'startedAt'>) {
  const { id, agent, cwd, startedAt: iso } = record;
  const startedAt = Date.parse(iso);
  return {
    agent,
    startedAt,
    host: id,
    isCutOff: true as const,
    find: async (folder: string) =>
      (await import('./transcripts/newest.ts')).transcriptLeft(agent, { folder, cwd, startedAt }),
  };
}
