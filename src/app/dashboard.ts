// Joins `foreword dashboard` to the project's store, to what hooks wrote, to sessions and the results of verify.

import { join } from 'node:path';
import { watchInstalled } from '../dashboard/installed.ts';
import { openDashboard } from '../dashboard/open.ts';
import type { DashboardServer } from '../dashboard/server.ts';
import { watchSpool } from '../hooks/spool.ts';
import { openToLook, storeIdentity } from '../stores/open.ts';
import { environment, searchPath } from '../system/environment.ts';
import { ownStateFolder } from '../system/files/person-state.ts';
import { ownerShown } from '../system/processes/owner.ts';
import { measurementsOfInstalled } from '../verify/known-measurements.ts';
import { agentsOf } from './agents.ts';
import type { Project } from './project.ts';
import { viewSessions } from './sessions.ts';
import { storeChoice } from './stores.ts';

/** A statement waits this long for a lock; readers seldom meet one. */
const LOCK_MS = 500;

export function openProjectDashboard(project: Project, { port }: { readonly port: number }): Promise<DashboardServer> {
  const { root, config, redact } = project;
  const env = environment();
  const state = ownStateFolder();
  const agents = agentsOf(project);
  const choice = storeChoice({ root, state: project.state, config, stateFolder: state });
  const machine = { stateFolder: state, path: searchPath(env), cwd: root };
  return openDashboard(project, {
    port,
    pageFolder: join(__dirname, '../dashboard'),
    source: {
      identity: () => storeIdentity(choice),
      open: () => openToLook(choice, LOCK_MS),
      spooled: watchSpool(state, root),
      redact,
    },
    facts: {
      agents: agents.map(({ name }) => name),
      sessions: (stores) => viewSessions(project, stores, { isAll: false }),
      installed: watchInstalled(agents, { path: searchPath(env), cwd: root }, () => project.clock.now()),
      measured: () => measurementsOfInstalled(agents, machine),
      supervisor: ownerShown,
    },
  });
}
