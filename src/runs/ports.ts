// What the supervisor is handed: it decides nothing about agents, files or processes itself, and knows no
// implementation. app/project.ts joins these to the real ones, tests to scripted ones.

import type { Handover } from '../context/handover/handover.ts';
import type { Agent, AgentResult } from '../kernel/agent.ts';
import type { AttemptRecord } from '../kernel/attempt.ts';
import type { Clock } from '../kernel/clock.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { ProcessEnd } from '../kernel/process.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Task } from '../kernel/task.ts';
import type { CriterionResult, Verdict } from '../kernel/verdict.ts';
import type { BreakerRules } from './breaker.ts';
import type { Changes, Snapshot } from './changes.ts';
import type { Workplace } from './workplaces/workplace.ts';

export interface Hands {
  readonly stores: Stores;
  readonly clock: Clock;
  /** From 0 to 1; decides what is held out. */
  random(): number;
  emit(event: NewEvent): Promise<void>;
  readonly agents: ReadonlyMap<string, Agent>;
  /** Agents whose program is there. */
  installed(): Promise<ReadonlySet<string>>;
  /** `origin`: the snapshot before the first attempt, when somebody worked on the task already. */
  openWorkplace(task: Task, origin: Snapshot | undefined): Promise<Workplace>;
  composePrompt(request: PromptRequest): Promise<RunPrompt>;
  runAgent(agent: Agent, request: AgentRequest, signal: AbortSignal): Promise<ProcessEnd>;
  classify(agent: Agent, end: ProcessEnd): AgentResult;
  /** What the checks say before anybody worked. */
  takeBaseline(task: Task, workplace: Workplace, signal: AbortSignal): Promise<readonly CriterionResult[]>;
  judge(request: JudgeRequest, signal: AbortSignal): Promise<Verdict>;
  /** False only when the owner of a claim is known to be dead: a process of this machine that is gone. */
  isAlive(owner: string): boolean;
}

export interface PromptRequest {
  readonly task: Task;
  readonly agent: string;
  readonly attempts: readonly AttemptRecord[];
  readonly attempt: number;
  readonly cwd: string;
}

export interface RunPrompt {
  /** Without the hand-over. */
  readonly original: string;
  readonly handover: Handover;
  readonly handoverTokens: number;
  readonly buildMs: number;
  /** Of the prompt as it is given: with the hand-over, unless it is held out. */
  hash(text: string): string;
}

export interface AgentRequest {
  readonly prompt: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Names the log: task and attempt. */
  readonly task: string;
  readonly attempt: number;
}

export interface JudgeRequest {
  readonly task: Task;
  readonly attempt: number;
  readonly agent: string;
  readonly attempts: readonly AttemptRecord[];
  readonly answer: string;
  readonly changes: Changes;
  /** Since before the first attempt: an earlier attempt's breach stays one until it is undone. */
  readonly allChanges: Changes;
  readonly baseline: readonly CriterionResult[];
  readonly workplace: Workplace;
}

export interface RunSettings {
  /** Names this supervisor on the store; tells machine, process and its start. */
  readonly owner: string;
  readonly lineup: readonly string[];
  readonly concurrency: number;
  readonly maxAgentFailures: number;
  /** How long to wait for an agent to come back before the task is blocked. */
  readonly maxWaitMs: number;
  readonly leaseMs: number;
  /** The share of hand-overs left out, to learn what they are good for. */
  readonly holdout: number;
  readonly breaker: BreakerRules;
}
