// Joins `foreword doctor` to what it asks: sandboxes, the store, installed hooks, the results of verify, a terminal.

import { installedAgents } from '../config/agents.ts';
import { readGateFiles } from '../hooks/gate-files.ts';
import type { Agent } from '../kernel/agent.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import { boxFindingOf } from '../reports/box-finding.ts';
import type { Findings } from '../reports/doctor.ts';
import { examine } from '../reports/examine.ts';
import { findBoxFor } from '../runs/box/index.ts';
import { findSandbox } from '../runs/sandboxes/index.ts';
import { openCopyToLook } from '../stores/open.ts';
import { searchPath } from '../system/environment.ts';
import { platform } from '../system/platform.ts';
import { runProcess } from '../system/processes/run-process.ts';
import { measurementsOfVersions } from '../verify/known-measurements.ts';
import { ownHost } from '../verify/own-host.ts';
import { knownBoxTrial } from '../verify/try-boxed.ts';
import { agentsOf } from './agents.ts';
import { examineHooks, examinePlugIns, nodeOfHooks } from './install.ts';
import type { Project } from './project.ts';
import { findState } from './state.ts';
import { storeChoice } from './stores.ts';

/** `own` is the version of this command. */
export function examineProject(project: Project, own: string): Promise<Findings> {
  const { root, cwd, config } = project;
  const agents = agentsOf(project);
  const host = ownHost();
  const { env, stateFolder } = host;
  const installed = installedAgents(agents, root);
  const path = searchPath(env);
  return examine(
    { root, lineup: config.lineup, env, agents, installed, stateFolder, clock: project.clock },
    {
      sandbox: () => findSandbox({ ...config.sandbox, run: runProcess, searchPath: path, workTree: root }),
      box: async () => {
        const found = await findBoxFor({ run: config.run, host, root, start: runProcess });
        const trialOf = (agent: Agent) => knownBoxTrial(agent, host);
        return boxFindingOf({ confine: config.run.confine, found, agents, installed, trialOf });
      },
      store: () => project.examineStore(),
      state: () => findState(root),
      hooks: () => examineHooks(cwd),
      plugIns: async () => ({ ...(await examinePlugIns(cwd)), own }),
      contextFiles: () => readGateFiles({ root, cwd: root }, config.gate, project.redact).refused,
      hookNode: () => nodeOfHooks(cwd),
      measured: (versions) => measurementsOfVersions(agents, versions, { stateFolder }),
      absences: () => platform.absences,
      openTerminal: async (start) => (await import('../terminals/pty/pty.ts')).openPty(start),
    },
  );
}

/** What the journal holds, read without changing anything beside or in the store. Rejects where that cannot be done. */
export async function lookAtJournal(project: Project): Promise<readonly ForewordEvent[]> {
  const { root, state, config } = project;
  const stores = await openCopyToLook(storeChoice({ root, state, config, stateFolder: ownHost().stateFolder }));
  return stores.journal
    .read()
    .then((entries) => entries.map(({ value }) => value))
    .finally(() => stores.close());
}
