// The other half of app/project.ts: joins the supervisor to real agents, processes, observers, checks and sandboxes. Loaded only
// by commands that run something.

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '../agents/index.ts';
import { joinAgents } from '../config/schemas/agents.ts';
import { composeTaskPrompt } from '../context/compose-prompt.ts';
import { foundOr } from '../context/sources/port.ts';
import { type Agent, commandFor } from '../kernel/agent.ts';
import type { Fault } from '../kernel/errors.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { ProcessEnd } from '../kernel/process.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Task } from '../kernel/task.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import { classify } from '../runs/agent-output/classify.ts';
import { DEFAULT_BREAKER_RULES } from '../runs/breaker.ts';
import { readBreakers } from '../runs/breakers.ts';
import { markInherited, takeBaseline } from '../runs/judging/checks/baseline.ts';
import { runChecks } from '../runs/judging/checks/checks.ts';
import { checkMatcher } from '../runs/judging/checks/matcher.ts';
import { judge } from '../runs/judging/judge.ts';
import { chooseAgent } from '../runs/lineup.ts';
import { enlistTasks } from '../runs/loop/enlist.ts';
import { type RunReport, runTasks } from '../runs/loop/run-tasks.ts';
import type { AgentRequest, Hands, JudgeRequest, PromptRequest, RunPrompt, RunSettings } from '../runs/ports.ts';
import { findSandbox } from '../runs/sandboxes/index.ts';
import type { SandboxFinding } from '../runs/sandboxes/sandbox.ts';
import { checkWorktrees, openWorkplaces, taskFolder, type Workplaces } from '../runs/workplaces/index.ts';
import { environment } from '../system/environment.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { compilePattern, makeMatcher } from '../system/patterns/linear.ts';
import { childEnvironment } from '../system/processes/environment.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { isOwnerAlive, ownerName } from '../system/processes/owner.ts';
import { runProcess } from '../system/processes/run-process.ts';
import type { Project } from './project.ts';

/** The built-in agents with those of the configuration. Throws `bad-config` with every fault in their use. */
export function agentsOf(project: Project): readonly Agent[] {
  const { config } = project;
  project.checkAgents({ builtIn: AGENTS, compile: compilePattern });
  return joinAgents(AGENTS, config.agents);
}

/** Patterns of agents, each compiled once. */
const MATCHES = makeMatcher();

export interface RunOptions {
  readonly tasks: readonly Task[];
  /** The project named in the task file. */
  readonly name?: string | undefined;
  readonly lineup?: readonly string[] | undefined;
  /** Agents of your own beside the known ones. */
  readonly agents?: readonly Agent[] | undefined;
  /** Tasks worked on at once; as the configuration says when absent. */
  readonly concurrency?: number | undefined;
  readonly isAgain: boolean;
  readonly signal: AbortSignal;
  /** Every event, as it is stored. */
  readonly onEvent: (event: NewEvent) => void;
}

export interface PreparedRun {
  readonly lineup: readonly string[];
  readonly installed: ReadonlySet<string>;
  composeFirst(task: Task): Promise<string>;
  run(): Promise<RunReport>;
}

export async function prepareRun(project: Project, options: RunOptions): Promise<PreparedRun> {
  const { config } = project;
  const concurrency = options.concurrency ?? config.run.concurrency;
  if (concurrency > 1) await checkWorktrees(project.root, environment().PATH ?? '');
  const stores = await project.writeStores();
  const agents = new Map<string, Agent>(
    [...agentsOf(project), ...(options.agents ?? [])].map((agent) => [agent.name, agent]),
  );
  const lineup = options.lineup ?? config.lineup;
  const installed = installedAgents([...agents.values()], project.root);
  const settings: RunSettings = {
    owner: ownerName(),
    lineup,
    concurrency,
    maxAgentFailures: config.run.maxAgentFailures,
    maxWaitMs: config.run.maxWaitS * 1000,
    leaseMs: config.run.leaseMs,
    holdout: config.run.holdout,
    breaker: {
      ...DEFAULT_BREAKER_RULES,
      quotaMs: config.breaker.quotaMs,
      authMs: config.breaker.authMs,
      firstPauseMs: config.breaker.rateLimitMs,
      lastPauseMs: config.breaker.maxMs,
      strikes: config.breaker.failures,
      strikeWindowMs: config.breaker.withinMs,
    },
  };
  const emit = async (event: NewEvent): Promise<void> => {
    options.onEvent(event);
    await project.emit(event);
  };
  const owner = { name: settings.owner, isAlive: isOwnerAlive };
  const workplaces = openWorkplaces({ root: project.root, concurrency, owner, env: environment() });
  const hands = makeHands({ project, stores, agents, installed, settings, options, emit, workplaces });
  return {
    lineup,
    installed,
    composeFirst: async (task) => {
      const attempts = await stores.attempts.open(task.task_id);
      const agent = lineup.find((name) => installed.has(name)) ?? lineup[0] ?? '';
      const prompt = await hands.composePrompt({
        task,
        agent,
        attempts,
        attempt: attempts.length + 1,
        cwd: project.root,
      });
      return prompt.handover.text + prompt.original;
    },
    run: async () => {
      const { tasks, isAgain } = options;
      await enlistTasks(tasks, { stores, now: project.clock.now(), redact: project.redact, isAgain });
      for (const { task_id, status } of await stores.tasks.list())
        if (status === 'completed') await workplaces.tidy(task_id);
      return runTasks(hands, settings, { tasks, signal: options.signal });
    },
  };
}

interface Parts {
  readonly project: Project;
  readonly stores: Stores;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly installed: ReadonlySet<string>;
  readonly settings: RunSettings;
  readonly options: RunOptions;
  readonly workplaces: Workplaces;
  readonly emit: (event: NewEvent) => Promise<void>;
}

function makeHands(parts: Parts): Hands {
  const { project, stores, agents, emit } = parts;
  const { config } = project;
  const inFile = checkMatcher();
  const checkEnv = childEnvironment({ base: environment(), names: [] });
  const checkIn = (cwd: string) => ({
    cwd,
    run: runProcess,
    env: checkEnv,
    timeoutMs: config.run.checkTimeoutS * 1000,
    matches: inFile,
  });
  let sandbox: Promise<SandboxFinding> | undefined;
  const hands: Hands = {
    stores,
    clock: project.clock,
    random: () => Math.random(),
    emit,
    agents,
    installed: async () => parts.installed,
    openWorkplace: (task, origin) => parts.workplaces.open(task.task_id, origin),
    composePrompt: (request) => composeFor(parts, request),
    runAgent: (agent, request, signal) => runAgent(project, { agent, request, signal }),
    classify: (agent, end) =>
      classify(agent, end, {
        now: project.clock.now(),
        matches: MATCHES,
        utcOffsetMs: -new Date().getTimezoneOffset() * 60_000,
      }),
    takeBaseline: (task, workplace, signal) => takeBaseline(task.acceptance_criteria, checkIn(workplace.cwd), signal),
    judge: (request, signal) =>
      judge(
        {
          policy: foundOr(project.sources.policy(), undefined, []),
          runChecks: (criteria, cwd, inner) => runChecks(criteria, checkIn(cwd), inner),
          markInherited,
          sandbox: () => {
            const { level, readOnly } = config.sandbox;
            sandbox ??= findSandbox({
              level,
              readOnly,
              run: runProcess,
              searchPath: environment().PATH ?? '',
              workTree: project.root,
            });
            return sandbox;
          },
          chooseHelper: (worker) => chooseHelper(parts, worker),
          askHelper: (agent, prompt, judged, inner) =>
            askHelper(parts, hands, { agent, prompt, judged, signal: inner }),
          emit,
          handover: config.handover,
          commandTimeoutMs: config.run.checkTimeoutS * 1000,
        },
        request,
        signal,
      ),
    isAlive: isOwnerAlive,
  };
  return hands;
}

async function composeFor(parts: Parts, request: PromptRequest): Promise<RunPrompt> {
  const { project, stores, options } = parts;
  const { config } = project;
  const startedAt = performance.now();
  const composed = await composeTaskPrompt({
    sources: {
      ...project.sources,
      tasks: () => ({
        kind: 'found',
        from: 'the task file',
        value: { tasks: options.tasks, ...(options.name === undefined ? {} : { project: options.name }) },
      }),
    },
    stores,
    redact: project.redact,
    now: project.clock.now(),
    recentSec: config.context.recentSec,
    taskId: request.task.task_id,
    task: request.task,
    role: 'engineer',
    template: project.template('engineer'),
    agent: request.agent,
    project: config.project,
    workingDirectory: request.cwd,
    historySize: config.history.size,
    maxBlockers: config.history.maxBlockers,
    handover: config.handover,
    isAnyway: true,
  });
  for (const [where, faults] of byFile(composed.faults)) {
    await parts.emit({
      kind: 'source-unavailable',
      source: where,
      reason: faults.map((fault) => fault.message).join('; '),
    });
  }
  const original = composed.parts
    .filter((part) => part.name !== 'Hand-over')
    .map((part) => part.text)
    .join('')
    // Parts begin with the blank line that sets them off; the hand-over brings its own.
    .replace(/^\n/, '');
  return {
    original,
    handover: composed.handover,
    handoverTokens: estimateTokens(composed.handover.text),
    buildMs: performance.now() - startedAt,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
  };
}

function byFile(faults: readonly Fault[]): ReadonlyMap<string, readonly Fault[]> {
  const files = new Map<string, Fault[]>();
  for (const fault of faults) files.set(fault.where, [...(files.get(fault.where) ?? []), fault]);
  return files;
}

async function runAgent(
  project: Project,
  what: { readonly agent: Agent; readonly request: AgentRequest; readonly signal: AbortSignal },
): Promise<ProcessEnd> {
  const { agent, request, signal } = what;
  const { oneshot } = agent;
  if (oneshot === undefined) return noOneshot(agent);
  const folder = taskFolder(project.root, request.task);
  const promptFile = join(folder, `attempt-${request.attempt}-prompt.md`);
  if (oneshot.prompt === 'file') replaceFile(promptFile, request.prompt, { mode: 0o600 });
  const { command, input } = commandFor(oneshot, { prompt: request.prompt, promptFile });
  const [program, ...args] = command;
  const found = findProgram(program, { path: environment().PATH ?? '', cwd: project.root });
  const { retryLine } = oneshot;
  const logFile = join(folder, `attempt-${request.attempt}.log`);
  const end = await runProcess(
    {
      command: [found ?? program, ...args],
      cwd: request.cwd,
      env: childEnvironment({
        base: environment(),
        names: agent.env,
        ...(oneshot.set === undefined ? {} : { set: oneshot.set }),
      }),
      ...(input === undefined ? {} : { input }),
      timeoutMs: request.timeoutMs,
      firstOutputMs: oneshot.firstOutputS * 1000,
      ...(retryLine === undefined ? {} : { retryLine: (line: string) => MATCHES(retryLine, line) }),
      logFile,
    },
    signal,
  );
  redactLog(logFile, project.redact);
  return end;
}

/** The log holds what the agent printed; like everything that is kept, without secrets. */
function redactLog(file: string, redact: (text: string) => string): void {
  try {
    const text = readFileSync(file, 'utf8');
    const clean = redact(text);
    if (clean !== text) replaceFile(file, clean, { mode: 0o600 });
  } catch {
    // No log was written: a log never fails a run.
  }
}

function noOneshot(agent: Agent): ProcessEnd {
  const nothing = { text: '', bytes: 0 };
  const startError = `${agent.name} has no way to run without a terminal`;
  return { exitCode: null, signal: null, stdout: nothing, stderr: nothing, durationMs: 0, startError };
}

async function chooseHelper(parts: Parts, worker: string): Promise<string | undefined> {
  const { project, stores, installed, settings } = parts;
  const named = project.config.helper;
  const lineup = (named === undefined ? settings.lineup : [named]).filter(
    (name) => name !== worker || named !== undefined,
  );
  const choice = chooseAgent({ lineup, breakers: await readBreakers({ stores }), installed, now: project.clock.now() });
  return choice.kind === 'use' ? choice.agent : undefined;
}

/** The helper works on a folder of its own with nothing in it: it proposes commands and changes no file of the work. */
async function askHelper(
  parts: Parts,
  hands: Hands,
  what: {
    readonly agent: string;
    readonly prompt: string;
    readonly judged: JudgeRequest;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const agent = parts.agents.get(what.agent);
  if (agent === undefined) return '';
  const folder = taskFolder(parts.project.root, what.judged.task.task_id);
  const cwd = join(folder, `helper-${randomBytes(4).toString('hex')}`);
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const request = {
    prompt: what.prompt,
    cwd,
    timeoutMs: parts.project.config.run.helperTimeoutS * 1000,
    task: `${what.judged.task.task_id} helper`,
    attempt: what.judged.attempt,
  };
  const result = hands.classify(agent, await hands.runAgent(agent, request, what.signal));
  return result.answer;
}

/** Names of the agents whose program is there. */
export function installedAgents(agents: readonly Agent[], cwd: string): ReadonlySet<string> {
  const where = { path: environment().PATH ?? '', cwd };
  const there = agents.filter(
    (agent) => agent.oneshot !== undefined && findProgram(agent.oneshot.command[0], where) !== undefined,
  );
  return new Set(there.map((agent) => agent.name));
}
