// Joins a session's hosting, in a process of its own or in the person's terminal.

import type { Out } from '../cli/command.ts';
import { readContinuity } from '../context/continuity.ts';
import { continuityFromFacts } from '../context/session-end.ts';
import { startupText } from '../context/startup-text.ts';
import { treeMark } from '../context/tree-continuity.ts';
import { hostSession } from '../sessions/host/host.ts';
import type { HostRequest } from '../sessions/host/request.ts';
import type { Reservation } from '../sessions/host/reserve.ts';
import type { HostingParts } from '../sessions/host/run-session.ts';
import type { HostStarter } from '../sessions/host/starter.ts';
import { presenceBy } from '../sessions/presence.ts';
import { environment } from '../system/environment.ts';
import { ownerName } from '../system/processes/owner.ts';
import { agentsOf } from './agents.ts';
import { openProject, type Project } from './project.ts';
import { PLACES } from './session-places.ts';
import { ownersOf, SCREENS, TMUX } from './session-terminals.ts';

export async function host(given: {
  readonly request: HostRequest;
  readonly reservation: Reservation | undefined;
  readonly starter: HostStarter;
  readonly out: Out;
}): Promise<number> {
  const { request, reservation, starter, out } = given;
  const { store, fleet, allowVolatile, allowPlainRedis, isFresh, config } = request;
  const chosen = { store, fleet, allowVolatile, allowPlainRedis, isFresh, config };
  const project = openProject({ ...chosen, note: (text) => out.note(`foreword: ${text}`) });
  out.redactWith(project.redact);
  const parts = {
    ...hostingParts(project),
    agents: () => agentsOf(project),
    tmux: TMUX,
    starter,
    places: PLACES,
    presence: presenceBy(ownersOf(project)),
    env: environment(),
  };
  try {
    return await hostSession(parts, request, reservation);
  } finally {
    await project.close();
  }
}

export function hostingParts(project: Project): HostingParts {
  return {
    project,
    screens: SCREENS,
    context: {
      startupText: () => startupText(project),
      readContinuity: (text, where) => ({ ...readContinuity(text, where), ...treeMark(project.state.tree()) }),
      continuity: async (startedAt) =>
        continuityFromFacts({
          id: project.newId('con'),
          tree: project.state.tree(),
          stores: await project.writeStores(),
          sources: project.sources,
          startedAt,
          now: project.clock.now(),
        }),
    },
    openDatabase: async (file) => (await import('../stores/sqlite/foreign.ts')).openForeignDatabase(file),
    me: { pid: process.pid, owner: ownerName() },
    hasStack: 'FOREWORD_DEBUG' in environment(),
  };
}
