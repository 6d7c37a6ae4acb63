// One run of an agent on one prompt: its command, its environment, its log, and the result of its end.

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Agent, type AgentResult, commandFor, type Oneshot } from '../../kernel/agent.ts';
import type { BoxUse } from '../../kernel/attempt.ts';
import type { ProcessEnd, ProcessRequest } from '../../kernel/process.ts';
import { safeText } from '../../kernel/safe-text.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { makeMatcher } from '../../system/patterns/linear.ts';
import { childEnvironment } from '../../system/processes/environment.ts';
import { findProgram, pathOutside } from '../../system/processes/find-program.ts';
import { classify } from '../agent-output/classify.ts';
import { readSessionId, resumeCommand } from '../agent-output/session-id.ts';
import type { AgentRoom, RoomEnd } from '../box/box.ts';
import { type Metered, type MeterRequest, openMeter } from '../budget/meter.ts';
import type { RunPorts } from '../ports.ts';
import { makeHookFolder, removeHookFolder } from './hook-folder.ts';
import type { ReadSavedNotes } from './saved-notes.ts';
import { joinWatchers, type LineWatcher } from './watch-lines.ts';
import type { WatchedOutput } from './watch-output.ts';
import { watchRetries } from './watch-retries.ts';

interface AgentRequest {
  readonly agent: Agent;
  /** It only looks: flags that keep it from writing are used where it has some. */
  readonly isReadOnly?: boolean;
  /** The id of its session to go on in; a new one without it. */
  readonly resume?: string | undefined;
  readonly prompt: string;
  readonly cwd: string;
  /** Where it runs, boxed or not (`roomFor`). */
  readonly room: AgentRoom;
  readonly timeoutMs: number;
  /** How long it may print nothing; absent: as long as it likes. */
  readonly hangMs?: number;
  /** The project: a program given as a relative path starts here, wherever the agent works. */
  readonly root: string;
  /** Where its log goes, and the prompt for an agent that reads it from a file. */
  readonly folder: string;
  /** The beginning of those files' names. */
  readonly name: string;
  /** Names the attempt in what its hooks record: `task#1`. */
  readonly attempt: string;
  /** For whoever watches. */
  readonly watch?: WatchedOutput | undefined;
  /** What is done with its usage while it works. */
  readonly metering?: Pick<MeterRequest, 'usedBefore' | 'onUsage'>;
}

export interface EndedAgent extends Metered {
  readonly end: ProcessEnd;
  readonly result: AgentResult;
  /** The last lines of its error output; empty without any. */
  readonly stderr: string;
  /** Absent when it was not started. */
  readonly box?: BoxUse | undefined;
  /** The id of its session, when it named one of the form of an id. */
  readonly session?: string;
  /** It reported that there is no session to go on in. */
  readonly isGone: boolean;
  /** Notes that it saved in its box, oldest first. */
  readonly saved: ReturnType<ReadSavedNotes>;
}

/** Patterns of agents, each compiled once. */
const MATCHES = makeMatcher();

/** Never rejects for what the agent does. `startProcess` removes secrets from its output and its log. */
export async function runAgent(
  ports: Pick<
    RunPorts,
    'variables' | 'refusal' | 'clock' | 'emit' | 'hookRecords' | 'savedNotes' | 'usageLog' | 'rules'
  >,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<EndedAgent> {
  const { agent } = request;
  const refusal =
    agent.oneshot === undefined
      ? `${agent.name} has no way to run without a terminal`
      : ports.refusal?.(agent.name, request.cwd);
  const oneshot = agent.oneshot === undefined ? undefined : chosen(agent.oneshot, request);
  const takesId = oneshot?.command.some((argument) => argument.includes('{session}')) === true;
  const session = request.resume ?? (takesId ? randomUUID() : undefined);
  const { variables, usageLog: openLog } = ports;
  const metered = { ...request.metering, agent, cwd: request.cwd, variables, session, openLog };
  const meter = openMeter({ ...metered, startedAt: ports.clock.now() });
  const {
    end,
    box,
    saved = [],
  }: Partial<StartEnd> & Pick<StartEnd, 'end'> = oneshot === undefined || refusal !== undefined
    ? { end: cannotRun(refusal ?? '') }
    : await start(ports, { ...request, oneshot, session, onLine: meter.onLine }, signal);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const result = classify(agent, end, { now: ports.clock.now(), matches: MATCHES, zone, hangMs: request.hangMs });
  const stderr = lastLines(end.stderr.text);
  const { session: named, ...used } = await meter.end(end);
  // A session that was asked for is not one that it has.
  const known = request.resume === undefined && named !== undefined ? { session: named } : {};
  return { end, result, stderr, box, saved, ...used, ...known, ...sessionOf(agent, end, result) };
}

function sessionOf({ oneshot }: Agent, end: ProcessEnd, result: AgentResult): Pick<EndedAgent, 'session' | 'isGone'> {
  const session = oneshot === undefined ? undefined : readSessionId(oneshot, end.stdout.text);
  const { gone } = oneshot?.resume ?? {};
  const isGone = gone !== undefined && result.kind === 'failed' && MATCHES(gone, result.message);
  return { isGone, ...(session === undefined ? {} : { session }) };
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

function chosen(oneshot: Oneshot, { isReadOnly, resume, room }: AgentRequest): Oneshot {
  const { command = oneshot.command, readOnly = oneshot.readOnly } = (room.isBoxed ? oneshot.boxed : undefined) ?? {};
  const resumed = resume === undefined ? undefined : resumeCommand({ ...oneshot, command }, resume);
  if (isReadOnly !== true) return { ...oneshot, command: resumed ?? command };
  return { ...oneshot, command: readOnly ?? command, set: { ...oneshot.set, ...oneshot.readOnlySet } };
}

interface StartRequest extends AgentRequest {
  readonly oneshot: Oneshot;
  /** The id that it gets for its session. */
  readonly session: string | undefined;
  /** Reads its usage. */
  readonly onLine: LineWatcher | undefined;
}

interface StartEnd extends RoomEnd, Pick<EndedAgent, 'saved'> {}

/** What its hooks recorded is in the journal when it returns. */
async function start(
  ports: Parameters<typeof runAgent>[0],
  request: StartRequest,
  signal: AbortSignal,
): Promise<StartEnd> {
  const { agent, attempt, oneshot, folder, name, cwd, room } = request;
  const rules = (await ports.rules?.()) ?? '';
  // A session that goes on was told in the attempt before.
  const hasRules = rules !== '' && (request.resume !== undefined || request.prompt.includes(rules));
  const hooks = makeHookFolder(join(folder, `${name}-hooks`), { cwd, seenAs: room.cwd, hasRules });
  try {
    const set = { ...oneshot.set, FOREWORD_STATE: hooks.folder };
    const shown = {
      writable: [hooks.folder],
      readOnly: oneshot.prompt === 'file' ? [promptFileOf(request)] : [],
      isTreeReadOnly: request.isReadOnly === true,
    };
    const ended = await room.run(processOf({ ...oneshot, set }, request, ports.variables), shown, signal);
    const events = ports.hookRecords?.({ ...hooks, agent: agent.name, attempt }) ?? [];
    for (const event of events) await ports.emit(event);
    return { ...ended, saved: ports.savedNotes?.(hooks.folder) ?? [] };
  } finally {
    removeHookFolder(hooks);
  }
}

function processOf(oneshot: Oneshot, request: StartRequest, variables: RunPorts['variables']): ProcessRequest {
  const { agent, prompt, root, session } = request;
  const promptFile = promptFileOf(request);
  if (oneshot.prompt === 'file') replaceFile(promptFile, prompt, { mode: 0o600 });
  const { command, input } = commandFor(oneshot, { prompt, promptFile, session });
  const [program, ...args] = command;
  const where = { path: variables.PATH ?? '', cwd: root };
  const found = findProgram(program, where);
  // The system looks for the name again; it must not find one in the project either.
  const base = found === undefined ? { ...variables, PATH: pathOutside(where) } : variables;
  const { set } = oneshot;
  const retries = watchRetries(oneshot, MATCHES);
  const onLine = joinWatchers(request.onLine, retries?.onLine);
  return {
    command: [found ?? program, ...args],
    cwd: request.cwd,
    env: childEnvironment({ base, names: agent.env, ...(set === undefined ? {} : { set }) }),
    ...(input === undefined ? {} : { input }),
    timeoutMs: request.timeoutMs,
    firstOutputMs: oneshot.firstOutputS * 1000,
    ...(request.hangMs === undefined || isQuiet(oneshot) ? {} : { hangMs: request.hangMs }),
    ...(retries === undefined ? {} : { waits: retries.waits }),
    ...(onLine === undefined ? {} : { onLine }),
    ...(request.watch === undefined ? {} : { onKept: request.watch.take }),
    logFile: logFile(request),
  };
}

/** What comes at its end, or is one value, says nothing about the time until then. */
function isQuiet({ isQuiet: given, output }: Oneshot): boolean {
  return given ?? output.format !== 'jsonl';
}

function promptFileOf({ folder, name }: AgentRequest): string {
  return join(folder, `${name}-prompt.md`);
}

function logFile({ folder, name }: AgentRequest): string {
  return join(folder, `${name}.log`);
}

function cannotRun(startError: string): ProcessEnd {
  const nothing = { text: '', bytes: 0 };
  return { exitCode: null, signal: null, stdout: nothing, stderr: nothing, durationMs: 0, startError };
}
