// What commands need to see and reach sessions; app/sessions.ts joins it.

import type { HostRequest } from '../host/request.ts';
import type { SessionPlaces } from '../places.ts';
import type { Owners } from '../presence.ts';
import type { SessionProject } from '../project.ts';
import type { TmuxTerminals } from '../terminals.ts';
import type { HostProcess } from './spawn-host.ts';

export interface ClientParts {
  readonly project: SessionProject;
  readonly owners: SessionOwners;
  readonly places: Pick<SessionPlaces, 'of' | 'isElsewhere'>;
  readonly tmux: Pick<TmuxTerminals, 'end' | 'attachCommand'>;
  readonly spawnHost: (request: HostRequest, cwd: string) => HostProcess;
  /** Runs a program in the person's terminal until it ends. */
  readonly runInTerminal: (command: readonly string[]) => Promise<void>;
}

export interface SessionOwners extends Owners {
  /** The name of the machine. */
  readonly hostOf: (owner: string) => string;
}
