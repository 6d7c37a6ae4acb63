// What a run needs from outside (RunPorts), and what it has to do (RunSettings). Everything that a run decides is decided
// in this folder. prepare-run.ts fills both from the project; tests pass in scripted ones.

import type { HandoverSettings } from '../context/handover/handover.ts';
import type { Activity } from '../kernel/activity.ts';
import type { Agent } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Policy } from '../kernel/policy.ts';
import type { RunProcess } from '../kernel/process.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Environment } from '../system/environment.ts';
import type { RunPlaces } from '../system/files/project-state.ts';
import type { ReadHookRecords } from './attempts/hook-folder.ts';
import type { ReadSavedNotes } from './attempts/saved-notes.ts';
import type { PromptRequest, RunPrompt } from './attempts/task-prompt.ts';
import type { AgentBoxes } from './box/box.ts';
import type { BreakerRules } from './breaker.ts';
import type { Caps } from './budget/caps.ts';
import type { OpenUsageLog } from './budget/meter.ts';
import type { SandboxFinding } from './sandboxes/sandbox.ts';
import type { Workplaces } from './workplaces/index.ts';

export interface RunPorts {
  readonly stores: Stores;
  readonly clock: Clock;
  /** From 0 to 1; decides which hand-overs are left out. */
  random(): number;
  emit(event: NewEvent): Promise<void>;
  /** Names this machine on a store that others share; absent on one of its own. */
  readonly machine?: string | undefined;
  /** What goes on between two events, for whoever watches; stored nowhere. */
  show?(activity: Activity): void;
  readonly startProcess: RunProcess;
  /** Environment variables of this process; a child gets those that it needs. */
  readonly variables: Environment;
  /** Why an agent must not be started in that folder now: a file that its command names changed since a person agreed to it. */
  refusal?(agent: string, cwd: string): string | undefined;
  /** Transcripts of agents, read for their usage. */
  readonly usageLog?: OpenUsageLog;
  /** What hooks of an agent recorded. */
  readonly hookRecords?: ReadHookRecords;
  /** What an agent saved in its box for the next one. */
  readonly savedNotes?: ReadSavedNotes;
  /** The project's files that every agent must know, as the prompts of a run have them; empty without any. Absent: no prompt has them. */
  rules?(): Promise<string>;
  composePrompt(request: PromptRequest): Promise<RunPrompt>;
  readonly workplaces: Pick<Workplaces, 'open'>;
  /** Boxes for agents and checks; absent: nothing is boxed. */
  readonly boxes?: AgentBoxes;
  /** May be called often; it looks once. */
  findSandbox(): Promise<SandboxFinding>;
  /** `undefined` when the project has no policy that can be read. */
  policy(): Policy | undefined;
  redact(text: string): string;
  /** False only when the owner of a claim is known to be dead: a process of this machine that is gone. */
  isAlive(owner: string): boolean;
}

export interface RunSettings {
  /** Names this supervisor on the store: machine, process and its start. */
  readonly owner: string;
  /** The project's folder. */
  readonly root: string;
  /** Where a run keeps its own files: in the person's state folder. */
  readonly places: RunPlaces;
  readonly lineup: readonly string[];
  /** Every agent that is described, by name. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** Those whose program is there. */
  readonly installed: ReadonlySet<string>;
  /** Those that get no work, since a box is required and they have none; with why, which ends a sentence. */
  readonly unboxed?: ReadonlyMap<string, string>;
  readonly concurrency: number;
  readonly maxAgentFailures: number;
  /** How long to wait for an agent to come back before the task is blocked. */
  readonly maxWaitMs: number;
  /** How long an agent may print nothing. */
  readonly hangMs: number;
  readonly leaseMs: number;
  /** Other machines do tasks of the same run: who cannot renew a claim ends its agents before the lease ends. */
  readonly isShared?: boolean;
  /** The share of hand-overs left out, to learn what they are good for. */
  readonly holdout: number;
  readonly breaker: BreakerRules;
  /** Percent of its allowance at which an agent gets no more work until that resets. */
  readonly leaveAt: number;
  readonly caps: Caps;
  readonly judging: JudgeSettings;
}

export interface JudgeSettings {
  /** The agent that verifies; when absent, the next in the lineup that did not do the work. */
  readonly helper: string | undefined;
  readonly helperTimeoutMs: number;
  /** For checks and for the helper's commands. */
  readonly checkTimeoutMs: number;
  readonly handover: HandoverSettings;
  readonly review: ReviewSettings;
}

export interface ReviewSettings {
  /** The agent that reviews work whose checks passed, or `next`; nobody when absent. */
  readonly by: string | undefined;
  /** How often it may send the work back. */
  readonly rounds: number;
  readonly timeoutMs: number;
}
