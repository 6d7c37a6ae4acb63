// Prepares a run: its settings from the project's, and its ports from what app/ passes in.

import { installedAgents } from '../config/agents.ts';
import type { Config } from '../config/load.ts';
import { foundOr, type Sources } from '../context/sources/port.ts';
import type { Agent } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { NewEvent } from '../kernel/events.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import type { RunBaseMode } from '../kernel/run.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Task } from '../kernel/task.ts';
import type { ProjectState } from '../system/files/open-state.ts';
import { type ComposeTaskPrompt, composeRunPrompt, type PromptComposer } from './attempts/task-prompt.ts';
import { DEFAULT_BREAKER_RULES } from './breaker.ts';
import { comingAlong } from './coming-along.ts';
import { refuseLacking } from './judging/checks/cannot-start.ts';
import { refuseLoadFaults } from './load-faults.ts';
import { enlistTasks, refuseChanged } from './loop/enlist.ts';
import { type RunReport, runTasks } from './loop/run-tasks.ts';
import type { RunPorts, RunSettings } from './ports.ts';
import { findSandbox } from './sandboxes/index.ts';
import type { SandboxFinding } from './sandboxes/sandbox.ts';
import { checkGit, openWorkplaces, type Workplaces } from './workplaces/index.ts';
import { noteProject } from './workplaces/note-project.ts';
import type { RunEnd } from './workplaces/workplace.ts';

export interface RunOptions {
  readonly tasks: readonly Task[];
  /** The task file's path from the root: the same file goes on in its run. */
  readonly taskFile?: string | undefined;
  /** For the branch; the task file's name when absent. */
  readonly branchName?: string | undefined;
  /** The project named in the task file. */
  readonly name?: string | undefined;
  readonly lineup?: readonly string[] | undefined;
  /** Agents of your own beside the known ones. */
  readonly agents?: readonly Agent[] | undefined;
  /** Number of tasks that run at once; by the configuration when absent. */
  readonly concurrency?: number | undefined;
  /** What a new run begins with; by the configuration when absent. */
  readonly base?: RunBaseMode | undefined;
  readonly isAgain: boolean;
  /** Begins another run, also when the last one of the task file is not merged. */
  readonly isNew?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Every event, as it is stored. */
  readonly onEvent: (event: NewEvent) => void;
}

export interface PreparedRun {
  readonly lineup: readonly string[];
  readonly installed: ReadonlySet<string>;
  /** The prompt that the task's next attempt would get. */
  composeFirst(task: Task): Promise<string>;
  run(): Promise<RunReport & { readonly end: RunEnd }>;
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
  };
  template(role: 'engineer'): { readonly text: string; readonly where: string } | undefined;
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
export interface RunParts extends Pick<RunPorts, 'startProcess' | 'variables' | 'random' | 'isAlive' | 'hookRecords'> {
  readonly project: RunProject;
  /** The built-in agents and those of the configuration. */
  readonly agents: readonly Agent[];
  readonly composeTaskPrompt: ComposeTaskPrompt;
  /** Names this process on the store. */
  readonly owner: string;
}

/** Runs nothing yet. Throws `bad-input` with every fault of the tasks, and `missing-program` without git or programs of checks. */
export async function prepareRun(parts: RunParts, options: RunOptions): Promise<PreparedRun> {
  const { project } = parts;
  const settings = settingsOf(parts, options);
  const searchPath = parts.variables.PATH ?? '';
  const { root } = project;
  const { tasks, lineup: wanted } = options;
  const isPrepared = project.config.run.prepare !== undefined;
  refuseLoadFaults({ tasks, lineup: wanted, agents: [...settings.agents.keys()], root, searchPath, isPrepared });
  checkGit(root, searchPath);
  const stores = await project.writeStores();
  const workplaces = openWorkplaces({
    root,
    places: settings.places,
    owner: { name: settings.owner, isAlive: parts.isAlive },
    env: parts.variables,
    clock: project.clock,
    runs: stores.runs,
    base: options.base ?? project.config.run.base,
    hasSecret: (content) => project.redact(content) !== content,
    taskFile: options.taskFile ?? `tasks ${options.tasks[0]?.task_id ?? ''}`,
    name: options.branchName,
    isNew: options.isNew === true,
    isBusy: async (id) => (await stores.tasks.list()).some(({ run, status }) => run === id && status === 'running'),
    coming: comingAlong(parts, settings, { signal: options.signal, emit: (event) => ports.emit(event) }),
  });
  const ports: RunPorts = portsOf(parts, options, { settings, stores, workplaces });
  const { lineup, installed } = settings;
  return {
    lineup,
    installed,
    composeFirst: async (task) => {
      const agent = lineup.find((name) => installed.has(name)) ?? lineup[0] ?? '';
      const { original, handover } = await ports.composePrompt({ task, agent, cwd: root });
      return handover.text + original;
    },
    run: async () => {
      const { isAgain, signal } = options;
      const how = { stores, redact: project.redact, isAgain };
      await refuseChanged(tasks, how);
      const opened = await workplaces.begin();
      await noteProject(stores.runs, opened.run, options.name);
      const doneAgain = await enlistTasks(tasks, { ...how, now: project.clock.now(), run: opened.run });
      await ports.emit({ kind: 'run-opened', ...opened, ...(doneAgain.length === 0 ? {} : { doneAgain }) });
      await refuseLacking(tasks, project.root, (paths) => workplaces.lacking(paths));
      const report = await runTasks(ports, settings, { tasks, signal });
      return { ...report, end: await workplaces.end() };
    },
  };
}

/** The options win over the configuration; an agent of the options wins over one of the same name. */
export function settingsOf(
  parts: Pick<RunParts, 'agents' | 'owner'> & { readonly project: Pick<RunProject, 'root' | 'config' | 'state'> },
  options: Pick<RunOptions, 'lineup' | 'agents' | 'concurrency'>,
): RunSettings {
  const { root, config, state } = parts.project;
  const { run, breaker } = config;
  const agents = new Map([...parts.agents, ...(options.agents ?? [])].map((agent) => [agent.name, agent]));
  return {
    owner: parts.owner,
    root,
    places: state.runs(),
    lineup: options.lineup ?? config.lineup,
    agents,
    installed: installedAgents([...agents.values()], root),
    concurrency: options.concurrency ?? run.concurrency,
    maxAgentFailures: run.maxAgentFailures,
    maxWaitMs: run.maxWaitS * 1000,
    leaseMs: run.leaseMs,
    holdout: run.holdout,
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
    },
  };
}

function portsOf(
  parts: RunParts,
  options: RunOptions,
  opened: { readonly settings: RunSettings; readonly stores: Stores; readonly workplaces: Workplaces },
): RunPorts {
  const { project, startProcess, variables, random, isAlive, hookRecords } = parts;
  const { stores, workplaces } = opened;
  const { root, clock } = project;
  const emit = async (event: NewEvent): Promise<void> => {
    // Before it is shown: lines of it are shortened, and half a secret would not be recognised.
    options.onEvent(mapStrings(event, (text) => project.redact(text)));
    await project.emit(event);
  };
  const composer = composerOf(parts, options, { stores, emit });
  let sandbox: Promise<SandboxFinding> | undefined;
  return {
    stores,
    clock,
    random,
    emit,
    startProcess,
    variables,
    ...(hookRecords === undefined ? {} : { hookRecords }),
    refusal: (agent, cwd) => project.trust?.refusal(agent, cwd),
    composePrompt: (request) => composeRunPrompt(composer, request),
    workplaces,
    findSandbox: () => {
      const searchPath = variables.PATH ?? '';
      sandbox ??= findSandbox({ ...project.config.sandbox, run: startProcess, searchPath, workTree: root });
      return sandbox;
    },
    policy: () => foundOr(project.sources.policy(), undefined, []),
    redact: (text) => project.redact(text),
    isAlive,
  };
}

/** The tasks in the prompt are those of this run, whose file need not be the project's. */
function composerOf(
  { project, composeTaskPrompt }: RunParts,
  { tasks, name }: RunOptions,
  opened: Pick<RunPorts, 'stores' | 'emit'>,
): PromptComposer {
  const { config } = project;
  const file = { tasks, ...(name === undefined ? {} : { project: name }) };
  return {
    facts: {
      sources: { ...project.sources, tasks: () => ({ kind: 'found', from: 'the task file', value: file }) },
      stores: opened.stores,
      redact: (text) => project.redact(text),
      recentSec: config.context.recentSec,
      project: config.project,
      historySize: config.history.size,
      maxBlockers: config.history.maxBlockers,
      handover: config.handover,
    },
    compose: composeTaskPrompt,
    template: () => project.template('engineer'),
    now: () => project.clock.now(),
    emit: opened.emit,
  };
}
