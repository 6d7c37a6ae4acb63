// Prepares a run: its settings from the project's, and its ports from what app/ passes in.

import { installedAgents } from '../config/agents.ts';
import type { Config } from '../config/load.ts';
import type { Sources } from '../context/sources/port.ts';
import type { Agent } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { RunRecord } from '../kernel/run.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Claim, Task } from '../kernel/task.ts';
import { whileAtWork } from '../system/files/at-work.ts';
import type { ProjectState } from '../system/files/open-state.ts';
import { roomFor } from './attempts/room.ts';
import { runTask } from './attempts/run-task.ts';
import type { ComposeTaskPrompt, RunRole } from './attempts/task-prompt.ts';
import type { TaskRun } from './attempts/task-run.ts';
import type { TryBoxed } from './box/box.ts';
import { DEFAULT_BREAKER_RULES } from './breaker.ts';
import { tryRepaired } from './breakers.ts';
import { Budget } from './budget/budget.ts';
import { refuseUncounted } from './budget/refuse-uncounted.ts';
import { comingAlong } from './coming-along.ts';
import { refuseLacking } from './judging/checks/cannot-start.ts';
import { refuseLoadFaults } from './load-faults.ts';
import { type DoneAgain, enlistTasks, refuseChanged } from './loop/enlist.ts';
import { runTasks } from './loop/run-tasks.ts';
import { type Notifier, openNotifier } from './notify/notifier.ts';
import type { RunPorts, RunSettings } from './ports.ts';
import type { PreparedRun, RunOptions } from './run-options.ts';
import { portsOf } from './run-ports.ts';
import { withoutUnboxed } from './without-unboxed.ts';
import { type Carry, checkGit, openWorkplaces } from './workplaces/index.ts';
import { noteProject } from './workplaces/note-project.ts';
import type { RunStart } from './workplaces/workplace.ts';

/** For a run whose tasks other machines do too: how its work travels, and how long a claim holds. */
export interface SharedRunOptions extends RunOptions {
  readonly shared?: { readonly carry: Carry; readonly lockMs: number } | undefined;
}

export interface PreparedSharedRun extends PreparedRun {
  /** Makes it, or finds it, without its tasks. */
  begin(): Promise<RunStart>;
  /** Puts its tasks into the store; other machines may begin at once. */
  enlist(run: string): Promise<readonly DoneAgain[]>;
  /** Opens it to work on single tasks of it. */
  share(): Promise<WorkedRun>;
}

/** A run of which single tasks are done here. */
export interface WorkedRun {
  /** Resolves when the task's record is stored. Throws `stale-owner`. */
  work(task: Task, claim: Claim, how: Pick<TaskRun, 'signal' | 'mayLeave'>): Promise<void>;
  close(): Promise<void>;
}

/** What a run needs of the project. */
export interface RunProject {
  readonly root: string;
  readonly config: RunConfig;
  readonly clock: Clock;
  readonly state: Pick<ProjectState, 'runs'>;
  readonly sources: Sources;
  readonly trust?: {
    refusal(agent: string, cwd: string): string | undefined;
    prepareRefusal?(cwd: string): string | undefined;
    notifyRefusal?(cwd: string): string | undefined;
  };
  template(role: RunRole): { readonly text: string; readonly where: string } | undefined;
  redact(text: string): string;
  writeStores(): Promise<Stores>;
  readStores(): Promise<Stores>;
  emit(event: NewEvent): Promise<void>;
}

type RunConfig = Pick<
  Config,
  'run' | 'breaker' | 'lineup' | 'helper' | 'handover' | 'sandbox' | 'context' | 'history' | 'project'
>;

/** What app/run.ts joins to a run. */
export interface RunParts
  extends Pick<
    RunPorts,
    'startProcess' | 'variables' | 'random' | 'isAlive' | 'hookRecords' | 'savedNotes' | 'usageLog'
  > {
  readonly project: RunProject;
  /** The built-in agents and those of the configuration. */
  readonly agents: readonly Agent[];
  readonly composeTaskPrompt: ComposeTaskPrompt;
  /** The project's files that every agent must know, as one text; absent: prompts go without. */
  readonly rules?: (root: string, env: RunPorts['variables'], redact: (text: string) => string) => Promise<string>;
  /** Names this process on the store. */
  readonly owner: string;
  /** Whether agents can work in a box; absent: they are boxed without a trial. */
  readonly tryBoxed?: TryBoxed;
  /** The file that the command was started from: hooks lie beside it. */
  readonly commandFile?: string | undefined;
}

/** Runs nothing yet. Throws `bad-input` with every fault of the tasks, and `missing-program` without git or programs of checks. */
export async function prepareRun(parts: RunParts, options: SharedRunOptions): Promise<PreparedSharedRun> {
  const { project } = parts;
  const settings = settingsOf(parts, options);
  const searchPath = parts.variables.PATH ?? '';
  const { root } = project;
  const { tasks, lineup: wanted, review, isAgain = false, signal = new AbortController().signal } = options;
  const isPrepared = project.config.run.prepare !== undefined;
  refuseLoadFaults({
    tasks,
    lineup: wanted,
    review,
    agents: [...settings.agents.keys()],
    root,
    searchPath,
    isPrepared,
  });
  checkGit(root, searchPath);
  refuseUncounted(settings, tasks);
  const stores = await project.writeStores();
  const workplaces = openWorkplaces({
    root,
    places: settings.places,
    owner: { name: settings.owner, isAlive: parts.isAlive },
    env: parts.variables,
    clock: project.clock,
    runs: stores.runs,
    // Uncommitted changes are on one machine only.
    base: options.shared === undefined ? (options.base ?? project.config.run.base) : 'head',
    carry: options.shared?.carry,
    hasSecret: (content) => project.redact(content) !== content,
    taskFile: options.taskFile ?? `tasks ${options.tasks[0]?.task_id ?? ''}`,
    name: options.branchName,
    isNew: options.isNew === true,
    isBusy: async (id) => (await stores.tasks.list()).some(({ run, status }) => run === id && status === 'running'),
    coming: comingAlong(parts, settings, {
      signal,
      emit: (event) => ports.emit(event),
      room: (at) => roomFor(ports, undefined, at),
    }),
  });
  const notifier = notifierOf(parts, options);
  const ports: RunPorts = portsOf(parts, options, { settings, stores, workplaces, notifier });
  const { lineup, installed } = settings;
  const how = { stores, redact: project.redact, isAgain };
  return {
    lineup,
    installed,
    composeFirst: async (task) => {
      const agent = lineup.find((name) => installed.has(name)) ?? lineup[0] ?? '';
      const { original, handover } = await ports.composePrompt({ task, agent, cwd: root });
      return handover.text + original;
    },
    begin: () => workplaces.begin(),
    enlist: async (run) => {
      await refuseChanged(tasks, how);
      await noteProject(stores.runs, run, namedBy(options));
      return enlistTasks(tasks, { ...how, now: project.clock.now(), run, isShared: true });
    },
    share: async () => {
      const boxable = await withoutUnboxed(ports.boxes, settings, tasks);
      await tryRepaired(ports, settings);
      await workplaces.begin();
      return {
        work: (task, claim, way) => runTask(ports, boxable, { task, claim, ...way, budget: undefined }),
        close: async () => {
          await ports.boxes?.close();
          await notifier.settled();
        },
      };
    },
    run: () => whileAtWork(settings.places.atWork, { owner: settings.owner, what: 'foreword run' }, runAll),
  };

  async function runAll(): ReturnType<PreparedRun['run']> {
    await refuseChanged(tasks, how);
    const records = await Promise.all(tasks.map(({ task_id }) => stores.tasks.get(task_id)));
    const open = tasks.filter((_, index) => isAgain || records[index]?.status !== 'completed');
    refuseWithoutAgents(settings, open);
    const boxable = await withoutUnboxed(ports.boxes, settings, tasks);
    const opened = await workplaces.begin();
    await noteProject(stores.runs, opened.run, namedBy(options));
    const doneAgain = await enlistTasks(tasks, { ...how, now: project.clock.now(), run: opened.run });
    await ports.emit({ kind: 'run-opened', ...opened, ...(doneAgain.length === 0 ? {} : { doneAgain }) });
    await refuseLacking(tasks, project.root, (paths) => workplaces.lacking(paths));
    const { caps } = settings;
    const budget = await Budget.open({ caps, clock: project.clock, stores, run: opened.run, emit: ports.emit });
    await tryRepaired(ports, settings);
    const report = await runTasks(ports, boxable, { tasks, signal, budget });
    const end = await workplaces.end();
    await ports.boxes?.close();
    await notifier.settled();
    return { ...report, end };
  }
}

/** Some of the tasks may still find no agent: those are blocked, and the others are done. */
function refuseWithoutAgents({ lineup, installed }: RunSettings, tasks: readonly Task[]): void {
  const wanted = [...new Set(tasks.flatMap(({ agents }) => agents ?? lineup))];
  if (wanted.length === 0 || wanted.some((name) => installed.has(name))) return;
  throw new ForewordError('missing-program', `None of the agents ${wanted.join(', ')} is installed; nothing was run.`, {
    hint: 'Install one, or name another (lineup; on the command line --agents NAME). foreword doctor lists what is here.',
  });
}

/** The options win over the configuration; an agent of the options wins over one of the same name. */
export function settingsOf(
  parts: Pick<RunParts, 'agents' | 'owner'> & { readonly project: Pick<RunProject, 'root' | 'config' | 'state'> },
  options: Pick<SharedRunOptions, 'lineup' | 'agents' | 'concurrency' | 'review' | 'caps' | 'maxWaitS' | 'shared'>,
): RunSettings {
  const { root, config, state } = parts.project;
  const { run, breaker } = config;
  const agents = new Map([...parts.agents, ...(options.agents ?? [])].map((agent) => [agent.name, agent]));
  return {
    owner: parts.owner,
    root,
    places: state.runs(),
    lineup: options.lineup ?? ownLineup(options.agents) ?? config.lineup,
    agents,
    installed: installedAgents([...agents.values()], root),
    concurrency: options.concurrency ?? run.concurrency,
    maxAgentFailures: run.maxAgentFailures,
    maxWaitMs: (options.maxWaitS ?? run.maxWaitS) * 1000,
    hangMs: run.hangS * 1000,
    leaseMs: options.shared?.lockMs ?? run.leaseMs,
    isShared: options.shared !== undefined,
    holdout: run.holdout,
    leaveAt: run.leaveAt,
    caps: options.caps ?? {},
    breaker: {
      ...DEFAULT_BREAKER_RULES,
      quotaMs: breaker.quotaMs,
      authMs: breaker.authMs,
      firstPauseMs: breaker.rateLimitMs,
      lastPauseMs: breaker.maxMs,
      strikes: breaker.failures,
      strikeWindowMs: breaker.withinMs,
    },
    judging: {
      helper: config.helper,
      helperTimeoutMs: run.helperTimeoutS * 1000,
      checkTimeoutMs: run.checkTimeoutS * 1000,
      handover: config.handover,
      review: {
        by: options.review ?? run.review,
        rounds: run.reviewRounds,
        timeoutMs: run.reviewTimeoutS * 1000,
      },
    },
  };
}

/** Who brings agents wants them to work. Those that only have a screen cannot. */
function ownLineup(agents: readonly Agent[] = []): readonly string[] | undefined {
  const names = agents.filter(({ oneshot }) => oneshot !== undefined).map(({ name }) => name);
  return names.length === 0 ? undefined : names;
}

function notifierOf({ project, variables, startProcess }: RunParts, { tasks, onNote }: RunOptions): Notifier {
  const { root, config, clock, trust } = project;
  return openNotifier({
    command: config.run.notify,
    root,
    tasks,
    variables,
    startProcess,
    now: () => clock.now(),
    redact: (text) => project.redact(text),
    refusal: (cwd) => trust?.notifyRefusal?.(cwd),
    note: (text) => onNote?.(text),
  });
}

/** What the person named at the start of the run. */
function namedBy({ name, config }: RunOptions): Pick<RunRecord, 'project' | 'config'> {
  return { ...(name === undefined ? {} : { project: name }), ...(config === undefined ? {} : { config }) };
}
