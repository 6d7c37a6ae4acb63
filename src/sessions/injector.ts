// For programs that wrap agents themselves: gets a startup context into an agent that runs in a terminal of theirs, on the
// machinery of live sessions. A terminal of your own needs only the port in kernel/terminal.ts.

import { EventEmitter } from 'node:events';
import type { Agent } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import { demand, demandKnown } from '../kernel/demand.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { ForewordEvent, NewEvent, NewInjectionEvent } from '../kernel/events.ts';
import type { Channel, Proof } from '../kernel/receipt.ts';
import type { LiveScreen } from '../kernel/screen.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Terminal, TerminalSize } from '../kernel/terminal.ts';
import { type InjectionMetrics, measureInjections } from '../reports/injection-metrics.ts';
import { newDeliveryId, newId } from '../system/ids.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { writeBlock } from './channels/file/managed-block-file.ts';
import { describedAgent, nameOf, type WrappedAgent } from './injector-agent.ts';
import type { InjectorEmitter } from './injector-events.ts';
import { newCode } from './new-delivery.ts';
import { deliveryRules } from './prepare-agent.ts';
import { type QueuedMessage, queuedMessage } from './queued-message.ts';
import { openSession, type Session } from './session.ts';

/** How a startup context is delivered. */
export interface ContextInjectionConfig {
  /** Milliseconds without a screen that is known before the next channel is tried; 30000. */
  readonly readinessTimeoutMs?: number;
  /** Whether only a reply with the code counts as delivered; false. */
  readonly requireAcknowledgment?: boolean;
  /** Pauses after windows that failed; 1000, 2000, 5000, 10000. */
  readonly retryBackoffs?: readonly number[];
  /** Windows that failed before the file is written; 3. */
  readonly fileFallbackAfterAttempts?: number;
  readonly sendNotificationOnFailure?: boolean;
  /** Further patterns on the last lines of the screen that mean ready. */
  readonly readinessPatterns?: readonly string[];
  readonly acknowledgmentPatterns?: readonly string[];
  /** Milliseconds until the text is given up; 10 minutes. */
  readonly deadlineMs?: number;
  /** The agent: a built-in one's name, or one of your own, made by `defineAgent`. */
  readonly agent: WrappedAgent;
  /** The instruction file for the fallback, below `workingDirectory`; without it there is none. */
  readonly file?: string;
  readonly workingDirectory?: string;
  /** Where deliveries are kept; in memory by default. */
  readonly stores?: Stores;
  readonly clock?: Clock;
}

const CALL = 'new ContextInjector(terminal, { agent })';
const CONFIG_KEYS = Object.keys({
  readinessTimeoutMs: true,
  requireAcknowledgment: true,
  retryBackoffs: true,
  fileFallbackAfterAttempts: true,
  sendNotificationOnFailure: true,
  readinessPatterns: true,
  acknowledgmentPatterns: true,
  deadlineMs: true,
  agent: true,
  file: true,
  workingDirectory: true,
  stores: true,
  clock: true,
} satisfies Record<keyof ContextInjectionConfig, true>);
const MOST_BACKOFFS = 20;
const MOST_BACKOFF_MS = 600_000;

/** What an agent is given at its start. */
export interface StartupContext {
  /** The text itself. */
  readonly formatted: string;
}

export interface InjectorParts {
  readonly agents: readonly Agent[];
  readonly openScreen: (size: TerminalSize) => Promise<LiveScreen>;
  /** For a program that brings no store. */
  readonly newStores: () => Stores;
  /** For a program that brings no clock. */
  readonly clock: Clock;
}

/** The same rule as for `injection.retryBackoffs` of the configuration. */
function refuseNoBackoffs({ retryBackoffs = [0] }: ContextInjectionConfig): void {
  const isGood = retryBackoffs.every((ms) => Number.isInteger(ms) && ms >= 0 && ms <= MOST_BACKOFF_MS);
  if (isGood && retryBackoffs.length > 0 && retryBackoffs.length <= MOST_BACKOFFS) return;
  throw new ForewordError('bad-usage', `retryBackoffs cannot be ${JSON.stringify(retryBackoffs)}.`, {
    hint: `Give 1 to ${MOST_BACKOFFS} whole numbers of milliseconds, each 0 to ${MOST_BACKOFF_MS}, or leave it out.`,
  });
}

const Emitter = EventEmitter as unknown as new () => InjectorEmitter;

/** Gets a startup context into an agent that runs in `terminal`, and emits how far it got. */
export class SessionInjector extends Emitter {
  readonly #terminal: Terminal;
  readonly #config: ContextInjectionConfig;
  readonly #parts: InjectorParts;
  readonly #journal: ForewordEvent[] = [];
  #session: Promise<Session> | undefined;

  constructor(terminal: Terminal, config: ContextInjectionConfig, parts: InjectorParts) {
    super();
    if (config?.agent === undefined)
      throw new ForewordError('bad-usage', 'ContextInjector needs a terminal and the agent in it.', {
        hint: 'Give it as `agent`: the name of a built-in agent, or what defineAgent returns.',
      });
    demandKnown(config, CALL, CONFIG_KEYS);
    refuseNoBackoffs(config);
    demand(terminal, CALL, { write: 'function', onOutput: 'function', size: 'function' });
    this.#terminal = terminal;
    this.#config = config;
    this.#parts = parts;
    // From the first byte on: what an agent shows before a context is given is how we know that it is ready.
    this.#session = this.#open();
  }

  get metrics(): InjectionMetrics {
    return measureInjections(this.#journal);
  }

  /** Resolves when the text is delivered with the proof asked for, or given up; see `outcome`. */
  async injectStartupContext(context: StartupContext): Promise<DeliveryRecord> {
    const session = await (this.#session ?? this.#open());
    const { file, deadlineMs } = this.#config;
    const ladder: readonly Channel[] = file === undefined ? ['typed', 'notice'] : ['typed', 'file', 'notice'];
    const text = { id: newDeliveryId(), text: context.formatted };
    const { id } = await session.deliver({
      ...text,
      moment: 'session-start',
      priority: 'startup',
      ladder,
      code: newCode(text),
      required: this.#required(),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
    const ended = await session.wait(id, 'acknowledged');
    await session.settled();
    return ended;
  }

  /** The texts that wait, the oldest first. */
  async queued(): Promise<readonly QueuedMessage[]> {
    const session = await (this.#session ?? this.#open());
    return session.deliveries.open().map((delivery) => queuedMessage(delivery, this.#escalation()));
  }

  async close(): Promise<void> {
    const session = await this.#session;
    this.#session = undefined;
    await session?.close();
  }

  #escalation() {
    const { retryBackoffs = [1000, 2000, 5000, 10_000], fileFallbackAfterAttempts = 3, file } = this.#config;
    return { retryBackoffs, fileFallbackAfterAttempts, file };
  }

  #required(): Proof {
    return this.#config.requireAcknowledgment === true ? 'acknowledged' : 'submitted';
  }

  async #open(): Promise<Session> {
    const config = this.#config;
    const parts = this.#parts;
    const interactive = describedAgent(parts.agents, config.agent, config.readinessPatterns ?? []);
    const name = nameOf(config.agent);
    const screen = await parts.openScreen(this.#terminal.size());
    const stores = config.stores ?? parts.newStores();
    const clock = config.clock ?? parts.clock;
    return openSession({
      id: newId('s'),
      agent: { name, interactive },
      terminal: this.#terminal,
      screen,
      match: makeLineMatcher(),
      clock,
      stores,
      newId,
      emit: async (newEvent) => {
        const event = { id: newId('evt'), at: new Date(clock.now()).toISOString(), ...newEvent } as ForewordEvent;
        this.#journal.push(event);
        await stores.journal.append(event);
        this.#emitInjection(newEvent);
      },
      rules: deliveryRules(interactive, {
        readinessTimeoutMs: config.readinessTimeoutMs ?? 30_000,
        ...this.#escalation(),
        sendNotificationOnFailure: config.sendNotificationOnFailure ?? true,
      }),
      queueSize: 100,
      ackPatterns: config.acknowledgmentPatterns ?? [],
      placeInFile: async (delivery) => {
        const { file, workingDirectory = process.cwd() } = config;
        if (file === undefined) return { refused: 'no file was named' };
        const block = { id: delivery.id, body: delivery.text, expiresAt: delivery.deadline };
        const written = writeBlock(workingDirectory, file, block);
        return written.kind === 'refused' ? { refused: written.reason } : { evidence: `${file} holds it` };
      },
      notify: async () => ({ evidence: 'the program was notified' }),
      onFault: (error) => this.emit('error', error),
    });
  }

  #emitInjection(event: NewEvent): void {
    switch (event.kind) {
      case 'injection:attempted':
        return void this.emit(event.kind, fieldsOf(event));
      case 'injection:succeeded':
        return void this.emit(event.kind, fieldsOf(event));
      case 'injection:escalated':
        return void this.emit(event.kind, fieldsOf(event));
      case 'injection:failed':
        return void this.emit(event.kind, fieldsOf(event));
      default:
    }
  }
}

function fieldsOf<Event extends NewInjectionEvent>({ kind: _, ...fields }: Event): Omit<Event, 'kind'> {
  return fields;
}
