// Joins a run to the project, the agents, the composer of prompts and this machine. Loaded by commands that run something only.

import { runContext } from '../context/run-context.ts';
import { attemptRecords } from '../hooks/attempt-records.ts';
import { demand, demandProject } from '../kernel/demand.ts';
import { redactionStreams } from '../kernel/redact-stream.ts';
import { type PreparedRun, prepareRun as prepare, type RunOptions, type RunParts } from '../runs/prepare-run.ts';
import { type PreparedReplay, type ReplayOptions, prepareReplay as replay } from '../runs/replay/prepare-replay.ts';
import { openUsageLog } from '../sessions/transcripts/usage-log.ts';
import { environment, secretsFromEnv } from '../system/environment.ts';
import { isOwnerAlive, ownerName } from '../system/processes/owner.ts';
import { processRunner, runProcess } from '../system/processes/run-process.ts';
import { boxTrials } from '../verify/try-boxed.ts';
import { agentsOf } from './agents.ts';
import type { Project } from './project.ts';

export { oneTask } from '../runs/one-task.ts';
export { killRunning } from '../system/processes/running.ts';

export async function prepareRun(project: Project, options: RunOptions): Promise<PreparedRun> {
  demandProject(project, 'await prepareRun(openProject(), { tasks })');
  demand(options, 'await prepareRun(openProject(), { tasks })', { tasks: 'list' });
  return prepare(partsOf(project), options);
}

export async function prepareReplay(project: Project, options: ReplayOptions): Promise<PreparedReplay> {
  return replay(partsOf(project), options);
}

function partsOf(project: Project): RunParts {
  const redaction = redactionStreams(secretsFromEnv(environment(), project.config.redact.variables));
  return {
    project,
    agents: agentsOf(project),
    ...runContext,
    hookRecords: attemptRecords,
    usageLog: openUsageLog,
    startProcess: processRunner({ redaction }),
    variables: environment(),
    random: Math.random,
    commandFile: process.argv[1],
    tryBoxed: boxTrials(runProcess),
    owner: ownerName(),
    isAlive: isOwnerAlive,
  };
}
