// For programs that wrap agents themselves: when an agent can be given something, from its output. The output is drawn on a
// screen first, so that a dialog, a quotation or half a redraw is not taken for a prompt.

import type { Agent, Interactive } from '../kernel/agent.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LiveScreen } from '../kernel/screen.ts';
import type { ReadinessSignalName } from '../kernel/session.ts';
import type { TerminalSize } from '../kernel/terminal.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { describedAgent, type WrappedAgent } from './injector-agent.ts';
import { readReadiness } from './readiness.ts';
import { saysReady } from './rest.ts';

export interface ReadinessSignal {
  readonly type: ReadinessSignalName;
  readonly timestamp: number;
}

export interface DetectorParts {
  readonly agents: readonly Agent[];
  readonly openScreen: (size: TerminalSize) => Promise<LiveScreen>;
  readonly clock: Clock;
}

const DEFAULT_SIZE = { cols: 120, rows: 40 };

export class ReadinessDetector {
  readonly #agent: Interactive;
  readonly #screen: Promise<LiveScreen>;
  readonly #clock: Clock;
  readonly #match = makeLineMatcher();
  readonly #waiting = new Set<(signal: ReadinessSignal) => void>();
  #wasBusy = false;
  #last: ReadinessSignal | undefined;

  constructor(agent: WrappedAgent, options: { readonly size?: TerminalSize } | undefined, parts: DetectorParts) {
    this.#agent = describedAgent(parts.agents, agent, []);
    this.#screen = parts.openScreen(options?.size ?? DEFAULT_SIZE);
    this.#clock = parts.clock;
  }

  /** Takes the next piece of output; returns a signal when the screen now shows that the agent is ready. */
  async checkOutput(output: string | Uint8Array): Promise<ReadinessSignal | null> {
    const screen = await this.#screen;
    screen.feed(typeof output === 'string' ? new TextEncoder().encode(output) : output);
    await screen.settled();
    const shown = screen.read();
    const isExplicit = saysReady(shown.lines);
    const { state, composer } = readReadiness(this.#agent, shown, this.#match);
    if (state === 'busy') this.#wasBusy = true;
    if (!isExplicit && !(state === 'ready' && composer.kind === 'empty')) {
      this.#last = undefined;
      return null;
    }
    const type = isExplicit ? 'explicit_ready' : this.#wasBusy ? 'first_response_complete' : 'prompt_detected';
    const signal: ReadinessSignal = { type, timestamp: this.#clock.now() };
    this.#last = signal;
    for (const resolve of this.#waiting) resolve(signal);
    this.#waiting.clear();
    return signal;
  }

  /** Resolves with the signal, at once when the agent is ready now, or with null after the timeout. */
  async waitForSignal(timeoutMs: number): Promise<ReadinessSignal | null> {
    if (this.#last !== undefined) return this.#last;
    const timeout = new AbortController();
    const signal = await new Promise<ReadinessSignal | null>((resolve) => {
      this.#waiting.add(resolve);
      void this.#clock.wait(timeoutMs, timeout.signal).then(() => {
        this.#waiting.delete(resolve);
        resolve(null);
      });
    });
    timeout.abort();
    return signal;
  }

  async close(): Promise<void> {
    (await this.#screen).close();
  }
}
