// The meter of one run of an agent: what it names of its usage, read from its lines as they come and from its transcript, with a
// cost by the price of the configuration where it names none.

import type { Agent } from '../../kernel/agent.ts';
import type { ProcessEnd } from '../../kernel/process.ts';
import type { Usage } from '../../kernel/usage.ts';
import { type Announced, type UsageSpec, withPrice } from '../../kernel/usage-rules.ts';
import type { Environment } from '../../system/environment.ts';
import { isSessionId, sessionIn } from '../agent-output/session-id.ts';
import type { LineWatcher } from '../attempts/watch-lines.ts';
import { minus, UsageReader } from './usage-reader.ts';

/** Opens the transcript of a session, read for its usage; `undefined` when it has none of that. */
export type OpenUsageLog = (
  agent: string,
  options: {
    readonly home: string;
    readonly env: Environment;
    readonly cwd: string;
    readonly startedAfterMs: number;
    readonly sessionId: string;
  },
) => UsageLog | undefined;

interface UsageLog {
  readonly spec: UsageSpec;
  /** The records since the last poll. */
  poll(): Promise<readonly unknown[]>;
  /** All that are left, of an agent that has ended. */
  finish(): Promise<readonly unknown[]>;
}

export interface MeterRequest {
  readonly agent: Agent;
  readonly cwd: string;
  readonly variables: Environment;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Its session, when that is known before it says so. */
  readonly session?: string | undefined;
  readonly openLog?: OpenUsageLog | undefined;
  /** What earlier runs in the same session used. */
  readonly usedBefore?: ((session: string) => Usage | undefined) | undefined;
  /** What it used so far; true ends it. */
  readonly onUsage?: ((usage: Usage) => boolean) | undefined;
}

export interface Metered {
  readonly usage?: Usage;
  readonly session?: string;
  readonly announced?: Announced;
}

export interface Meter {
  /** `undefined` for an agent whose output has nothing to read. */
  readonly onLine: LineWatcher | undefined;
  /** Never rejects. */
  end(end: Pick<ProcessEnd, 'stdout'>): Promise<Metered>;
}

/** How often a transcript is looked at while lines come in. */
const POLL_MS = 500;

export function openMeter(request: MeterRequest): Meter {
  const { agent, onUsage } = request;
  const spec = agent.oneshot?.output;
  const isJson = spec !== undefined && spec.format !== 'text';
  const output = new UsageReader(isJson ? spec : {});
  let session = request.session;
  let named: string | undefined;
  let log: { readonly reader: UsageReader; readonly source: UsageLog } | undefined;
  let isPolling = false;
  let polledAt = Number.NEGATIVE_INFINITY;

  const openLog = () => {
    if (log !== undefined || session === undefined) return;
    const { variables, cwd, startedAt } = request;
    const options = { home: variables.HOME ?? '', env: variables, cwd, startedAfterMs: startedAt, sessionId: session };
    const source = request.openLog?.(agent.name, options);
    if (source !== undefined) log = { source, reader: new UsageReader(source.spec) };
  };
  const poll = async () => {
    openLog();
    if (log !== undefined) for (const record of await log.source.poll()) log.reader.read(record);
  };
  const read = (line: string) => {
    const value = isJson ? parse(line) : undefined;
    if (value === undefined) return;
    output.read(value);
    // The first that it names counts, and only in the form of an id: a transcript is found by it.
    if (isJson) named ??= sessionIn(value, spec.session);
    if (named !== undefined && isSessionId(named)) session ??= named;
  };
  const current = (): Usage | undefined => {
    const before = session === undefined ? undefined : request.usedBefore?.(session);
    const logged = log === undefined ? undefined : minus(log.reader.usage(), before);
    const usage = output.hasTotal ? output.usage(before) : (logged ?? output.usage());
    return withPrice(usage, agent.price);
  };

  return {
    onLine: !isJson
      ? undefined
      : (line, stream) => {
          if (stream === 'stderr') return undefined;
          read(line);
          if (!isPolling && performance.now() - polledAt > POLL_MS) {
            isPolling = true;
            void poll().finally(() => {
              isPolling = false;
              polledAt = performance.now();
            });
          }
          const usage = current();
          return usage !== undefined && onUsage?.(usage) === true ? 'cap' : undefined;
        },
    end: async ({ stdout }) => {
      if (isJson && spec.format === 'json') read(stdout.text.slice(stdout.text.search(/[[{]/)));
      // Its last line has no end.
      else if (!stdout.text.endsWith('\n')) read(stdout.text.slice(stdout.text.lastIndexOf('\n') + 1));
      openLog();
      if (log !== undefined) for (const record of await log.source.finish()) log.reader.read(record);
      const usage = current();
      const announced = fuller(output.announced(), log?.reader.announced());
      return {
        ...(usage === undefined ? {} : { usage }),
        ...(session === undefined ? {} : { session }),
        ...(announced === undefined ? {} : { announced }),
      };
    },
  };
}

function fuller(one: Announced | undefined, other: Announced | undefined): Announced | undefined {
  return (one?.percent ?? -1) >= (other?.percent ?? -1) ? one : other;
}

function parse(line: string): unknown {
  const at = line.indexOf('{');
  if (at === -1) return undefined;
  try {
    return JSON.parse(line.slice(at));
  } catch {
    return undefined; // Another line of its output, or one that was cut.
  }
}
