// One run of an agent on one prompt: its command, its environment, its log, and the result of its end.

import { join } from 'node:path';
import { type Agent, type AgentResult, commandFor, type Oneshot } from '../../kernel/agent.ts';
import type { ProcessEnd, ProcessRequest } from '../../kernel/process.ts';
import { safeText } from '../../kernel/safe-text.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { makeMatcher } from '../../system/patterns/linear.ts';
import { childEnvironment } from '../../system/processes/environment.ts';
import { findProgram, pathOutside } from '../../system/processes/find-program.ts';
import { classify } from '../agent-output/classify.ts';
import type { RunPorts } from '../ports.ts';
import { makeHookFolder, removeHookFolder } from './hook-folder.ts';

interface AgentRequest {
  readonly agent: Agent;
  /** It only looks: flags that keep it from writing are used where it has some. */
  readonly isReadOnly?: boolean;
  readonly prompt: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** The project: a program given as a relative path starts here, wherever the agent works. */
  readonly root: string;
  /** Where its log goes, and the prompt for an agent that reads it from a file. */
  readonly folder: string;
  /** The beginning of those files' names. */
  readonly name: string;
  /** Names the attempt in what its hooks record: `task#1`. */
  readonly attempt: string;
}

interface EndedAgent {
  readonly end: ProcessEnd;
  readonly result: AgentResult;
  /** The last lines of its error output; empty without any. */
  readonly stderr: string;
}

/** Patterns of agents, each compiled once. */
const MATCHES = makeMatcher();

/** Never rejects for what the agent does. `startProcess` removes secrets from its output and its log. */
export async function runAgent(
  ports: Pick<RunPorts, 'startProcess' | 'variables' | 'refusal' | 'clock' | 'emit' | 'hookRecords'>,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<EndedAgent> {
  const { agent } = request;
  const refusal =
    agent.oneshot === undefined
      ? `${agent.name} has no way to run without a terminal`
      : ports.refusal?.(agent.name, request.cwd);
  const end =
    agent.oneshot === undefined || refusal !== undefined
      ? cannotRun(refusal ?? '')
      : await start(ports, { ...request, oneshot: chosen(agent.oneshot, request) }, signal);
  const utcOffsetMs = -new Date().getTimezoneOffset() * 60_000;
  const result = classify(agent, end, { now: ports.clock.now(), matches: MATCHES, utcOffsetMs });
  return { end, result, stderr: lastLines(end.stderr.text) };
}

/** Enough for a stack trace and what was before it; kept with every attempt. The log has all of it. */
const MOST_LINES = 20;
const MOST_CHARS = 200;

function lastLines(text: string): string {
  return safeText(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-MOST_LINES)
    .map((line) => (line.length <= MOST_CHARS ? line : `${line.slice(0, MOST_CHARS).toWellFormed()}...`))
    .join('\n');
}

function chosen(oneshot: Oneshot, { isReadOnly }: AgentRequest): Oneshot {
  const { readOnly = oneshot.command } = oneshot;
  return isReadOnly === true ? { ...oneshot, command: readOnly } : oneshot;
}

/** What its hooks recorded is in the journal when it returns. */
async function start(
  ports: Parameters<typeof runAgent>[0],
  request: AgentRequest & { readonly oneshot: Oneshot },
  signal: AbortSignal,
): Promise<ProcessEnd> {
  const { agent, attempt, oneshot, folder, name, cwd } = request;
  const hooks = makeHookFolder(join(folder, `${name}-hooks`), cwd);
  try {
    const set = { ...oneshot.set, FOREWORD_STATE: hooks.folder };
    const end = await ports.startProcess(processOf({ ...oneshot, set }, request, ports.variables), signal);
    const events = ports.hookRecords?.({ ...hooks, agent: agent.name, attempt }) ?? [];
    for (const event of events) await ports.emit(event);
    return end;
  } finally {
    removeHookFolder(hooks);
  }
}

function processOf(oneshot: Oneshot, request: AgentRequest, variables: RunPorts['variables']): ProcessRequest {
  const { agent, prompt, folder, name, root } = request;
  const promptFile = join(folder, `${name}-prompt.md`);
  if (oneshot.prompt === 'file') replaceFile(promptFile, prompt, { mode: 0o600 });
  const { command, input } = commandFor(oneshot, { prompt, promptFile });
  const [program, ...args] = command;
  const where = { path: variables.PATH ?? '', cwd: root };
  const found = findProgram(program, where);
  // The system looks for the name again; it must not find one in the project either.
  const base = found === undefined ? { ...variables, PATH: pathOutside(where) } : variables;
  const { retryLine, set } = oneshot;
  return {
    command: [found ?? program, ...args],
    cwd: request.cwd,
    env: childEnvironment({ base, names: agent.env, ...(set === undefined ? {} : { set }) }),
    ...(input === undefined ? {} : { input }),
    timeoutMs: request.timeoutMs,
    firstOutputMs: oneshot.firstOutputS * 1000,
    ...(retryLine === undefined ? {} : { retryLine: (line: string) => MATCHES(retryLine, line) }),
    logFile: logFile(request),
  };
}

function logFile({ folder, name }: AgentRequest): string {
  return join(folder, `${name}.log`);
}

function cannotRun(startError: string): ProcessEnd {
  const nothing = { text: '', bytes: 0 };
  return { exitCode: null, signal: null, stdout: nothing, stderr: nothing, durationMs: 0, startError };
}
