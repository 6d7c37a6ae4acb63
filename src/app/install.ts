// Joins init, uninstall and doctor's questions about hooks to this process: its environment, its Node, its own file.

import { homedir } from 'node:os';
import { AGENTS } from '../agents/index.ts';
import { INSTALLS } from '../agents/installs.ts';
import { installedAgents } from '../config/agents.ts';
import { PLAIN } from '../config/settings.ts';
import * as installed from '../install/installed.ts';
import * as plugged from '../install/installed-plug-ins.ts';
import { candidatesOf } from '../install/lineup.ts';
import type { InstallHost } from '../install/machine.ts';
import * as prepare from '../install/prepare.ts';
import { TARGETS } from '../install/targets.ts';
import * as team from '../install/team.ts';
import { environment, searchPath } from '../system/environment.ts';
import { ownStateFolder } from '../system/files/person-state.ts';
import { runProcess } from '../system/processes/run-process.ts';
import { VERIFIABLE } from '../verify/choose-agents.ts';
import { measurementsOfInstalled } from '../verify/known-measurements.ts';
import { startFaultOf } from '../verify/measurement.ts';

export type { HookTrust } from '../install/hook-trust.ts';
export type { PreparedInstall } from '../install/prepare.ts';

export const prepareInstall = (request: prepare.InstallRequest) => prepare.prepareInstall(request, host());
export const prepareTeam = (request: prepare.InstallRequest) => team.prepareTeam(request, host());
export const prepareUninstall = (request: prepare.InstallRequest) => prepare.prepareUninstall(request, host());
export const checkInstalled = (cwd: string) => installed.checkInstalled(cwd, host());
export const examineHooks = (cwd: string) => installed.examineHooks(cwd, host(), runProcess);
export const examinePlugIns = (cwd: string) => plugged.examinePlugIns(cwd, host(), runProcess);
export const agentsHere = (cwd: string) => installed.agentsHere(cwd, host(), VERIFIABLE);
export const nodeOfHooks = (cwd: string) => installed.nodeOfHooks(cwd, host());

function host(): InstallHost {
  const machine = { stateFolder: ownStateFolder(), path: searchPath(environment()), cwd: process.cwd() };
  return {
    env: environment(),
    homedir: homedir(),
    targets: TARGETS,
    commandFile: process.argv[1],
    candidates: candidatesOf({
      agents: AGENTS,
      installs: INSTALLS,
      installed: installedAgents(AGENTS, process.cwd()),
      faultOf: startFaultOf(measurementsOfInstalled(AGENTS, machine)),
    }),
    usualLineup: PLAIN.lineup.defaultValue,
    node: { path: process.execPath, version: process.version },
  };
}
