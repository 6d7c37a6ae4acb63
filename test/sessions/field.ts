// A session on the scripted terminal agent, in this process: the real PTY, screen and machinery, a store in memory. What
// happened is read from the agent's own log.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryRecord } from '../../src/kernel/delivery.ts';
import type { NewEvent } from '../../src/kernel/events.ts';
import type { Stores } from '../../src/kernel/stores.ts';
import type { NewDelivery } from '../../src/sessions/delivery/record.ts';
import { makePersonKeys, type PersonKeys } from '../../src/sessions/person-keys.ts';
import { openSession, type Session } from '../../src/sessions/session.ts';
import { memoryStores } from '../../src/stores/memory.ts';
import { makeLineMatcher } from '../../src/system/patterns/linear.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { openScreen } from '../../src/terminals/screen/screen.ts';
import { type Entry, type Profile, readLog, tuiInteractive } from '../agents/tui-log.ts';
import { type Oracle, type OracleOptions, oracle } from '../agents/tui-oracle.ts';

export const PROFILES: readonly Profile[] = ['boxed', 'plain', 'shell', 'alternate'];
const SIZE = { cols: 100, rows: 30 };

export interface SessionField {
  readonly session: Session;
  readonly stores: Stores;
  readonly events: readonly NewEvent[];
  readonly keys: PersonKeys;
  readonly pid: number;
  deliver(given: Partial<NewDelivery> & Pick<NewDelivery, 'id'>): Promise<DeliveryRecord>;
  log(): readonly Entry[];
  seen(options?: OracleOptions): Oracle;
  leave(): Promise<void>;
}

export async function sessionField(
  profile: Profile,
  script: Readonly<Record<string, unknown>>,
  more: {
    readonly submitDelayMs?: number;
    readonly personMs?: number;
    readonly retryBackoffs?: readonly number[];
  } = {},
): Promise<SessionField> {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-session-'));
  const log = join(folder, 'log.jsonl');
  const interactive = tuiInteractive({ profile, log, script, submitDelayMs: more.submitDelayMs ?? 300 });
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', HOME: folder };
  const terminal = await openPty({ command: interactive.command, cwd: folder, env, size: SIZE });
  const stores = memoryStores();
  const events: NewEvent[] = [];
  const faults: unknown[] = [];
  const keys = makePersonKeys({
    now: () => Date.now(),
    forward: (bytes) => void terminal.write(bytes).catch(() => undefined),
  });
  let count = 0;
  const session = await openSession({
    id: 's1',
    agent: { name: 'tui', interactive },
    terminal,
    screen: await openScreen(SIZE),
    match: makeLineMatcher(),
    clock: { now: () => Date.now(), wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
    stores,
    emit: async (event) => void events.push(event),
    newId: (prefix) => `${prefix}_${++count}`,
    rules: {
      stableMs: 300,
      personMs: more.personMs ?? 3000,
      submitDelayMs: interactive.submit.delayMs,
      readinessTimeoutMs: 30_000,
      retryBackoffs: more.retryBackoffs ?? [1000, 2000, 5000, 10_000],
      fileFallbackAfterAttempts: 3,
      sendNotificationOnFailure: true,
    },
    version: { isMeasured: true },
    isUnused: true,
    queueSize: 100,
    ackPatterns: [],
    personAt: async () => keys.at,
    holdKeys: keys.hold,
    onFault: (error) => faults.push(error),
  });
  return {
    session,
    stores,
    events,
    keys,
    pid: terminal.pid,
    deliver: (given) =>
      session.deliver({
        moment: 'prompt',
        priority: 'normal',
        text: `Read this, ${given.id}.\nIt has two lines.`,
        ladder: ['typed'],
        required: 'submitted',
        ...given,
      }),
    log: () => readLog(log),
    seen: (options) => oracle(readLog(log), options),
    leave: async () => {
      await session.close();
      await terminal.end(300);
      rmSync(folder, { recursive: true });
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** Runs `count` pieces of work, so many at a time. */
export async function inParallel(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}
