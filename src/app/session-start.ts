// Joins `foreword start` in tmux: the session is prepared here and run by its host.

import type { NewHost } from '../sessions/client/spawn-host.ts';
import { startDetached as start } from '../sessions/client/start-detached.ts';
import type { SessionOptions } from '../sessions/client/start-options.ts';
import { prepareSession } from '../sessions/prepare.ts';
import type { Project } from './project.ts';
import { prepareParts } from './session.ts';
import { sessionsOf } from './sessions.ts';

export function startDetached(project: Project, options: SessionOptions, host: NewHost): Promise<number> {
  const { clock } = project;
  const parts = prepareParts(project);
  return start(
    { prepare: (request, place) => prepareSession(parts, request, place), client: sessionsOf(project), host, clock },
    options,
  );
}
