// A host of a session on the scripted agent in tmux, as a process of its own that can be killed: the first one starts the
// agent, later ones take it over. Takes `{"id","text"}` lines on standard input; prints `{"queued":id}` once a text is
// stored and `{"ended":id,"outcome","proof"}` at its end.

import { createInterface } from 'node:readline';
import type { Interactive } from '../../src/kernel/agent.ts';
import { type DeliveryRecord, isEnded } from '../../src/kernel/delivery.ts';
import { openSession } from '../../src/sessions/session.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { makeLineMatcher } from '../../src/system/patterns/linear.ts';
import { openScreen } from '../../src/terminals/screen/screen.ts';
import { attachTmux, openTmux } from '../../src/terminals/tmux/tmux.ts';

interface Told {
  readonly store: string;
  readonly place: { readonly socket: string; readonly session: string };
  readonly interactive: Interactive;
  readonly cwd: string;
  readonly isFirst: boolean;
}

const told = JSON.parse(process.argv[2] ?? '{}') as Told;
const size = { cols: 100, rows: 30 };
const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', HOME: told.cwd };
const stores = await openSqliteStores(told.store);
const terminal = told.isFirst
  ? await openTmux({ command: told.interactive.command, cwd: told.cwd, env, size }, told.place)
  : await attachTmux(told.place, { hasBracketedPaste: true });
let count = 0;
const session = await openSession({
  id: 's1',
  agent: { name: 'tui', interactive: told.interactive },
  terminal,
  screen: await openScreen(size),
  match: makeLineMatcher(),
  clock: { now: () => Date.now(), wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
  stores,
  emit: async () => undefined,
  newId: (prefix) => `${prefix}_${process.pid}_${++count}`,
  rules: {
    stableMs: 300,
    personMs: 3000,
    submitDelayMs: told.interactive.submit.delayMs,
    readinessTimeoutMs: 30_000,
    retryBackoffs: [300, 600, 1200, 2400],
    fileFallbackAfterAttempts: 3,
    sendNotificationOnFailure: true,
  },
  queueSize: 1000,
  ackPatterns: [],
  onFault: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
});
const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const sayEnd = (one: DeliveryRecord): void => {
  if (isEnded(one)) say({ ended: one.id, outcome: one.outcome, proof: one.proof, reason: one.reason });
};
session.onDelivery(sayEnd);
// One that was killed between storing an end and telling it has told nobody.
for (const one of session.deliveries.all()) sayEnd(one);
if (!told.isFirst) await session.takeOver();
say({ up: terminal.pid });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, text } = JSON.parse(line) as { id: string; text: string };
  const record = await session.deliver({
    id,
    moment: 'prompt',
    priority: 'normal',
    text,
    ladder: ['typed'],
    required: 'submitted',
    deadlineMs: 120_000,
  });
  say({ queued: id });
  sayEnd(record);
}
