// A live session: an agent in a terminal, watched, with texts on their way to it. Knows ports only; what is real about it
// (PTY, tmux, transcript files, the socket) is handed in by host/run-session.ts and injector.ts.

import type { Interactive } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import { type DeliveryRecord, isEnded } from '../kernel/delivery.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Matcher } from '../kernel/matcher.ts';
import { type Channel, isAtLeast, type Proof } from '../kernel/receipt.ts';
import type { LiveScreen } from '../kernel/screen.ts';
import type { ReadinessSignalName } from '../kernel/session.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Terminal } from '../kernel/terminal.ts';
import type { TranscriptText } from '../kernel/transcript.ts';
import { hook } from './channels/hook.ts';
import { mcp } from './channels/mcp.ts';
import { type Deliverer, type PlacementResult, placementEvent, startDelivering } from './deliver.ts';
import { type Deliveries, openDeliveries } from './deliveries.ts';
import type { NewDelivery } from './delivery/record.ts';
import type { DeliveryRules } from './delivery/step.ts';
import { restFacts } from './delivery/view.ts';
import {
  answersIn,
  type CommandSource,
  findCommands,
  type InBandCommand,
  NO_COMMANDS,
  newCommands,
} from './in-band.ts';
import { followHold, heldByLimit, type LimitHold } from './limit-hold.ts';
import { acknowledgedOn, type FoundProof, searchProofs } from './proof-search.ts';
import { type AgentSignals, type KnownVersion, signalOf, withReport, withScreen, withTexts } from './rest.ts';
import { followTalk, type Talk } from './seats/talk.ts';
import type { Conversations } from './transcripts/conversation.ts';
import { type ScreenWatch, watchScreen } from './watch.ts';

export interface SessionParts {
  readonly id: string;
  readonly agent: { readonly name: string; readonly interactive: Interactive };
  readonly terminal: Terminal;
  readonly screen: LiveScreen;
  readonly match: Matcher;
  readonly clock: Clock;
  readonly stores: Pick<Stores, 'deliveries' | 'receipts'>;
  readonly emit: (event: NewEvent) => Promise<void>;
  readonly newId: (prefix: string) => string;
  readonly rules: DeliveryRules;
  readonly queueSize: number;
  readonly ackPatterns: readonly string[];
  /** What the agent writes down itself; absent where it writes nothing that is known. */
  readonly transcript?: { poll(): Promise<readonly TranscriptText[]> };
  readonly personAt?: () => Promise<number | undefined>;
  readonly holdKeys?: (isHeld: boolean) => void;
  readonly hasTerminal?: () => boolean;
  /** Of the agent's program; without it nothing is known of it. */
  readonly version?: KnownVersion;
  /** The agent was started just now, and nothing was given to it with its launch. */
  readonly isUnused?: boolean;
  readonly placeInFile?: (delivery: DeliveryRecord) => Promise<PlacementResult>;
  readonly notify?: (delivery: DeliveryRecord) => Promise<PlacementResult>;
  readonly onCommand?: (command: InBandCommand) => void;
  /** When the session began, under whichever host: what the agent answered before asks nothing of it. */
  readonly startedAt?: number;
  /** The person's last prompt or the limit of the agent changed. */
  readonly onTalk?: (talk: Talk) => void;
  /** What a command that saves must hold where only the screen shows it; without it none of those counts. */
  readonly commandWord?: string | undefined;
  /** Takes secrets out of what is delivered, before it is stored or typed. */
  readonly redact?: (text: string) => string;
  readonly onFault: (error: unknown) => void;
}

/** What one of our hooks, run by the agent, reports. */
export interface HookReport {
  readonly event: string;
  /** It was our MCP server instead; `event` is the tool that the model called. */
  readonly isTool?: boolean;
  /** Of a sub-agent, which is not the session. */
  readonly isSubagent?: boolean;
  /** When the agent started it. */
  readonly ranAt?: number;
  /** Ids of deliveries in the prompt the agent was given. */
  readonly ids: readonly string[];
  /** The delivery whose text the hook printed. */
  readonly printed?: string;
  readonly transcriptPath?: string;
}

export interface Session {
  readonly id: string;
  readonly watch: ScreenWatch;
  readonly deliveries: Deliveries;
  readonly isPaused: boolean;
  /** By what it counts as ready; `undefined` when it is not. */
  readonly signal: ReadinessSignalName | undefined;
  /** Called when something other than the screen says that it is ready. */
  onSignal(listener: () => void): void;
  deliver(given: NewDelivery): Promise<DeliveryRecord>;
  /** Another text in the place of one that is not written yet; `undefined` when it is too late. */
  reword(id: string, text: string): Promise<DeliveryRecord | undefined>;
  /** Resolves when the delivery has this proof or is over. */
  wait(id: string, proof: Proof): Promise<DeliveryRecord>;
  /** Called after every change of a delivery, until the function it returns is called. */
  onDelivery(listener: (delivery: DeliveryRecord) => void): () => void;
  /** Resolves when what was begun is done: stored and emitted. */
  settled(): Promise<void>;
  hooked(report: HookReport): Promise<void>;
  /** The launch carried it, or a channel that only a launch has did not work. */
  placed(id: string, channel: Channel, outcome: PlacementResult): Promise<void>;
  pause(isPaused: boolean): void;
  /** Takes up what a command left in the store while this process was stopped. */
  adopt(): Promise<void>;
  /** This process is about to be stopped, or goes on. Resolves when what waits is stored with that reason. */
  suspend(isSuspended: boolean): Promise<void>;
  /** What the transcript shows of the talk by now. */
  talk(): Promise<Talk>;
  /** Continues what another host began. */
  takeOver(): Promise<void>;
  /** The agent ended: looks for proofs a last time and ends what is left. */
  end(): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 250;
const NOTHING: PlacementResult = { refused: 'this session does not have the channel' };

export async function openSession(parts: SessionParts): Promise<Session> {
  const { clock, rules, match, terminal, version = { isMeasured: false } } = parts;
  const listeners = new Set<(delivery: DeliveryRecord) => void>();
  const signalListeners = new Set<() => void>();
  let isPaused = false;
  let isSuspended = false;
  let seenCommands = NO_COMMANDS;
  let conversations: Conversations = {};
  let talk: Talk = {};
  let hold: LimitHold | undefined;
  let pollTimer: NodeJS.Timeout | undefined;
  let polledBytes = -1;
  let isClosed = false;
  let signals: AgentSignals = parts.isUnused === true ? {} : { inputAt: clock.now() };

  const deliveries = await openDeliveries({
    session: parts.id,
    agent: parts.agent.name,
    stores: parts.stores,
    emit: parts.emit,
    now: () => clock.now(),
    newId: parts.newId,
    most: parts.queueSize,
    onChange: (next) => {
      for (const listener of [...listeners]) listener(next);
    },
  });
  const watch = watchScreen({ terminal, screen: parts.screen, agent: parts.agent.interactive, match, clock });
  const placers: Readonly<Partial<Record<Channel, SessionParts['notify']>>> = {
    file: parts.placeInFile,
    notice: parts.notify,
  };
  const deliverer: Deliverer = startDelivering({
    terminal,
    agent: parts.agent.interactive,
    watch,
    deliveries,
    rules,
    match,
    clock,
    personAt: parts.personAt ?? (async () => undefined),
    holdKeys: parts.holdKeys ?? (() => undefined),
    hasTerminal: parts.hasTerminal ?? (() => true),
    held: () => (isSuspended ? 'suspended' : isPaused ? 'paused' : heldByLimit(hold, clock.now())),
    signals: () => signals,
    version,
    onInput: () => {
      signals = { ...signals, inputAt: clock.now() };
    },
    place: async (channel, delivery) => (await placers[channel]?.(delivery)) ?? NOTHING,
    onFault: parts.onFault,
  });

  const report = async (proofs: readonly (FoundProof & { readonly id: string })[]): Promise<void> => {
    for (const { id, ...found } of proofs) await deliverer.report(id, { kind: 'proved', now: clock.now(), ...found });
  };

  const runCommands = (texts: readonly string[], from: CommandSource): void => {
    if (parts.onCommand === undefined) return;
    const ours = deliveries.all().map(({ text }) => text);
    const found = texts.flatMap((text) => findCommands(text, { ours, from, word: parts.commandWord }));
    const { commands, seen } = newCommands(found, seenCommands, from);
    seenCommands = seen;
    for (const command of commands) parts.onCommand(command);
  };

  /** What says that no turn is running may end a wait. */
  const heed = (next: AgentSignals): void => {
    const isNews = next.turnEndedAt !== signals.turnEndedAt || next.upAt !== signals.upAt;
    signals = next;
    if (!isNews) return;
    deliverer.wake();
    for (const listener of signalListeners) listener();
  };

  const searchScreen = async (): Promise<void> => {
    heed(withScreen(signals, watch.screen.lines, clock.now()));
    const text = watch.screen.lines.join('\n');
    await report(acknowledgedOn(text, deliveries.all()));
    if (parts.transcript === undefined) runCommands([text], 'screen');
  };

  const poll = async (): Promise<void> => {
    const texts = (await parts.transcript?.poll()) ?? [];
    if (texts.length === 0) return;
    const ours = deliveries.all().map(({ id }) => id);
    // Before the end of the turn is heeded, with which the next text may be typed.
    hold = followHold(hold, texts, { ours, now: clock.now() });
    heed(withTexts(signals, texts, clock.now()));
    const { ackPatterns } = parts;
    const found = searchProofs(deliveries.all(), texts, { before: conversations, ackPatterns, match });
    conversations = found.conversations;
    await report(found.proofs);
    for (const { id, reason } of found.faults)
      await deliverer.report(id, { kind: 'unanswered', now: clock.now(), reason });
    const before = talk;
    talk = followTalk(talk, texts, ours);
    if (before.limit !== talk.limit || before.limitUntil !== talk.limitUntil) parts.onTalk?.(talk);
    runCommands(answersIn(texts, parts.startedAt ?? 0), 'transcript');
  };

  /** Goes on while something may still come: a proof is waited for, or the agent wrote since the last look. */
  const schedulePoll = (): void => {
    if (isClosed || parts.transcript === undefined || pollTimer !== undefined) return;
    const isWaited = deliveries.open().some((one) => one.placedOn.length > 0);
    if (!isWaited && watch.bytes === polledBytes) return;
    polledBytes = watch.bytes;
    pollTimer = setTimeout(() => {
      pollTimer = undefined;
      poll().catch(parts.onFault).finally(schedulePoll);
    }, POLL_MS);
  };

  watch.onChange(() => {
    schedulePoll();
    searchScreen().catch(parts.onFault);
  });

  const session: Session = {
    id: parts.id,
    watch,
    deliveries,
    get isPaused() {
      return isPaused;
    },
    get signal() {
      if (watch.verdict.state !== 'ready') return undefined;
      const agent = parts.agent.interactive;
      const facts = { now: clock.now(), agent, stableMs: rules.stableMs, personAt: undefined, signals, version };
      return signalOf(restFacts(watch, facts));
    },
    onSignal: (listener) => {
      signalListeners.add(listener);
    },
    deliver: async (given) => {
      const record = await deliveries.accept({ ...given, text: parts.redact?.(given.text) ?? given.text });
      deliverer.wake();
      schedulePoll();
      return record;
    },
    reword: async (id, text) => {
      const plain = parts.redact?.(text) ?? text;
      await deliverer.report(id, { kind: 'reworded', text: plain });
      const record = deliveries.get(id);
      return record?.stage === 'queued' && record.text === plain ? record : undefined;
    },
    wait: (id, proof) =>
      new Promise((resolve) => {
        const check = (one: DeliveryRecord | undefined): boolean => {
          if (one === undefined || one.id !== id || !(isAtLeast(one.proof, proof) || isEnded(one))) return false;
          resolve(one);
          return true;
        };
        if (check(deliveries.get(id))) return;
        const forget = session.onDelivery((one) => {
          if (check(one)) forget();
        });
      }),
    onDelivery: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => deliverer.idle(),
    hooked: async (report) => {
      const now = clock.now();
      if (report.isTool === true) {
        const asked = report.printed ?? '';
        return session.placed(asked, 'mcp', { evidence: mcp.evidence.placed(report.event) });
      }
      const heard = (): AgentSignals =>
        withReport(signals, report, { now, firesAt: parts.agent.interactive.launch?.hook?.firesAt });
      // How the turn ended is in the transcript.
      if (heard().turnEndedAt !== signals.turnEndedAt) await poll().catch(parts.onFault);
      heed(heard());
      if (report.printed !== undefined)
        await session.placed(report.printed, 'hook', { evidence: hook.evidence.placed(report.event) });
      for (const id of report.ids) {
        const evidence = hook.evidence.submitted(report.event);
        await deliverer.report(id, { kind: 'proved', now, proof: 'submitted', evidence });
      }
      schedulePoll();
    },
    placed: async (id, channel, outcome) => {
      await deliverer.report(id, placementEvent(channel, outcome, clock.now()));
      schedulePoll();
    },
    pause: (value) => {
      isPaused = value;
      deliverer.wake();
    },
    adopt: async () => {
      if (await deliveries.adopt()) deliverer.wake();
      schedulePoll();
    },
    suspend: async (value) => {
      isSuspended = value;
      if (!value) await deliveries.adopt();
      deliverer.wake();
      await deliverer.idle();
    },
    talk: async () => {
      await poll();
      return talk;
    },
    takeOver: async () => {
      for (const { id } of deliveries.open()) await deliverer.report(id, { kind: 'found-again', now: clock.now() });
      await poll();
      deliverer.wake();
    },
    end: async () => {
      await watch.look();
      await searchScreen();
      await poll();
      await deliverer.idle();
      for (const { id } of deliveries.open()) await deliverer.report(id, { kind: 'gone', now: clock.now() });
      await deliverer.idle();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(pollTimer);
      watch.close();
      await deliverer.close();
      parts.screen.close();
    },
  };
  return session;
}
