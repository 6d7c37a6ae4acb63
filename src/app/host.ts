// Runs a session: opens its terminal, hosts it, and sees it to its end. In a PTY the person's terminal is passed through
// this process; in tmux a host of its own stays behind, and the person only looks on.

import { homedir } from 'node:os';
import { continuityFromFacts } from '../context/session-end.ts';
import { type DeliveryRecord, outcomeOf, waitingReasonOf } from '../kernel/delivery.ts';
import { asError, ForewordError, isForewordError, renderFault } from '../kernel/errors.ts';
import type { Proof } from '../kernel/receipt.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { Terminal, TerminalExit, TerminalSize } from '../kernel/terminal.ts';
import { type Host, startHost } from '../sessions/host.ts';
import { makePersonKeys, type PersonKeys } from '../sessions/person-keys.ts';
import { openSession, type Session } from '../sessions/session.ts';
import { environment } from '../system/environment.ts';
import type { SessionPlace } from '../system/files/project-state.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { makeFaultLog } from '../system/processes/fault-log.ts';
import { ownerName } from '../system/processes/owner.ts';
import { hasForeground } from '../system/processes/process-table.ts';
import { deliverStartup, removeBlockWhenDone, removeOwnBlocks, runCommand, typeLine } from './acts.ts';
import { makePlace, placeFor, removePlace } from './places.ts';
import type { Project } from './project.ts';
import {
  deliveryRules,
  fileLine,
  newCode,
  newDeliveryId,
  noticeLine,
  type PreparedSession,
  prepareSession,
  type StartOptions,
  writeContextFile,
} from './session.ts';

export interface Sinks {
  note(text: string): void;
  print(text: string): void;
  json(value: unknown): void;
}

export interface SessionOptions extends Omit<StartOptions, 'isUnattended'> {
  readonly terminal: 'pty' | 'tmux';
  readonly isDetached: boolean;
  readonly wait: Proof | undefined;
  readonly isJson: boolean;
  readonly out: Sinks;
}

/** In this terminal. Answers the exit status of the agent. */
export async function startHere(project: Project, options: SessionOptions): Promise<number> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    throw new ForewordError('bad-usage', 'foreword start needs a terminal, and this is none.', {
      hint: 'Use --detach to run the agent unattended in tmux.',
    });
  }
  const place = makePlace();
  const { terminal, outer, running } = await openHere(project, options, place).catch((error: unknown) => {
    removePlace(place);
    throw error;
  });
  const stop = (): void => void terminal.end();
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    const { status } = await running.ended;
    return status;
  } finally {
    await outer.detach();
    for (const signal of SIGNALS) process.off(signal, stop);
    tellOutcome(running.startup(), options.out);
  }
}

async function openHere(project: Project, options: SessionOptions, place: SessionPlace) {
  const prepared = await prepareSession(project, { ...options, isUnattended: false }, place);
  // Before the agent: what cannot be written down cannot be proved.
  await project.writeStores();
  const [{ openPty }, { relay }] = await Promise.all([
    import('../terminals/pty/pty.ts'),
    import('../terminals/relay.ts'),
  ]);
  const size = { cols: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 };
  const { command, env } = prepared;
  const terminal = await openPty({ command, cwd: project.cwd, env, size });
  const keys = makePersonKeys({
    now: () => project.clock.now(),
    forward: (bytes) => void terminal.write(bytes).catch(() => undefined),
  });
  // The person and our screen see every byte: nothing is read until both listen.
  terminal.pause();
  const outer = relay({
    terminal,
    input: process.stdin,
    output: process.stdout,
    onKeys: (bytes, isPerson) => keys.write(bytes, isPerson),
  });
  const running = await runSession(project, prepared, { terminal, keys, size }).catch(async (error: unknown) => {
    await outer.detach();
    await terminal.end();
    throw error;
  });
  terminal.resume();
  return { terminal, outer, running };
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

/** After the agent's screen is gone, one line says whether the context got in, unless all is well. */
function tellOutcome(startup: DeliveryRecord | undefined, out: Sinks): void {
  if (startup === undefined || outcomeOf(startup) === 'delivered') return;
  const state = outcomeOf(startup) ?? startup.proof;
  const why = startup.reason ?? waitingReasonOf(startup) ?? 'no proof';
  out.note(`the startup context ${startup.id} ended as ${state}: ${why}`);
}

export interface Running {
  readonly session: Session;
  readonly host: Host;
  readonly ended: Promise<TerminalExit>;
  startup(): DeliveryRecord | undefined;
}

interface Given {
  readonly terminal: Terminal;
  readonly size: TerminalSize;
  readonly keys?: PersonKeys;
  /** In tmux keys do not pass through us. */
  readonly personAt?: () => Promise<number | undefined>;
  /** The record of a session that another wrapper began, as it was found. */
  readonly before?: { readonly value: SessionRecord; readonly version: number };
}

/** Hosts an agent that runs in a terminal until it ends. */
export async function runSession(project: Project, prepared: PreparedSession, given: Given): Promise<Running> {
  const { agent, id } = prepared;
  const place = placeFor(id);
  const { terminal } = given;
  const stores = await project.writeStores();
  const { openScreen } = await import('../terminals/screen/screen.ts');
  const screen = await openScreen(given.size);
  const before = given.before?.value;
  const startedAt = before === undefined ? project.clock.now() : Date.parse(before.startedAt);
  const transcript = await transcriptOf(project, prepared, startedAt);
  const lost = makeSignal();
  const log = logFaults(project, place.log);
  const fault = (error: unknown): void => {
    log(error);
    if (isForewordError(error) && error.code === 'stale-owner') lost.give();
  };
  let obeyed: Promise<unknown> = Promise.resolve();
  const session = await openSession({
    id,
    agent,
    terminal,
    screen,
    match: makeLineMatcher(),
    clock: project.clock,
    stores,
    emit: (event) => project.emit(event),
    newId: project.newId,
    rules: deliveryRules(project, agent.interactive),
    queueSize: project.config.session.queueSize,
    ackPatterns: project.config.injection.acknowledgmentPatterns,
    redact: project.redact,
    ...(transcript === undefined ? {} : { transcript }),
    personAt: given.personAt ?? (async () => given.keys?.at),
    ...(given.keys === undefined ? {} : { holdKeys: (isHeld: boolean) => given.keys?.hold(isHeld) }),
    hasTerminal: () => hasForeground(terminal.pid),
    placeInFile: async (delivery) => {
      const written = await writeContextFile(project, agent, delivery);
      if ('file' in written) await typeLine(session, fileLine(written.file));
      return written;
    },
    notify: async () => {
      await typeLine(session, noticeLine(undefined));
      return { evidence: 'a line tells that context is there' };
    },
    onCommand: (command) => {
      obeyed = Promise.all([obeyed, runCommand(project, session, command).catch(fault)]);
    },
    onFault: fault,
  });
  const { paceTerminal } = await import('../terminals/pace.ts');
  paceTerminal(terminal, screen);
  removeBlockWhenDone(project, session);
  const host = await startHost({
    session,
    socket: place.socket,
    record: before ?? newRecord(project, prepared, given, startedAt),
    version: given.before?.version ?? 0,
    stores,
    now: () => project.clock.now(),
    newDeliveryId,
    newCode,
    required: prepared.required,
    stop: () => void terminal.end(),
    onHook: (report) => {
      if (report.transcriptPath !== undefined) transcript?.follow(report.transcriptPath).catch(fault);
      session.hooked(report).catch(fault);
    },
    onFault: fault,
  }).catch(async (error: unknown) => {
    await session.close();
    throw error;
  });
  await project.emit({
    kind: 'session-started',
    session: id,
    agent: agent.name,
    terminal: terminal.kind,
    isTakenOver: before !== undefined,
  });
  if (before?.paused) session.pause(true);
  if (before !== undefined) await session.takeOver();
  else await deliverStartup(session, prepared);
  terminal.onResize((size) => screen.resize(size));
  const ended = new Promise<TerminalExit>((resolve) => {
    terminal.onExit((exit) => {
      const closing = { project, prepared, session, host, startedAt, exit, obeyed: () => obeyed };
      (lost.isGiven() ? Promise.resolve() : closeSession(closing)).catch(fault).finally(() => resolve(exit));
    });
    // Another process has the session now. What runs in the person's own terminal goes on, and nothing more is typed.
    lost.given
      .then(() => letGo(session, host, given))
      .catch(fault)
      .finally(() => terminal.kind === 'tmux' && resolve({ status: 0 }));
  });
  return {
    session,
    host,
    ended,
    startup: () => (prepared.startup === undefined ? undefined : session.deliveries.get(prepared.startup.id)),
  };
}

function newRecord(project: Project, prepared: PreparedSession, given: Given, startedAt: number): SessionRecord {
  const { folder, socket, tmux } = placeFor(prepared.id);
  return {
    id: prepared.id,
    agent: prepared.agent.name,
    cwd: project.cwd,
    ...hostName(),
    startedAt: new Date(startedAt).toISOString(),
    readiness: 'starting',
    paused: false,
    agentPid: given.terminal.pid,
    terminal: given.terminal.kind,
    folder,
    socket,
    ...(given.terminal.kind === 'tmux' ? { tmux } : {}),
  };
}

/** This process as the host of a session. */
export function hostName(): Pick<SessionRecord, 'pid' | 'owner'> {
  return { pid: process.pid, owner: ownerName() };
}

function makeSignal() {
  let isGiven = false;
  let resolveGiven: () => void;
  const given = new Promise<void>((resolve) => {
    resolveGiven = resolve;
  });
  const give = (): void => {
    isGiven = true;
    resolveGiven();
  };
  return { given, give, isGiven: () => isGiven };
}

async function letGo(session: Session, host: Host, { terminal }: Given): Promise<void> {
  await host.close();
  await session.close();
  if (terminal.kind === 'tmux') await terminal.release();
}

interface Closing {
  readonly project: Project;
  readonly prepared: PreparedSession;
  readonly session: Session;
  readonly host: Host;
  readonly startedAt: number;
  readonly exit: TerminalExit;
  /** What the agent asked for until now is done. */
  readonly obeyed: () => Promise<unknown>;
}

async function closeSession({ project, prepared, session, host, startedAt, exit, obeyed }: Closing): Promise<void> {
  const stores = await project.writeStores();
  try {
    await session.end();
    await obeyed();
    removeOwnBlocks(project, session);
    await host.ended(exit.status);
    const { id, agent } = prepared;
    await project.emit({ kind: 'session-ended', session: id, agent: agent.name, status: exit.status });
    const now = project.clock.now();
    const left = await continuityFromFacts({
      id: project.newId('con'),
      stores,
      sources: project.sources,
      startedAt,
      now,
    });
    if (left !== undefined) {
      await stores.continuity.append(left);
      await project.emit({ kind: 'continuity-saved', continuity: left.id, by: 'session-end' });
    }
  } finally {
    await host.close();
    await session.close();
    removePlace(placeFor(prepared.id));
  }
}

async function transcriptOf(project: Project, { agent, env }: PreparedSession, startedAt: number) {
  const { TRANSCRIPTS, openTranscript } = await import('../sessions/transcripts/index.ts');
  const spec = TRANSCRIPTS[agent.name];
  if (spec === undefined || !agent.interactive.proofs.includes('served')) return undefined;
  const { openForeignDatabase } = await import('../stores/sqlite/foreign.ts');
  return openTranscript(spec, {
    home: env.HOME ?? homedir(),
    env,
    cwd: project.cwd,
    startedAfterMs: startedAt - 2000,
    openDatabase: openForeignDatabase,
  });
}

/** Nobody looks on: what went wrong with the session itself goes into its folder. */
function logFaults(project: Project, file: string): (error: unknown) => void {
  const write = makeFaultLog(file, () => project.clock.now());
  const isWhole = environment().FOREWORD_DEBUG !== undefined;
  return (error) => {
    const { message, stack, faults } = asError(error);
    const lines = [isWhole ? (stack ?? message) : message, ...faults.map(renderFault)];
    write(project.redact(lines.join('\n')));
  };
}
