// What a program asks of a run, and what it gets: the part of prepare-run.ts that the library shows. Types alone, so that nothing of
// the inside is published with them.

import type { Activity } from '../kernel/activity.ts';
import type { Agent } from '../kernel/agent.ts';
import type { Demanded } from '../kernel/demand.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { RunBaseMode } from '../kernel/run.ts';
import type { Task, TaskStatus } from '../kernel/task.ts';
import type { Caps, Reached } from './budget/caps.ts';

/** What to run, by whom, and where events go. Only `tasks` has no default. */
export interface RunOptions {
  /** What to do, made by `defineTask`; tasks of equal priority run in this order. */
  readonly tasks: readonly Task[];
  /** The task file's path from the root: the same file goes on in its run. Without it, the first task's id stands for the file. */
  readonly taskFile?: string | undefined;
  /** For the branch; the task file's name when absent. */
  readonly branchName?: string | undefined;
  /** The project named in the task file. */
  readonly name?: string | undefined;
  /** The configuration that the person named, from the root. */
  readonly config?: string | undefined;
  /** Names of the agents that do the work, in this order. When absent: your `agents`; without those, the configuration's lineup. */
  readonly lineup?: readonly string[] | undefined;
  /** Agents of your own, made by `defineAgent`. Without `lineup` they do the work, in this order, and no other agent does. */
  readonly agents?: readonly Agent[] | undefined;
  /** Number of tasks that run at once; by the configuration when absent. */
  readonly concurrency?: number | undefined;
  /** What a new run begins with; by the configuration when absent. */
  readonly base?: RunBaseMode | undefined;
  /** The agent that reviews work whose checks passed, or `next`; by the configuration when absent. */
  readonly review?: string | undefined;
  /** What the run may use. */
  readonly caps?: Caps | undefined;
  /** Seconds to wait for agents that are at a limit, crash or do not answer, before their tasks are blocked; by the configuration
   *  (`run.maxWaitS`, 12 hours) when absent. 0: nobody is waited for. */
  readonly maxWaitS?: number | undefined;
  /** Also runs completed tasks and those that need review; false. */
  readonly isAgain?: boolean | undefined;
  /** Begins another run, also when the last one of the task file is not merged. */
  readonly isNew?: boolean | undefined;
  /** Ends the run; its agents get TERM. */
  readonly signal?: AbortSignal | undefined;
  /** Every event, as it is stored. What it throws does not touch the run; `onNote` gets it, once. */
  readonly onEvent?: ((event: NewEvent) => void) | undefined;
  /** What goes on between two events; stored nowhere. */
  readonly onActivity?: ((activity: Activity) => void) | undefined;
  /** What a person should know and no event has: `run.notify` failed, `onEvent` threw. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** What each option must be, for callers without types. */
export const RUN_OPTIONS = {
  tasks: 'list',
  taskFile: 'text',
  branchName: 'text',
  name: 'text',
  config: 'text',
  lineup: 'list',
  agents: 'list',
  concurrency: 'count',
  base: 'text',
  review: 'text',
  caps: 'map',
  maxWaitS: 'amount',
  isAgain: 'flag',
  isNew: 'flag',
  signal: 'map',
  onEvent: 'function',
  onActivity: 'function',
  onNote: 'function',
} satisfies Record<keyof RunOptions, Demanded>;

/** A run that has not begun. */
export interface PreparedRun {
  /** Names of the agents that may do the work, in order. */
  readonly lineup: readonly string[];
  /** Those of all known agents whose program is there. */
  readonly installed: ReadonlySet<string>;
  /** The prompt that the task's next attempt would get. */
  composeFirst(task: Task): Promise<string>;
  /** Works until every task is completed, failed, blocked or needs review. */
  run(): Promise<RunReport & { readonly end: RunEnd }>;
}

export interface RunReport {
  /** The end of each task, by its id. */
  readonly statuses: Readonly<Record<string, TaskStatus>>;
  /** `signal` ended it. */
  readonly isInterrupted: boolean;
  /** The cap that ended it while there was work left. */
  readonly reached?: Reached;
}

/** Where the work of a run is. */
export interface RunEnd {
  readonly branch: string;
  /** Of this run, those of earlier times too. */
  readonly commits: number;
  /** Without one, only foreword's own commands show and take over the commits. */
  readonly hasRepository: boolean;
  /** The work tree in which the person has the branch checked out, so that it was not moved. */
  readonly checkedOutIn?: string;
}
