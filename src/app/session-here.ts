// Joins `foreword start` in the person's own terminal.

import { startHere as start } from '../sessions/client/start-here.ts';
import type { SessionOptions } from '../sessions/client/start-options.ts';
import { prepareSession } from '../sessions/prepare.ts';
import { viewTerminal } from '../terminals/relay.ts';
import type { Project } from './project.ts';
import { prepareParts } from './session.ts';
import { hostingParts } from './session-hosting.ts';
import { PLACES } from './session-places.ts';

export function startHere(project: Project, options: SessionOptions): Promise<number> {
  const { stdin: input, stdout: output } = process;
  const parts = prepareParts(project);
  return start(
    {
      hosting: hostingParts(project),
      newPlace: PLACES.make,
      prepare: (request, place) => prepareSession(parts, request, place),
      openPty: async (given) => (await import('../terminals/pty/pty.ts')).openPty(given),
      person: {
        input,
        output,
        signals: process,
        view: (terminal) => viewTerminal({ terminal, input, output }),
      },
    },
    options,
  );
}
