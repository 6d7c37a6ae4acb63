// Joins the preparing of a session to agents, hooks, what verify measured, and the startup context.

import { join } from 'node:path';
import { startupText } from '../context/startup-text.ts';
import { plugInFor } from '../install/plug-in.ts';
import { shellWord } from '../kernel/shell-word.ts';
import type { PrepareParts } from '../sessions/prepare.ts';
import { sha256 } from '../system/sha256.ts';
import { ownHost } from '../verify/own-host.ts';
import { measurementOf, readResults } from '../verify/results.ts';
import { agentsOf } from './agents.ts';
import type { Project } from './project.ts';
import { sessionsOf } from './sessions.ts';

export function prepareParts(project: Project): PrepareParts {
  const { env, stateFolder } = ownHost();
  return {
    project,
    agents: () => agentsOf(project),
    env,
    startupText: async (agent, resumed) => {
      await sessionsOf(project).settle();
      return startupText(project, { agent, resumed });
    },
    measured: (agent, program) => measurementOf(readResults(stateFolder), agent, program),
    installedHooks: async () => (await import('./install.ts')).checkInstalled(project.cwd),
    // Beside the built command.
    server: (root) => [process.execPath, join(__dirname, 'start.cjs'), 'mcp', '--cwd', root],
    hooks: { script: join(__dirname, '../hook/foreword-hook'), quote: shellWord, plugIn: plugInFor, sha256 },
  };
}
