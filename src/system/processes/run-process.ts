// Runs a program to its end: in a process group of its own, with exactly the environment given (and the marker by which
// stragglers are found), with bounded memory and log whatever it prints, and with nothing of it left behind.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import type { CappedText, ProcessEnd, ProcessRequest, RunProcess } from '../../kernel/process.ts';
import type { RedactionStream } from '../../kernel/redact-stream.ts';
import { type Cap, collectText, OUTPUT_CAP } from '../capped-text.ts';
import { cleanOutput } from './clean-output.ts';
import { watchRun } from './guard.ts';
import { endLeftovers } from './leftovers.ts';
import { LOG_CAP, openLog } from './log-file.ts';
import { MARKER } from './port.ts';
import { type Run, send, startOf } from './process-table.ts';
import { trackRun } from './running.ts';
import { writeInput } from './standard-input.ts';
import { describeStartError } from './start-error.ts';

export interface ProcessLimits {
  readonly outputCap: Cap;
  readonly logCap: Cap;
  /** From TERM to KILL for a program that we end: time to save its work. */
  readonly killAfterMs: number;
  /** The same for what a program leaves behind when it ends by itself: nobody waits for that work. */
  readonly leftoverMs: number;
  /** How long we read on when everything we can find has ended: a process we could not find may hold the pipe. */
  readonly drainMs: number;
  /** Makes what removes secrets from one stream. Absent: output is kept as it is. */
  readonly redaction?: () => RedactionStream;
}

const LIMITS: ProcessLimits = {
  outputCap: OUTPUT_CAP,
  logCap: LOG_CAP,
  killAfterMs: 5_000,
  leftoverMs: 1_000,
  drainMs: 500,
};

/** setTimeout takes a longer time for 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const runProcess: RunProcess = processRunner();

/** `runProcess` with limits of your own. */
export function processRunner(limits: Partial<ProcessLimits> = {}): RunProcess {
  return (request, signal) => run(request, { ...LIMITS, ...limits }, signal);
}

async function run(request: ProcessRequest, limits: ProcessLimits, signal?: AbortSignal): Promise<ProcessEnd> {
  const startedAt = performance.now();
  if (signal?.aborted) return { ...unstarted(startedAt), endedBy: 'caller' };
  const id = randomBytes(16).toString('hex');
  const watch = watchRun(id, request.env.PATH);
  let untrack = ignore;
  try {
    const child = await start(request, id);
    if (child instanceof Error) return { ...unstarted(startedAt), startError: describeStartError(request, child) };
    const group = child.pid;
    const program: Run = { id, group, start: startOf(group) };
    watch.started(group, program.start);
    untrack = trackRun(program);

    const log = request.logFile === undefined ? undefined : openLog(request.logFile, limits.logCap);
    const streams = { stdout: openStream(limits), stderr: openStream(limits) };
    const ending = endWhenDue(program.group, { request, limits, signal });
    const watched = watchLines(request, ending);
    const keep = (stream: 'stdout' | 'stderr', clean: Buffer) => {
      if (clean.length === 0) return;
      streams[stream].kept.add(clean);
      log?.write(stream, clean);
      request.onKept?.(clean);
    };
    const take = (stream: 'stdout' | 'stderr', chunk: Buffer) => {
      ending.received();
      watched(stream, chunk);
      streams[stream].bytes += chunk.length;
      keep(stream, streams[stream].clean.push(chunk));
    };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].on('data', (chunk: Buffer) => take(stream, chunk)).on('error', ignore);
    writeInput(child.stdin, request.input);

    const { exitCode, exitSignal } = await exitOf(child);
    const durationMs = performance.now() - startedAt;
    const { endedBy, killInMs } = ending.stop();
    const patienceMs = Math.max(limits.leftoverMs, killInMs);
    await endLeftovers(program, { patienceMs, hasTerm: endedBy !== undefined });
    child.stdin.destroy();
    await drain([child.stdout, child.stderr], limits.drainMs);
    for (const stream of ['stdout', 'stderr'] as const) keep(stream, streams[stream].clean.end());
    await log?.close();
    const [stdout, stderr] = [endOf(streams.stdout), endOf(streams.stderr)];
    const end = { exitCode, signal: exitSignal, stdout, stderr, durationMs };
    return endedBy === undefined ? end : { ...end, endedBy };
  } finally {
    untrack();
    watch.ended();
  }
}

/** What was read of one stream. Secrets are removed before anything is kept, so no cut goes through one. */
function openStream({ outputCap, redaction }: ProcessLimits) {
  return { clean: cleanOutput(redaction?.()), kept: collectText(outputCap), bytes: 0 };
}

function endOf({ kept, bytes }: ReturnType<typeof openStream>): CappedText {
  return { text: kept.end().text, bytes };
}

/** A stream that cannot be read closes as well, and that is all we wait for. */
const ignore = (): void => undefined;

function unstarted(startedAt: number): ProcessEnd {
  const nothing = { text: '', bytes: 0 };
  const durationMs = performance.now() - startedAt;
  return { exitCode: null, signal: null, stdout: nothing, stderr: nothing, durationMs };
}

type Child = ChildProcessWithoutNullStreams & { readonly pid: number };

/** Some reasons not to start are thrown (an argument too long), others come as an event (no such command). */
async function start({ command, cwd, env }: ProcessRequest, id: string): Promise<Child | Error> {
  const [program, ...args] = command;
  try {
    const child = spawn(program, args, { cwd, env: { ...env, [MARKER]: id }, detached: true });
    const failed = new Promise<Error>((resolve) => child.once('error', resolve));
    return child.pid === undefined ? await failed : (child as Child);
  } catch (error) {
    return error as Error;
  }
}

/** TERM to the group at the timeout, after silence or when the caller asks, whichever comes first; then KILL. */
function endWhenDue(group: number, { request, limits, signal }: Due) {
  let endedBy: ProcessEnd['endedBy'];
  let killAt = 0;
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, act: () => void) => timers.push(setTimeout(act, Math.min(ms, LONGEST_TIMER_MS)));
  const end = (reason: NonNullable<ProcessEnd['endedBy']>) => {
    if (endedBy !== undefined) return;
    endedBy = reason;
    killAt = performance.now() + limits.killAfterMs;
    send(-group, 'SIGTERM');
    after(limits.killAfterMs, () => send(-group, 'SIGKILL'));
  };
  let hasSpoken = false;
  let lastAt = performance.now();
  const watchSilence = (hangMs: number) => {
    const left = lastAt + hangMs - performance.now();
    if (left <= 0) end('hang');
    else after(left, () => watchSilence(hangMs));
  };
  if (request.hangMs !== undefined) watchSilence(request.hangMs);
  after(request.timeoutMs, () => end('timeout'));
  if (request.firstOutputMs !== undefined) after(request.firstOutputMs, () => hasSpoken || end('silence'));
  const abort = () => end('caller');
  // Fifty runs on one signal are no leak: each takes its listener away.
  if (signal !== undefined) setMaxListeners(0, signal);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  let wait: { readonly at: number; readonly timer: NodeJS.Timeout } | undefined;
  return {
    received: () => {
      hasSpoken = true;
      lastAt = performance.now();
      if (wait === undefined || lastAt - wait.at < WAIT_LINES_MS) return;
      clearTimeout(wait.timer);
      wait = undefined;
    },
    end,
    /** It announced a wait. */
    waits: (mostMs: number) => {
      wait ??= { at: performance.now(), timer: setTimeout(() => end('limit'), mostMs) };
    },
    /** The first process has ended: its number is no longer ours to signal. */
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
      clearTimeout(wait?.timer);
      signal?.removeEventListener('abort', abort);
      return { endedBy, killInMs: killAt === 0 ? 0 : killAt - performance.now() };
    },
  };
}

/** The message that announces a wait may have several lines. */
const WAIT_LINES_MS = 1_000;

/** A longer line is no message of the program. */
const MAX_LINE = 2 ** 20;

function watchLines(
  { onLine, waits }: ProcessRequest,
  ending: ReturnType<typeof endWhenDue>,
): (stream: 'stdout' | 'stderr', chunk: Buffer) => void {
  if (onLine === undefined && waits === undefined) return ignore;
  const streams = { stdout: lineReader(), stderr: lineReader() };
  return (stream, chunk) => {
    for (const line of streams[stream](chunk)) {
      const reason = onLine?.(line, stream);
      if (reason !== undefined) ending.end(reason);
      else if (waits?.isWait(line)) ending.waits(waits.mostMs);
    }
  };
}

/** Returns what takes a chunk and gives the lines that it completes; a line that is too long is left out. */
function lineReader(): (chunk: Buffer) => readonly string[] {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  return (chunk) => {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    if (others.length === 0) {
      if (!isTooLong) rest += first;
      if (rest.length > MAX_LINE) [rest, isTooLong] = ['', true];
      return [];
    }
    const begun = isTooLong ? [] : [rest + first];
    rest = others.pop() ?? '';
    isTooLong = false;
    return [...begun, ...others].filter((line) => line.length <= MAX_LINE);
  };
}

interface Due {
  readonly request: ProcessRequest;
  readonly limits: ProcessLimits;
  readonly signal: AbortSignal | undefined;
}

function exitOf(child: Child): Promise<{ exitCode: number | null; exitSignal: string | null }> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, exitSignal) => resolve({ exitCode, exitSignal }));
  });
}

/** Until both streams ended, or until `ms` passed and what is there was read: when our own loop was held up, the timer
 *  is due before the first read. */
async function drain(streams: readonly Readable[], ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tired = new Promise<void>((resolve) => {
    timer = setTimeout(() => setImmediate(() => setImmediate(resolve)), ms);
  });
  await Promise.race([Promise.all(streams.map(closeOf)), tired]);
  clearTimeout(timer);
  for (const stream of streams) stream.destroy();
}

async function closeOf(stream: Readable): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve));
}
