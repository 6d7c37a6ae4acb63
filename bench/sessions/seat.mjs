// The scripted terminal agent in a PTY, with and without a session of ours on it, in this process. What happened is read
// from the agent's own log. Stores are one SQLite file, as in a project, so that durable commits count.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importSource } from '../../scripts/import-source.mjs';

const SIZE = { cols: 100, rows: 30 };
const PROGRAM = join(import.meta.dirname, '../../test/agents/tui.mjs');
const SUBMIT_DELAY_MS = 300;

const { openPty } = await importSource('src/terminals/pty/pty.ts');
const { openScreen } = await importSource('src/terminals/screen/screen.ts');
const { openSession } = await importSource('src/sessions/session.ts');
const { makeLineMatcher } = await importSource('src/system/patterns/linear.ts');
const { openSqliteStores } = await importSource('src/stores/sqlite/open.ts');
const { typedText } = await importSource('src/context/texts/delivery-text.ts');
const { tuiInteractive, readLog, oracle } = await importSource('test/agents/tui-log.ts');

export const PROFILES = ['boxed', 'plain', 'shell', 'alternate'];

export async function openField() {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
  const stores = await openSqliteStores(join(folder, 'store.db'));
  let count = 0;
  return {
    folder,
    stores,
    next: () => ++count,
    close: async () => {
      await stores.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts the agent; `launchedAt` is on the clock of its log. */
export async function takeSeat(field, profile, script) {
  const folder = join(field.folder, `seat-${field.next()}`);
  mkdirSync(folder);
  const log = join(folder, 'log.jsonl');
  const described = tuiInteractive({ profile, log, script, submitDelayMs: SUBMIT_DELAY_MS });
  // Bundled, the description does not know where the program is.
  const [node, , ...args] = described.command;
  const interactive = { ...described, command: [node, PROGRAM, ...args] };
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', HOME: folder };
  const launchedAt = Date.now();
  const terminal = await openPty({ command: interactive.command, cwd: folder, env, size: SIZE });
  let hasEnded = false;
  return {
    interactive,
    terminal,
    launchedAt,
    submitDelayMs: SUBMIT_DELAY_MS,
    log: () => readLog(log),
    seen: (options) => oracle(readLog(log), options),
    /** Resolves with whether `isSo` came true. */
    until: async (isSo, limitMs) => {
      for (const from = performance.now(); performance.now() - from < limitMs; await sleep(50)) {
        if (isSo(readLog(log))) return true;
      }
      return isSo(readLog(log));
    },
    leave: async () => {
      if (hasEnded) return;
      hasEnded = true;
      await terminal.end(300);
    },
  };
}

/** A session of ours on the agent, with the settings a user has who set none. */
export async function openOn(field, seat) {
  const faults = [];
  const { terminal, interactive } = seat;
  const session = await openSession({
    id: `s${field.next()}`,
    agent: { name: 'tui', interactive },
    terminal,
    screen: await openScreen(SIZE),
    match: makeLineMatcher(),
    clock: { now: () => Date.now(), wait: sleep },
    stores: field.stores,
    emit: async (event) => {
      await field.stores.journal.append({ id: `e${field.next()}`, at: new Date().toISOString(), ...event });
    },
    newId: (prefix) => `${prefix}_${field.next()}`,
    rules: {
      stableMs: 300,
      personMs: 3000,
      submitDelayMs: interactive.submit.delayMs,
      readinessTimeoutMs: 30_000,
      retryBackoffs: [1000, 2000, 5000, 10_000, 30_000],
      fileFallbackAfterAttempts: 3,
      sendNotificationOnFailure: true,
    },
    version: { isMeasured: true },
    isUnused: true,
    queueSize: 100,
    ackPatterns: [],
    onFault: (error) => faults.push(error),
  });
  return {
    /** Resolves when the text was submitted or given up. */
    deliver: async (id, text) => {
      const about = { moment: 'session-start', priority: 'startup', ladder: ['typed'], required: 'submitted' };
      await session.deliver({ id, text, ...about, deadlineMs: 60_000 });
      return session.wait(id, 'submitted');
    },
    close: async () => {
      await session.close();
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** A startup context of about 1 KB, and what of it is typed. */
export function contextFor(id) {
  const lines = Array.from(
    { length: 14 },
    (_, index) => `- fact ${index}: a line of a context, as long as such lines are`,
  );
  const text = `## Where the last session ended\n\n${lines.join('\n')}\n\nNext: mend what is red.`;
  return { text, typed: typedText({ id, text }) };
}

/** So many at a time, in order. */
export async function inParallel(works, atOnce) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < works.length) {
      const index = next++;
      results[index] = await works[index]();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, works.length) }, worker));
  return results;
}
