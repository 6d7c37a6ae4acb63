// Serves a session to other processes: keeps the record that they see, and replies to them over the socket.

import { rmSync } from 'node:fs';
import type { DeliveryRecord, Priority } from '../../kernel/delivery.ts';
import { isEnded, waitingReasonOf } from '../../kernel/delivery.ts';
import { asError, ForewordError } from '../../kernel/errors.ts';
import { isAtLeast, type Proof } from '../../kernel/receipt.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { Seat } from '../seats/seats.ts';
import { ownId, sentText, waitedProof } from '../sent-text.ts';
import type { HookReport, Session } from '../session.ts';
import { type Peer, type SocketMessage, serveSocket } from '../socket.ts';
import { keepRecord } from './record.ts';

export interface ServeParts {
  readonly session: Session;
  /** Where other processes reach it. */
  readonly socket: string;
  readonly record: SessionRecord;
  /** Of the record as it was found; a session that is new has 0. Another process that takes it over from there fails. */
  readonly version: number;
  readonly stores: Pick<Stores, 'sessions' | 'deliveries'>;
  readonly now: () => number;
  readonly newDeliveryId: () => string;
  /** A reply code for a text, which holds nothing like it. */
  readonly newCode: (delivery: Pick<DeliveryRecord, 'id' | 'text'>) => string;
  /** The proof without which a text is not called delivered. */
  readonly required: Proof;
  /** Ends the agent. */
  readonly stop: () => void;
  /** Goes on with another agent in the same terminal, started with these arguments; resolves with what has it then. */
  readonly onSwitch: (agent: string, args: readonly string[]) => Promise<Seat>;
  /** The agent should know this with its next input. */
  readonly onInform: (text: string) => Promise<void>;
  readonly onHook: (report: HookReport) => void;
  /** `stale-owner` means that another process has the session: this one must let go of it. */
  readonly onFault: (error: unknown) => void;
}

export interface SessionServer {
  record(): SessionRecord;
  /** What a person should know of it; `undefined` when that is over. */
  hint(text: string | undefined, limit: SessionRecord['limit']): Promise<void>;
  /** Its terminal shows this other session; `undefined`: its own agent. */
  shows(other: string | undefined): Promise<void>;
  /** The person stopped it and us with Ctrl-Z, or goes on. */
  suspend(isSuspended: boolean): Promise<void>;
  /** The agent ended: others see it as ended from now on, and who is attached gets what it left on its screen. */
  ended(status: number, lastLines: string): Promise<void>;
  close(): Promise<void>;
}

export async function serveSession(parts: ServeParts): Promise<SessionServer> {
  const { session, stores } = parts;
  const keeper = await keepRecord(parts.record, parts.version, stores);
  const { watch } = session;
  let isSuspended = false;
  const keep = (): void => {
    if (isSuspended) return;
    const { state, evidence } = watch.verdict;
    const { signal } = session;
    const { hasBracketedPaste } = watch.screen;
    // The line itself changes with every turn of a spinner; only what it means is worth a write.
    const known = keeper.record();
    const isKnown = known.readiness === state && known.hasBracketedPaste === hasBracketedPaste;
    if (isKnown && known.signal === signal) return;
    keeper.change({ readiness: state, evidence, signal, hasBracketedPaste }).catch(parts.onFault);
  };
  watch.onChange(keep);
  session.onSignal(keep);
  // A host that was killed leaves its socket; by now the record names us.
  rmSync(parts.socket, { force: true });
  const server = await serveSocket(parts.socket, (message, peer) => {
    answer(message, peer).catch((error: unknown) => {
      const { code, message: text, hint } = asError(error);
      if (code === 'stale-owner') parts.onFault(error);
      peer.send({ kind: 'error', error: { code, message: text, ...(hint === undefined ? {} : { hint }) } });
    });
  });

  /** They are told when the agent ends. */
  const attached = new Set<Peer>();
  const answer = async (message: SocketMessage, peer: Peer): Promise<void> => {
    switch (message.kind) {
      case 'send':
        return send(message, peer);
      case 'redeliver':
        return redeliver(message, peer);
      case 'follow':
        // A command may have left it in the store while this process was stopped.
        if (session.deliveries.get(String(message.id)) === undefined) await session.adopt();
        return follow(String(message.id), waitedProof(message) ?? parts.required, peer);
      case 'pause':
        session.pause(message.isPaused === true);
        await keeper.change({ paused: session.isPaused });
        return peer.send({ kind: 'done', paused: session.isPaused });
      case 'status':
        return peer.send({ kind: 'done', session: keeper.record(), waiting: waitingOf(session) });
      case 'switch':
        return peer.send({ kind: 'done', seat: await parts.onSwitch(String(message.agent), wordsOf(message.args)) });
      case 'inform':
        await parts.onInform(String(message.text));
        return peer.send({ kind: 'done' });
      case 'attached':
        attached.add(peer);
        return peer.onClose(() => void attached.delete(peer));
      case 'stop':
        peer.send({ kind: 'done' });
        return parts.stop();
      case 'hook':
        return parts.onHook(hookReport(message));
      default:
        throw new ForewordError('bad-usage', `The session does not know the request "${message.kind}".`);
    }
  };

  const follow = (id: string, proof: Proof, peer: Peer): void => {
    const report = (one: DeliveryRecord): void => {
      if (one.id !== id) return;
      const isDone = isEnded(one) || isAtLeast(one.proof, proof);
      peer.send({ kind: isDone ? 'done' : 'changed', delivery: one });
    };
    const now = session.deliveries.get(id);
    if (now === undefined) throw new ForewordError('bad-usage', `There is no delivery ${id} in this session.`);
    peer.onClose(session.onDelivery(report));
    report(now);
  };

  const send = async (message: SocketMessage, peer: Peer): Promise<void> => {
    const delivery = await session.deliver(sentText(message, parts));
    follow(delivery.id, waitedProof(message) ?? parts.required, peer);
  };

  const redeliver = async (message: SocketMessage, peer: Peer): Promise<void> => {
    const dead = (await stores.deliveries.get(String(message.id)))?.value;
    if (dead === undefined || !isEnded(dead) || dead.outcome === 'delivered') {
      throw new ForewordError('bad-usage', `There is no failed delivery ${String(message.id)}.`, {
        hint: 'foreword receipts --failed lists them.',
      });
    }
    const { moment, text, code } = dead;
    const priority: Priority = dead.priority;
    const id = ownId(message.as) ?? parts.newDeliveryId();
    const delivery = await session.deliver({
      id,
      moment,
      priority,
      text,
      ladder: ['typed'],
      required: parts.required,
      ...(code === undefined ? {} : { code: parts.newCode({ id, text }) }),
    });
    follow(delivery.id, parts.required, peer);
  };

  return {
    record: keeper.record,
    hint: (hint, limit) => keeper.change({ hint, limit }),
    shows: (shows) => keeper.change({ shows }),
    suspend: async (value) => {
      isSuspended = value;
      if (value) await keeper.change({ readiness: 'suspended', evidence: SUSPENDED });
      else keep();
    },
    ended: (status, lastLines) => {
      for (const peer of attached) peer.send({ kind: 'done', lastLines });
      return keeper.change({ readiness: 'gone', exitStatus: status, endedAt: new Date(parts.now()).toISOString() });
    },
    close: async () => {
      await server.close();
      await keeper.settled();
    },
  };
}

const SUSPENDED = 'the person stopped it with Ctrl-Z; fg in its terminal continues it';

export function waitingOf(session: Session): readonly { readonly id: string; readonly reason: string }[] {
  return session.deliveries.open().flatMap((one) => {
    const reason = waitingReasonOf(one);
    return reason === undefined ? [] : [{ id: one.id, reason }];
  });
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function hookReport(message: SocketMessage): HookReport {
  const ids = Array.isArray(message.ids) ? message.ids.filter((id): id is string => typeof id === 'string') : [];
  return {
    event: String(message.event).slice(0, 80),
    ...(message.isTool === true ? { isTool: true } : {}),
    ...(typeof message.subagent === 'string' ? { isSubagent: true } : {}),
    ...(typeof message.at === 'string' && !Number.isNaN(Date.parse(message.at))
      ? { ranAt: Date.parse(message.at) }
      : {}),
    ids: ids.slice(0, 100),
    ...(typeof message.printed === 'string' ? { printed: message.printed } : {}),
    ...(typeof message.transcriptPath === 'string' ? { transcriptPath: message.transcriptPath } : {}),
  };
}
