// Joins init, uninstall and doctor's questions about hooks to this process: its environment, its Node, its own file.

import { homedir } from 'node:os';
import * as installed from '../install/installed.ts';
import type { InstallHost } from '../install/machine.ts';
import * as prepare from '../install/prepare.ts';
import { TARGETS } from '../install/targets.ts';
import { environment } from '../system/environment.ts';

export type { PreparedInstall } from '../install/prepare.ts';

export const prepareInstall = (request: prepare.InstallRequest) => prepare.prepareInstall(request, host());
export const prepareUninstall = (request: prepare.InstallRequest) => prepare.prepareUninstall(request, host());
export const checkInstalled = (cwd: string) => installed.checkInstalled(cwd, host());
export const nodeOfHooks = (cwd: string) => installed.nodeOfHooks(cwd, host());

function host(): InstallHost {
  return {
    env: environment(),
    homedir: homedir(),
    targets: TARGETS,
    commandFile: process.argv[1],
    node: { path: process.execPath, version: process.version },
  };
}
