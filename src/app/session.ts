// Joins the preparing of a session to agents, hooks, what verify measured, and the startup context.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { startupText } from '../context/startup-text.ts';
import { plugInFor } from '../install/plug-in.ts';
import { shellWord } from '../kernel/shell-word.ts';
import type { PrepareParts } from '../sessions/prepare.ts';
import { environment } from '../system/environment.ts';
import { stateFolder } from '../system/files/project-state.ts';
import { sha256 } from '../system/sha256.ts';
import { measurementOf, readResults } from '../verify/results.ts';
import { agentsOf } from './agents.ts';
import type { Project } from './project.ts';

export function prepareParts(project: Project): PrepareParts {
  return {
    project,
    agents: () => agentsOf(project),
    env: environment(),
    startupText: () => startupText(project),
    measured: (agent, program) => measurementOf(readResults(stateFolder(environment(), homedir())), agent, program),
    // Beside the built command.
    hooks: { script: join(__dirname, '../hook/foreword-hook'), quote: shellWord, plugIn: plugInFor, sha256 },
  };
}
