// Joins what commands ask of sessions to the project, the owners of processes, and tmux.

import type { SessionRecord } from '../kernel/session.ts';
import type { Stores } from '../kernel/stores.ts';
import { OWN_TERMINAL } from '../sessions/client/attach.ts';
import { openClient, type SessionClient } from '../sessions/client/client.ts';
import { type SessionView, viewSessions as view } from '../sessions/client/list.ts';
import { diedSession, readTranscriptOf } from '../sessions/last-look.ts';
import type { Project } from './project.ts';
import { PLACES } from './session-places.ts';
import { startHost } from './session-spawn.ts';
import { ownersOf, TMUX } from './session-terminals.ts';

const openDatabase = async (file: string) => (await import('../stores/sqlite/foreign.ts')).openForeignDatabase(file);

export function sessionsOf(project: Project): SessionClient {
  const readTranscript = (record: SessionRecord) => readTranscriptOf(record, openDatabase);
  const leaveWork = (record: SessionRecord) => project.leaveWork(diedSession(record));
  const outside = { tmux: TMUX, spawnHost: startHost, readTranscript, leaveWork, ...OWN_TERMINAL };
  return openClient({ project, owners: ownersOf(project), places: PLACES, ...outside });
}

/** Reads only: a session that died is listed as gone, and its record stays as it is. */
export function viewSessions(
  project: Project,
  stores: Pick<Stores, 'sessions' | 'deliveries'>,
  how: { readonly isAll: boolean },
): Promise<readonly SessionView[]> {
  return view({ project, owners: ownersOf(project), places: PLACES }, stores, how);
}
