// For programs that wrap agents themselves: `ContextInjector` and `AgentReadinessDetector`, on the machinery of live
// sessions. A terminal of your own needs only the port in kernel/terminal.ts.

import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { AGENTS } from '../agents/index.ts';
import { freeCode } from '../context/texts/delivery-text.ts';
import type { Interactive } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { ForewordEvent, NewEvent } from '../kernel/events.ts';
import type { Channel, Proof } from '../kernel/receipt.ts';
import type { LiveScreen } from '../kernel/screen.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Terminal } from '../kernel/terminal.ts';
import { type InjectionMetrics, measureInjections } from '../reports/injection-metrics.ts';
import { writeBlock } from '../sessions/channels/file/managed-block-file.ts';
import { readReadiness } from '../sessions/readiness.ts';
import { openSession, type Session } from '../sessions/session.ts';
import { memoryStores } from '../stores/memory.ts';
import { systemClock } from '../system/clock.ts';
import { newDeliveryId, newId } from '../system/ids.ts';
import { compilePattern, makeLineMatcher } from '../system/patterns/linear.ts';
import { openScreen } from '../terminals/screen/screen.ts';

export interface ContextInjectionConfig {
  /** Milliseconds without a screen that is known before the next way in is tried; 30000. */
  readonly readinessTimeoutMs?: number;
  /** Whether only an answered reply code counts as delivered; false. */
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
  /** The agent: a built-in one's name, or your own description of its screens. */
  readonly agent: string | Interactive;
  /** The instruction file for the fallback, below `workingDirectory`; without it there is none. */
  readonly file?: string;
  readonly workingDirectory?: string;
  /** Where deliveries are kept; in memory by default. */
  readonly stores?: Stores;
  readonly clock?: Clock;
}

export interface StartupContext {
  readonly formatted: string;
}

interface InjectorEvents {
  'injection:attempted': [{ readonly messageId: string; readonly attempt: number; readonly type: string }];
  'injection:succeeded': [{ readonly messageId: string; readonly attempts: number; readonly durationMs: number }];
  'injection:escalated': [{ readonly messageId: string; readonly escalationType: string }];
  'injection:failed': [{ readonly messageId: string; readonly attempts: number; readonly reason: string }];
  /** Something broke on our side; deliveries stay as they are stored. */
  error: [unknown];
}

/** Gets a startup context into an agent that runs in `terminal`, and tells how far it got. */
export class ContextInjector extends EventEmitter<InjectorEvents> {
  readonly #terminal: Terminal;
  readonly #config: ContextInjectionConfig;
  readonly #journal: ForewordEvent[] = [];
  #session: Promise<Session> | undefined;

  constructor(terminal: Terminal, config: ContextInjectionConfig) {
    super();
    this.#terminal = terminal;
    this.#config = config;
    // From the first byte on: what an agent shows before somebody asks is what tells that it is ready.
    this.#session = this.#open();
  }

  get metrics(): InjectionMetrics {
    return measureInjections(this.#journal);
  }

  /** Resolves when the text is delivered with the proof asked for, or given up; `outcome` says which. */
  async injectStartupContext(context: StartupContext): Promise<DeliveryRecord> {
    const session = await (this.#session ?? this.#open());
    const { file, deadlineMs } = this.#config;
    const ladder: readonly Channel[] = file === undefined ? ['typed', 'notice'] : ['typed', 'file', 'notice'];
    const said = { id: newDeliveryId(), text: context.formatted };
    const { id } = await session.deliver({
      ...said,
      moment: 'session-start',
      priority: 'startup',
      ladder,
      code: freeCode(said, () => randomBytes(8)),
      required: this.#required(),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
    const ended = await session.wait(id, 'acknowledged');
    await session.settled();
    return ended;
  }

  async close(): Promise<void> {
    const session = await this.#session;
    this.#session = undefined;
    await session?.close();
  }

  #required(): Proof {
    return this.#config.requireAcknowledgment === true ? 'acknowledged' : 'submitted';
  }

  async #open(): Promise<Session> {
    const config = this.#config;
    const interactive = describedAgent(config.agent, config.readinessPatterns ?? []);
    const name = typeof config.agent === 'string' ? config.agent : 'agent';
    const screen = await openScreen(this.#terminal.size());
    const stores = config.stores ?? memoryStores();
    const clock = config.clock ?? systemClock;
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
        this.#tell(newEvent);
      },
      rules: {
        stableMs: 300,
        personMs: 3000,
        submitDelayMs: interactive.submit.delayMs,
        readinessTimeoutMs: config.readinessTimeoutMs ?? 30_000,
        retryBackoffs: config.retryBackoffs ?? [1000, 2000, 5000, 10_000],
        fileFallbackAfterAttempts: config.fileFallbackAfterAttempts ?? 3,
        sendNotificationOnFailure: config.sendNotificationOnFailure ?? true,
      },
      queueSize: 100,
      ackPatterns: config.acknowledgmentPatterns ?? [],
      placeInFile: async (delivery) => {
        const { file, workingDirectory = process.cwd() } = config;
        if (file === undefined) return { refused: 'no file was named' };
        const block = { id: delivery.id, body: delivery.text, expiresAt: delivery.deadline };
        const written = writeBlock(workingDirectory, file, block);
        return written.kind === 'refused' ? { refused: written.reason } : { evidence: `${file} holds it` };
      },
      notify: async () => ({ evidence: 'the program was told' }),
      onFault: (error) => this.emit('error', error),
    });
  }

  #tell(event: NewEvent): void {
    if (event.kind === 'delivery-attempted') {
      const { delivery: messageId, attempt, priority: type } = event;
      this.emit('injection:attempted', { messageId, attempt, type });
    }
    if (event.kind === 'delivery-escalated')
      this.emit('injection:escalated', { messageId: event.delivery, escalationType: event.to });
    if (event.kind !== 'delivery-ended') return;
    const { delivery: messageId, attempts, durationMs, reason = event.outcome } = event;
    if (event.outcome === 'delivered') this.emit('injection:succeeded', { messageId, attempts, durationMs });
    else this.emit('injection:failed', { messageId, attempts, reason });
  }
}

export interface ReadinessSignal {
  readonly type: 'prompt_detected' | 'first_response_complete' | 'explicit_ready';
  readonly timestamp: number;
}

/** Tells from an agent's output when it can be given something. The output is drawn on a terminal first, so that a
 *  dialog, a quotation or half a redraw is not taken for a prompt. */
export class AgentReadinessDetector {
  readonly #agent: Interactive;
  readonly #screen: Promise<LiveScreen>;
  readonly #match = makeLineMatcher();
  readonly #waiting = new Set<(signal: ReadinessSignal) => void>();
  #wasBusy = false;
  #last: ReadinessSignal | undefined;

  constructor(agent: string | Interactive, options: { readonly size?: { cols: number; rows: number } } = {}) {
    this.#agent = describedAgent(agent, []);
    this.#screen = openScreen(options.size ?? { cols: 120, rows: 40 });
  }

  /** Takes the next piece of output; answers a signal when the screen now shows that the agent is ready. */
  async checkOutput(output: string | Uint8Array): Promise<ReadinessSignal | null> {
    const screen = await this.#screen;
    const bytes = typeof output === 'string' ? new TextEncoder().encode(output) : output;
    screen.feed(bytes);
    await screen.settled();
    const shown = screen.read();
    const isTold = shown.lines.some((line) => line.trim() === '->foreword:ready');
    const { state, composer } = readReadiness(this.#agent, shown, this.#match);
    if (state === 'busy') this.#wasBusy = true;
    if (!isTold && !(state === 'ready' && composer.kind === 'empty')) {
      this.#last = undefined;
      return null;
    }
    const type = isTold ? 'explicit_ready' : this.#wasBusy ? 'first_response_complete' : 'prompt_detected';
    const signal: ReadinessSignal = { type, timestamp: Date.now() };
    this.#last = signal;
    for (const tell of this.#waiting) tell(signal);
    this.#waiting.clear();
    return signal;
  }

  /** Resolves with the signal, at once when the agent is ready now, or with null when the time is over. */
  waitForSignal(timeoutMs: number): Promise<ReadinessSignal | null> {
    if (this.#last !== undefined) return Promise.resolve(this.#last);
    return new Promise((resolve) => {
      const tell = (signal: ReadinessSignal): void => {
        clearTimeout(timer);
        resolve(signal);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(tell);
        resolve(null);
      }, timeoutMs);
      this.#waiting.add(tell);
    });
  }

  async close(): Promise<void> {
    (await this.#screen).close();
  }
}

/** Throws `bad-usage` for an agent that is not known and for a pattern that no linear-time engine takes. */
function describedAgent(agent: string | Interactive, further: readonly string[]): Interactive {
  const known = typeof agent === 'string' ? AGENTS.find(({ name }) => name === agent)?.interactive : agent;
  if (known === undefined)
    throw new ForewordError('bad-usage', `There is no agent "${String(agent)}" with a terminal.`);
  for (const pattern of further) {
    const compiled = compilePattern(pattern);
    if ('fault' in compiled)
      throw new ForewordError('bad-usage', `The pattern "${pattern}" cannot be used: ${compiled.fault}.`);
  }
  return { ...known, screens: [...known.screens, ...further.map((bottom) => ({ state: 'ready', bottom }) as const)] };
}
