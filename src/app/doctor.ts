// Joins `foreword doctor` to what it asks: sandboxes, the store, installed hooks, the results of verify, a terminal.

import { homedir } from 'node:os';
import { installedAgents } from '../config/agents.ts';
import type { Findings } from '../reports/doctor.ts';
import { examine } from '../reports/examine.ts';
import { findSandbox } from '../runs/sandboxes/index.ts';
import { environment, searchPath } from '../system/environment.ts';
import { stateFolder } from '../system/files/project-state.ts';
import { platform } from '../system/platform.ts';
import { runProcess } from '../system/processes/run-process.ts';
import { measurementsOfVersions } from '../verify/known-measurements.ts';
import { agentsOf } from './agents.ts';
import { checkInstalled, nodeOfHooks } from './install.ts';
import type { Project } from './project.ts';
import { findState } from './state.ts';

export function examineProject(project: Project): Promise<Findings> {
  const { root, cwd, config } = project;
  const agents = agentsOf(project);
  const env = environment();
  const path = searchPath(env);
  return examine(
    { root, lineup: config.lineup, env, agents, installed: installedAgents(agents, root) },
    {
      sandbox: () => findSandbox({ ...config.sandbox, run: runProcess, searchPath: path, workTree: root }),
      store: () => project.examineStore(),
      state: () => findState(root),
      hooks: () => checkInstalled(cwd),
      hookNode: () => nodeOfHooks(cwd),
      measured: (versions) =>
        measurementsOfVersions(agents, versions, { stateFolder: stateFolder(env, homedir()), path, cwd: root }),
      absences: () => platform.absences,
      openTerminal: async (start) => (await import('../terminals/pty/pty.ts')).openPty(start),
    },
  );
}
