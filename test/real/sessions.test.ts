// Live sessions with the real agents: what `start` and `send` claim about a delivery is what the model was given, once and
// whole, and a question of the agent is left to a person.

import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import { scaled } from '../scale.ts';
import { figure, RealField, textsWith, timesGiven, until } from './field.ts';
import { eachAgent } from './offered.ts';

const KILOBYTES = 8;
const PIECE_MS = 400;
const PIECES = Array.from({ length: 15 }, (_, index) => `piece-${index} of a long answer. `);
const QUIET_MS = 5000;
const STEADY_MS = 2000;
const PATIENCE_MS = 60_000;
/** The keys by which a person trusts the folder. */
const YES: Readonly<Record<string, readonly string[]>> = {
  claude: ['Down', 'Enter'],
  codex: ['Enter'],
  gemini: ['Enter'],
  qwen: ['Enter'],
};

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent('%s acknowledges its startup context, which its model was given in one text', async (name) => {
  field = await RealField.make(name);
  const { ran, ms } = await field.start('--wait', 'acknowledged');
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  await expectStartup(field);
  figure(name, 'start to acknowledged', ms);
});

eachAgent('%s acknowledges its startup context when that is typed', async (name) => {
  field = await RealField.make(name);
  const { ran, ms } = await field.start('--wait', 'acknowledged', '--channel', 'typed');
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const receipt = await expectStartup(field);
  expect(receipt.channel).toBe('typed');
  figure(name, 'start, typed, to acknowledged', ms);
});

eachAgent('%s: what a hook says with the first prompt is proved by what the agent writes down', async (name) => {
  field = await RealField.make(name);
  const { id, ran } = await field.start('--channel', 'hook');
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  await field.must('send', id, 'The first prompt.', '--wait', 'served');
  const startup = async () => {
    const { receipts } = JSON.parse((await field?.must('receipts', '--json'))?.stdout ?? '{}');
    return receipts.find(({ moment }: { readonly moment: string }) => moment === 'session-start');
  };
  expect(await until(async () => (await startup()) !== undefined, 60_000), JSON.stringify(await field.sessions())).toBe(
    true,
  );
  const receipt = await startup();
  expect(receipt).toMatchObject({ outcome: 'delivered' });
  expect(['submitted', 'served', 'acknowledged']).toContain(receipt.proof);
  // Some write it down a moment before they ask the model.
  const { model } = field;
  expect(
    await model.waitFor((request) => request.isMain && textsWith(request, receipt.id) === 1, 20_000),
  ).toBeDefined();
});

const STARTS = scaled(20);

eachAgent(
  '%s with installed hooks beside those of its launch is told its startup context once, at every start',
  async (name) => {
    field = await RealField.make(name);
    await field.must('init', '--yes', '--agents', name);
    const told: number[] = [];
    // Else an agent whose hooks a person must agree to asks about them.
    const args = [...(field.recipe.vouchArgs ?? []), ...field.scratch.terminalArgs];
    for (let start = 0; start < STARTS; start += 1) {
      const { id, ran } = await field.startWith(args, ['--channel', 'hook']);
      expect(ran.status, ran.stdout + ran.stderr).toBe(0);
      await field.must('send', id, `The first prompt of start ${start}.`, '--wait', 'served');
      told.push(timesGiven(field.turns().at(-1), 'register the route'));
      await field.endSessions();
    }
    expect(told).toEqual(Array.from({ length: STARTS }, () => 1));
  },
);

eachAgent('%s: a text that is sent is served once, after an answer that is still coming, not into it', async (name) => {
  field = await RealField.make(name);
  const { id, ran } = await field.start('--wait', 'acknowledged');
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const { model } = field;
  field.next({ kind: 'stream', pieces: PIECES, delayMs: PIECE_MS });
  const sentAt = Date.now();
  const first = await field.must('send', id, 'Tell me at length, please.', '--wait', 'served');
  figure(name, 'send to served', Date.now() - sentAt);
  const long = await model.waitFor((request) => request.isMain && textsWith(request, deliveryIn(first)) > 0, 10_000);
  expect(long?.status ?? 200).toBe(200);
  // The answer is on its way for some seconds yet.
  const second = await field.must('send', id, 'And a second text.', '--wait', 'served');
  const next = await model.waitFor((request) => request.isMain && textsWith(request, deliveryIn(second)) > 0, 10_000);
  expect(long?.aborted ?? false).toBe(false);
  expect((next?.at ?? 0) - (long?.at ?? 0)).toBeGreaterThanOrEqual(PIECES.length * PIECE_MS);
  expect(next?.texts.some(({ role, text }) => role === 'assistant' && text.includes('piece-14'))).toBe(true);
  expect(textsWith(next, deliveryIn(first))).toBe(1);
  expect(textsWith(next, deliveryIn(second))).toBe(1);
  // Nothing follows: neither an Enter too many nor a second try.
  const turns = field.turns().length;
  await sleep(QUIET_MS);
  expect(field.turns()).toHaveLength(turns);
});

eachAgent('%s: eight kilobytes arrive whole and once', async (name) => {
  field = await RealField.make(name);
  const { id, ran } = await field.start('--wait', 'acknowledged');
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const text = longText();
  expect(Buffer.byteLength(text)).toBe(KILOBYTES * 1024);
  const sentAt = Date.now();
  const sent = await field.must('send', id, text, '--wait', 'served');
  figure(name, '8 KiB sent to served', Date.now() - sentAt);
  // An agent writes down what it was given before it asks its model.
  await field.model.waitFor((request) => request.isMain && textsWith(request, deliveryIn(sent)) > 0, 10_000);
  const found = field.turns().filter((turn) => textsWith(turn, deliveryIn(sent)) > 0);
  expect(found).toHaveLength(1);
  const given = found[0]?.texts.filter(({ role }) => role !== 'assistant').map((entry) => entry.text) ?? [];
  expect(normal(given.join('\n')).split(normal(text))).toHaveLength(2);
});

eachAgent(
  '%s: the question whether a folder is trusted is left alone, and no model is given anything before a person answered',
  async (name) => {
    field = await RealField.make(name, ['trust']);
    await field.start();
    const asked = async () =>
      (await field?.sessions())?.[0]?.waiting.some(({ reason }) => reason === 'dialog: trust folder');
    expect(await until(async () => (await asked()) === true, 60_000), JSON.stringify(await field.sessions())).toBe(
      true,
    );
    const [session = expect.fail()] = await field.sessions();
    const shown = await steadyScreen(session);
    await sleep(QUIET_MS);
    // The choice is where it was, nothing was typed, and the agent still waits.
    expect(screenOf(session)).toBe(shown);
    expect(await asked()).toBe(true);
    expect(isAlive(session.agentPid)).toBe(true);
    expect(field.turns()).toEqual([]);
    const keys = YES[name];
    if (keys === undefined) return;
    for (const key of keys) pressKey(session, key);
    const given = await field.model.waitFor((request) => timesGiven(request, 'register the route') > 0, PATIENCE_MS);
    expect(timesGiven(given, 'register the route'), screenOf(session)).toBe(1);
    await sleep(QUIET_MS);
    // One that restarts after the answer does not run it twice.
    expect(field.turns().map((turn) => timesGiven(turn, 'register the route'))).toEqual([1]);
  },
  'trust',
);

/** The startup context's receipt, after a look at what the model was given. */
async function expectStartup(of: RealField): Promise<{ readonly channel: string }> {
  const { receipts } = JSON.parse((await of.must('receipts', '--json')).stdout);
  expect(receipts).toHaveLength(1);
  const [receipt] = receipts;
  expect(receipt).toMatchObject({ moment: 'session-start', proof: 'acknowledged', outcome: 'delivered' });
  const turns = of.turns();
  expect(turns).toHaveLength(1);
  expect(textsWith(turns[0], receipt.id)).toBe(1);
  expect(turns[0]?.texts.find(({ text }) => text.includes(receipt.id))?.role).toBe('user');
  expect(timesGiven(turns[0], 'register the route')).toBe(1);
  return receipt;
}

function deliveryIn(ran: { readonly stdout: string }): string {
  return /fw_[0-9a-f]{12}/.exec(ran.stdout)?.[0] ?? expect.fail(ran.stdout);
}

function longText(): string {
  const lines = Array.from(
    { length: 200 },
    (_, index) => `${index}: the quick brown fox jumps over the lazy dog — größer`,
  );
  let text = lines.join('\n');
  while (Buffer.byteLength(text) > KILOBYTES * 1024 - 6) text = text.slice(0, -1);
  text = text.trimEnd();
  return `${text}${'.'.repeat(KILOBYTES * 1024 - Buffer.byteLength(text))}`;
}

function normal(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function screenOf({ tmux }: { readonly tmux?: { readonly socket: string; readonly session: string } }): string {
  if (tmux === undefined) return expect.fail();
  return execFileSync('tmux', ['-S', tmux.socket, 'capture-pane', '-p', '-t', tmux.session], { encoding: 'utf8' });
}

function pressKey({ tmux }: Parameters<typeof screenOf>[0], key: string): void {
  execFileSync('tmux', ['-S', tmux?.socket ?? '', 'send-keys', '-t', tmux?.session ?? '', key]);
}

/** The screen once nothing was added to it for a while: a notice may still come above the question. */
async function steadyScreen(session: Parameters<typeof screenOf>[0]): Promise<string> {
  let shown = '';
  const isSteady = async () => {
    shown = screenOf(session);
    await sleep(STEADY_MS);
    return screenOf(session) === shown;
  };
  expect(await until(isSteady, 30_000), shown).toBe(true);
  return shown;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
