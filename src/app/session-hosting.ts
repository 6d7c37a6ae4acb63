// Joins a session's hosting, in a process of its own or in the person's terminal.

import type { Out } from '../cli/command.ts';
import { installedAgents } from '../config/agents.ts';
import { readAgentContinuity } from '../context/agent-continuity.ts';
import { startupText } from '../context/startup-text.ts';
import { treeMark } from '../context/tree-continuity.ts';
import { transcriptFolder } from '../context/work/read-work.ts';
import type { SessionPlace } from '../kernel/session.ts';
import { hostSession } from '../sessions/host/host.ts';
import type { HostRequest } from '../sessions/host/request.ts';
import type { Reservation } from '../sessions/host/reserve.ts';
import type { HostingParts } from '../sessions/host/run-session.ts';
import type { HostStarter } from '../sessions/host/starter.ts';
import { prepareSession } from '../sessions/prepare.ts';
import type { StartRequest } from '../sessions/prepared.ts';
import { presenceBy } from '../sessions/presence.ts';
import { removeEmptyTwins } from '../sessions/transcripts/empty-twin.ts';
import { transcriptLeft } from '../sessions/transcripts/newest.ts';
import { openForeignLater } from '../stores/sqlite/foreign-later.ts';
import { environment } from '../system/environment.ts';
import { ownerName } from '../system/processes/owner.ts';
import { agentsOf } from './agents.ts';
import { openProject, type Project } from './project.ts';
import { prepareParts } from './session.ts';
import { PLACES } from './session-places.ts';
import { startNewHost } from './session-spawn.ts';
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
    prepare: (start: StartRequest, place: SessionPlace) => prepareSession(prepareParts(project), start, place),
    newHost: (agent: string) => startNewHost({ ...chosen, agent }, project.cwd),
    env: environment(),
  };
  try {
    return await hostSession(parts, request, reservation);
  } finally {
    await project.close();
  }
}

export function hostingParts(project: Project): HostingParts {
  const left = (agent: string, startedAt: number) => ({
    agent,
    startedAt,
    find: (folder: string) => transcriptLeft(agent, { ...project, folder, startedAt }),
  });
  return {
    project,
    screens: SCREENS,
    context: {
      startupText: () => startupText(project),
      readContinuity: (text) => readAgentContinuity(text, treeMark(project.state.tree())),
      keepConversation: (agent, startedAt) => removeEmptyTwins(agent, { ...project, startedAt }, transcriptFolder),
      leaveWork: (agent, startedAt, host) => project.leaveWork({ ...left(agent, startedAt), host }),
      runningWork: (agent, startedAt, owner) => project.runningWork({ ...left(agent, startedAt), owner }),
    },
    openDatabase: openForeignLater,
    installed: () => installedAgents(agentsOf(project), project.root),
    me: { pid: process.pid, owner: ownerName() },
    hasStack: 'FOREWORD_DEBUG' in environment(),
  };
}
