// Joins the start of a session's host to its built program, which is beside the built command. Small: it is loaded before
// anything else of `foreword start`.

import { join } from 'node:path';
import { type HostProcess, type NewHost, spawnHost, spawnNewHost } from '../sessions/client/spawn-host.ts';
import type { HostChoices, HostRequest } from '../sessions/host/request.ts';
import { environment } from '../system/environment.ts';
import { PLACES } from './session-places.ts';

export function startHost(request: HostRequest, cwd: string): HostProcess {
  return spawnHost(request, { program: program(), env: environment(), cwd, places: PLACES });
}

export function startNewHost(request: HostChoices, cwd: string): NewHost {
  return spawnNewHost(request, {
    program: program(),
    env: environment(),
    cwd,
    places: PLACES,
    endTmux: async (tmux) => (await import('../terminals/tmux/tmux.ts')).endTmux(tmux),
  });
}

function program(): string {
  return join(__dirname, 'host.cjs');
}
