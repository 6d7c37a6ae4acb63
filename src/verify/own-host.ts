// What verify needs to know of this process.

import { homedir } from 'node:os';
import { environment } from '../system/environment.ts';
import { stateFolder } from '../system/files/project-state.ts';
import { isolation } from './isolation.ts';
import type { VerifyHost } from './verify.ts';

export type OwnHost = Omit<VerifyHost, 'ports' | 'measure'>;

export function ownHost(): OwnHost {
  return {
    env: environment(),
    cwd: process.cwd(),
    stateFolder: stateFolder(environment(), homedir()),
    command: [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)],
    args: process.argv.slice(2),
    isolation,
  };
}
