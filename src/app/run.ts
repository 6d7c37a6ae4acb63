// Joins a run to the project, the agents, the composer of prompts and this machine. Loaded only by commands that run
// something.

import { composeTaskPrompt } from '../context/compose-prompt.ts';
import { attemptRecords } from '../hooks/attempt-records.ts';
import { redactionStreams } from '../kernel/redact-stream.ts';
import { type PreparedRun, prepareRun as prepare, type RunOptions } from '../runs/prepare-run.ts';
import { environment, secretsFromEnv } from '../system/environment.ts';
import { isOwnerAlive, ownerName } from '../system/processes/owner.ts';
import { processRunner } from '../system/processes/run-process.ts';
import { agentsOf } from './agents.ts';
import type { Project } from './project.ts';

export { oneTask } from '../runs/one-task.ts';

export async function prepareRun(project: Project, options: RunOptions): Promise<PreparedRun> {
  return prepare(
    {
      project,
      agents: agentsOf(project),
      composeTaskPrompt,
      hookRecords: attemptRecords,
      startProcess: processRunner({
        redaction: redactionStreams(secretsFromEnv(environment(), project.config.redact.variables)),
      }),
      variables: environment(),
      random: Math.random,
      owner: ownerName(),
      isAlive: isOwnerAlive,
    },
    options,
  );
}
