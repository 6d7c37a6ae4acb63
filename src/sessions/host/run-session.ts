// Runs a session to its end in this process: opens it on a terminal in which the agent runs, serves it to other processes,
// and closes it when the agent ends. When another process took the session over, this one stops hosting it.

import { fileLine, noticeLine } from '../../context/texts/delivery-text.ts';
import type { Interactive } from '../../kernel/agent.ts';
import type { DeliveryRecord } from '../../kernel/delivery.ts';
import { isForewordError } from '../../kernel/errors.ts';
import { isAtLeast, type Proof } from '../../kernel/receipt.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { Terminal, TerminalExit, TerminalSize } from '../../kernel/terminal.ts';
import type { OpenForeignDatabase, TranscriptReader } from '../../kernel/transcript.ts';
import { newDeliveryId } from '../../system/ids.ts';
import { makeLineMatcher } from '../../system/patterns/linear.ts';
import { hasForeground } from '../../system/processes/process-table.ts';
import { blockRemoval, removeBlockWhenDone } from '../channels/file/remove-block.ts';
import { requiredProofBy } from '../choose-channels.ts';
import { writeContextFile } from '../context-file.ts';
import { runCommand, type SessionContext, typeLine } from '../in-band-commands.ts';
import { newCode } from '../new-delivery.ts';
import type { PersonKeys } from '../person-keys.ts';
import { deliveryRules } from '../prepare-agent.ts';
import type { PreparedSession, SwitchFrom } from '../prepared.ts';
import type { SessionProject } from '../project.ts';
import { LIMIT_ASKED } from '../readiness.ts';
import { handOverText, meanwhileText } from '../seats/hand-over.ts';
import { offerPrompt } from '../seats/offer-prompt.ts';
import type { Seat } from '../seats/seats.ts';
import type { Talk } from '../seats/talk.ts';
import { openSession, type Session } from '../session.ts';
import { deliverStartup } from '../startup.ts';
import type { PacedScreen, Screens } from '../terminals.ts';
import { closeSession } from './close-session.ts';
import { followLimit } from './follow-limit.ts';
import { makeInformer } from './inform.ts';
import { type SessionServer, serveSession } from './serve.ts';
import { openSessionLog } from './session-log.ts';
import { openTranscriptOf } from './transcript.ts';

export interface HostingParts {
  readonly project: SessionProject;
  readonly screens: Screens;
  readonly context: SessionContext;
  readonly openDatabase: OpenForeignDatabase;
  /** Names of the agents that are installed. */
  readonly installed: () => ReadonlySet<string>;
  /** This process, as the record names it. */
  readonly me: HostIdentity;
  /** Errors are logged with their stack. */
  readonly hasStack: boolean;
}

export type HostIdentity = Pick<SessionRecord, 'pid' | 'owner'>;

/** The terminal that the agent runs in. */
export interface AgentTerminal {
  readonly terminal: Terminal;
  readonly size: TerminalSize;
  /** Where a person's keys pass through this process. */
  readonly keys?: PersonKeys;
  /** In tmux they do not. */
  readonly personAt?: () => Promise<number | undefined>;
  /** Goes on with another agent in the person's terminal. */
  readonly onSwitch: (agent: string, args: readonly string[]) => Promise<Seat>;
  /** Shows a person a line about the session beside the agent's screen; `undefined` takes it away. */
  readonly announce?: (text: string | undefined) => void;
  /** The record of a session that another host began, as it was found. */
  readonly before?: { readonly value: SessionRecord; readonly version: number };
}

export interface HostedSession {
  record(): SessionRecord;
  readonly ended: Promise<TerminalExit>;
  startup(): DeliveryRecord | undefined;
  /** For the agent that goes on in its terminal. */
  handOver(): Promise<SwitchFrom>;
  /** For the agent that gets its terminal back; `undefined` when it did nothing that is known. */
  meanwhile(isOver: boolean): Promise<string | undefined>;
  /** Its agent should know this with its next input. */
  inform(text: string): Promise<void>;
  /** Its terminal shows this other session now; `undefined`: its own agent. */
  shows(other: string | undefined): Promise<void>;
  /** The person stopped this process with Ctrl-Z, or goes on. */
  suspend(isSuspended: boolean): Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** Resolves when others can reach the session; `ended` when it is closed. The terminal stays the caller's when this
 *  throws. */
export async function runSession(
  parts: HostingParts,
  prepared: PreparedSession,
  agent: AgentTerminal,
): Promise<HostedSession> {
  const { project } = parts;
  const { terminal, before } = agent;
  const ownership = makeOwnership();
  const log = openSessionLog(prepared.place.log, {
    now: () => project.clock.now(),
    redact: project.redact,
    hasStack: parts.hasStack,
  });
  const onFault = (error: unknown): void => {
    log(error);
    if (isForewordError(error) && error.code === 'stale-owner') ownership.lose();
  };
  const screen = await parts.screens.open(agent.size);
  const record = before?.value ?? newRecord(parts, prepared, agent);
  const startedAt = Date.parse(record.startedAt);
  const transcript = await openTranscriptOf(prepared, {
    cwd: project.cwd,
    startedAt,
    openDatabase: parts.openDatabase,
  });
  let onTalk: (talk: Talk) => void = () => undefined;
  const opening = { ...agent, screen, transcript, startedAt, onFault, onTalk: (talk: Talk) => onTalk(talk) };
  const { session, commands } = await open(parts, prepared, opening);
  parts.screens.pace(terminal, screen);
  removeBlockWhenDone(session, blockRemoval(project));
  session.onDelivery(({ id, proof }) => {
    if (id !== prepared.startup?.id || !isAtLeast(proof, 'served')) return;
    parts.context.keepConversation(prepared.agent.name, startedAt).catch(onFault);
  });
  const { required, hasHooks = false } = prepared;
  const inform = makeInformer(session, { folder: prepared.place.folder, hasHooks, required });
  const server = await serve(parts, prepared, { ...agent, record, session, transcript, inform, onFault });
  await project.emit({
    kind: 'session-started',
    session: prepared.id,
    agent: prepared.agent.name,
    terminal: terminal.kind,
    isTakenOver: before !== undefined,
  });
  if (before?.value.paused) session.pause(true);
  if (before === undefined) await deliverStartup(session, prepared.startup, prepared.agent.interactive);
  else await session.takeOver();
  const limit = followLimit({
    agent: prepared.agent.name,
    session: prepared.id,
    clock: project.clock,
    others: () => {
      const installed = parts.installed();
      return [...new Set([...project.config.lineup, ...installed])].filter((name) => installed.has(name));
    },
    records: async () => (await (await project.readStores()).sessions.list()).map(({ value }) => value),
    show: (hint, until) => {
      agent.announce?.(hint);
      return server.hint(hint, until);
    },
    onFault,
  });
  onTalk = (talk) => limit.changed(talk);
  // Some agents show a limit only on their screen, as a question.
  session.watch.onChange(() => limit.asked(session.watch.verdict.asks === LIMIT_ASKED));
  const prompt = before === undefined ? prepared.from?.prompt : undefined;
  if (prompt !== undefined) {
    const mode = project.config.sessions.switch;
    const offer = {
      ...agent,
      clock: project.clock,
      text: prompt,
      mode,
      hasTranscript: transcript !== undefined,
      required: requiredOfLines(prepared.agent.interactive),
    };
    offerPrompt(session, offer).catch(onFault);
  }
  terminal.onResize((size) => screen.resize(size));
  const switchFacts = async () => {
    const { prompt: last } = await session.talk();
    const work = await parts.context.runningWork(prepared.agent.name, startedAt);
    return { from: prepared.agent.name, limit: limit.now(), work, prompt: last };
  };
  // To the agent beside it, which is one and the same until it ends; the next one begins with a hand-over.
  let told: readonly string[] = [];
  const ended = new Promise<TerminalExit>((resolve) => {
    terminal.onExit((exit) => {
      limit.close();
      const close = async (): Promise<void> => {
        const lastLines = terminal.lastLines?.() ?? '';
        const closing = { session, server, startedAt, exit, lastLines, commands };
        if (!ownership.isLost()) await closeSession(parts, prepared, closing);
      };
      close()
        .catch(onFault)
        .finally(() => resolve(exit));
    });
    ownership.lost
      .then(() => release(session, server, agent))
      .catch(onFault)
      .finally(() => {
        // An agent in a person's own terminal goes on there; nothing more is typed to it.
        if (terminal.kind === 'tmux') resolve({ status: 0 });
      });
  });
  return {
    record: server.record,
    ended,
    onFault,
    handOver: async () => {
      const { prompt: last, ...facts } = await switchFacts();
      told = facts.work;
      return { session: prepared.id, text: handOverText(facts), ...(last === undefined ? {} : { prompt: last }) };
    },
    meanwhile: async (isOver) => {
      const facts = { ...(await switchFacts()), isOver, told };
      told = facts.work;
      return meanwhileText(facts);
    },
    inform,
    shows: async (other) => {
      limit.shown(other === undefined);
      await server.shows(other).catch(onFault);
    },
    suspend: async (isSuspended) => {
      await Promise.all([session.suspend(isSuspended), server.suspend(isSuspended)]).catch(onFault);
    },
    startup: () => (prepared.startup === undefined ? undefined : session.deliveries.get(prepared.startup.id)),
  };
}

interface Opening extends AgentTerminal {
  readonly screen: PacedScreen;
  readonly transcript: TranscriptReader | undefined;
  readonly startedAt: number;
  readonly onFault: (error: unknown) => void;
  readonly onTalk: (talk: Talk) => void;
}

/** `commands` resolves when all that the agent asked for until then is done. */
async function open(
  parts: HostingParts,
  { id, agent, commandWord, version, isUnused }: PreparedSession,
  { terminal, screen, transcript, startedAt, keys, personAt, before, onFault, onTalk }: Opening,
): Promise<{ readonly session: Session; readonly commands: () => Promise<unknown> }> {
  const { project } = parts;
  const { injection, session: settings } = project.config;
  const required = requiredOfLines(agent.interactive);
  let commands: Promise<unknown> = Promise.resolve();
  const session = await openSession({
    id,
    agent,
    terminal,
    screen,
    match: makeLineMatcher(),
    clock: project.clock,
    stores: await project.writeStores(),
    emit: (event) => project.emit(event),
    newId: project.newId,
    rules: deliveryRules(agent.interactive, injection),
    queueSize: settings.queueSize,
    ackPatterns: injection.acknowledgmentPatterns,
    redact: project.redact,
    ...(transcript === undefined ? {} : { transcript }),
    personAt: personAt ?? (async () => keys?.at),
    ...(keys === undefined ? {} : { holdKeys: (isHeld: boolean) => keys.hold(isHeld) }),
    hasTerminal: () => hasForeground(terminal.pid),
    ...(version === undefined ? {} : { version }),
    ...(isUnused === true && before === undefined ? { isUnused } : {}),
    placeInFile: async (delivery) => {
      const written = await writeContextFile(project.root, agent, delivery);
      if ('file' in written) await typeLine(session, fileLine(written.file), required);
      return written;
    },
    notify: async () => {
      await typeLine(session, noticeLine(undefined), required);
      return { evidence: 'a notice that context is available was queued' };
    },
    commandWord,
    startedAt,
    onTalk,
    onCommand: (command) => {
      commands = Promise.all([commands, runCommand({ ...parts, required }, session, command).catch(onFault)]);
    },
    onFault,
  });
  return { session, commands: () => commands };
}

/** Of what we type without asking for a reply code. */
function requiredOfLines(agent: Interactive): Proof {
  return requiredProofBy(agent, { needsReply: false }, 'typed');
}

/** Closes the session when it cannot be served. */
async function serve(
  { project }: HostingParts,
  { required, place }: PreparedSession,
  given: Omit<Opening, 'screen' | 'startedAt' | 'onTalk'> & {
    readonly session: Session;
    readonly record: SessionRecord;
    readonly inform: (text: string) => Promise<void>;
  },
): Promise<SessionServer> {
  const { session, record, terminal, transcript, before, onFault } = given;
  const stores = await project.writeStores();
  const serving = serveSession({
    session,
    socket: place.socket,
    record,
    version: before?.version ?? 0,
    stores,
    now: () => project.clock.now(),
    newDeliveryId,
    newCode,
    required,
    stop: () => void terminal.end(),
    onSwitch: given.onSwitch,
    onInform: given.inform,
    onHook: (report) => {
      if (report.transcriptPath !== undefined) transcript?.follow(report.transcriptPath).catch(onFault);
      session.hooked(report).catch(onFault);
    },
    onFault,
  });
  return serving.catch(async (error: unknown) => {
    await session.close();
    throw error;
  });
}

function newRecord(
  { project, me }: HostingParts,
  prepared: PreparedSession,
  { terminal }: AgentTerminal,
): SessionRecord {
  const { folder, socket, tmux } = prepared.place;
  return {
    id: prepared.id,
    agent: prepared.agent.name,
    cwd: project.cwd,
    ...me,
    startedAt: new Date(project.clock.now()).toISOString(),
    readiness: 'starting',
    paused: false,
    required: prepared.required,
    agentPid: terminal.pid,
    terminal: terminal.kind,
    folder,
    socket,
    ...(terminal.kind === 'tmux' ? { tmux } : {}),
    ...(prepared.from === undefined ? {} : { beside: prepared.from.session }),
  };
}

/** Lost once, when the record names another process. */
function makeOwnership() {
  let isLost = false;
  let resolveLost: () => void;
  const lost = new Promise<void>((resolve) => {
    resolveLost = resolve;
  });
  const lose = (): void => {
    isLost = true;
    resolveLost();
  };
  return { lost, lose, isLost: () => isLost };
}

async function release(session: Session, server: SessionServer, { terminal }: AgentTerminal): Promise<void> {
  await server.close();
  await session.close();
  if (terminal.kind === 'tmux') await terminal.release();
}
