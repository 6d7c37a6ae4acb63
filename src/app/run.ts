// Joins a run to the project, the agents, the composer of prompts and this machine. Loaded by commands that run something only.

import { runContext } from '../context/run-context.ts';
import { runHooks } from '../hooks/run-hooks.ts';
import { demand, demandKnown, demandOptions, demandProject } from '../kernel/demand.ts';
import { redactionStreams } from '../kernel/redact-stream.ts';
import {
  type PreparedSharedRun,
  prepareRun as prepare,
  type RunParts,
  type SharedRunOptions,
} from '../runs/prepare-run.ts';
import { type PreparedReplay, type ReplayOptions, prepareReplay as replay } from '../runs/replay/prepare-replay.ts';
import { type PreparedRun, RUN_OPTIONS, type RunOptions } from '../runs/run-options.ts';
import { openUsageLog } from '../sessions/transcripts/usage-log.ts';
import { environment, secretsFromEnv } from '../system/environment.ts';
import { isOwnerAlive, ownerName } from '../system/processes/owner.ts';
import { processRunner, runProcess } from '../system/processes/run-process.ts';
import { boxTrials } from '../verify/try-boxed.ts';
import { agentsOf } from './agents.ts';
import type { Project } from './project.ts';

export { oneTask } from '../runs/one-task.ts';
export { killRunning } from '../system/processes/running.ts';

const CALL = 'await prepareRun(openProject(), { tasks })';

/** Runs nothing yet: `run()` of what it resolves to does. Throws `bad-input` with every fault of the tasks. */
export async function prepareRun(project: Project, options: RunOptions): Promise<PreparedRun> {
  demandProject(project, CALL);
  demand(options, CALL, { tasks: 'list' });
  demandOptions(options, CALL, RUN_OPTIONS);
  demandKnown(options, CALL, Object.keys(RUN_OPTIONS));
  return prepare(partsOf(project), options);
}

/** For a run whose tasks other machines do too. */
export async function prepareSharedRun(project: Project, options: SharedRunOptions): Promise<PreparedSharedRun> {
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
    ...runHooks,
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
