// A person at a terminal: `foreword start AGENT` in a PTY. The startup context reaches the model once, beside the first
// prompt of the person and not instead of it; typed, it comes before a person has said anything, and is acknowledged.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { LabQuestion } from '../../src/kernel/agent-lab.ts';
import type { Terminal } from '../../src/kernel/terminal.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { type OpenScreen, openScreen } from '../../src/terminals/screen/screen.ts';
import {
  AGENTS,
  COMMAND,
  calling,
  figure,
  RealField,
  takesLaunchHooks,
  textsWith,
  timesGiven,
  until,
} from './field.ts';
import { eachAgent } from './offered.ts';

const SIZE = { cols: 120, rows: 40 };
const PROMPT = 'Good morning from the keys.';
const QUIET_MS = 3000;
/** Without network OpenCode took 26 s to 56 s until it acknowledged, the latter on a busy machine. */
const PATIENCE_MS = 120_000;

let field: RealField | undefined;
let terminal: Terminal | undefined;
let screen: OpenScreen | undefined;
afterEach(async () => {
  await terminal?.end();
  screen?.close();
  await field?.leave();
  [field, terminal, screen] = [undefined, undefined, undefined];
});

eachAgent('%s in a terminal is given the startup context once, beside the first prompt of a person', async (name) => {
  const { of, seen, opened, startedAt } = await sitDown({ name });
  const isReady = async () => (await of.sessions())[0]?.readiness === 'ready';
  expect(await until(isReady, PATIENCE_MS), seen()).toBe(true);
  figure(name, 'in a terminal, start to ready', Date.now() - startedAt);

  await opened.write(Buffer.from(PROMPT));
  expect(await until(() => seen().includes(PROMPT), 10_000), seen()).toBe(true);
  await sleep(300);
  await opened.write(Buffer.from('\r'));
  const turn = await of.model.waitFor((request) => request.isMain && textsWith(request, PROMPT) > 0, 30_000);
  expect(timesGiven(turn, PROMPT), seen()).toBe(1);
  expect(await until(async () => (await startupOf(of))?.outcome === 'delivered', PATIENCE_MS), seen()).toBe(true);
  figure(name, 'in a terminal, start to served', (turn?.at ?? 0) - startedAt);
  // The turn of the person's own prompt brings it along, and none was spent on it before.
  const { id, channel } = (await startupOf(of)) ?? expect.fail();
  expect([PROMPT, 'register the route'].map((text) => timesGiven(turn, text))).toEqual([1, 1]);
  expect(textsWith(turn, id)).toBe(1);
  expect(of.turns()).toHaveLength(1);
  expect(channel).toBe(takesLaunchHooks(name) ? 'hook' : 'flag');
});

test.each(AGENTS.filter((name) => !takesLaunchHooks(name)))(
  '%s in a terminal is given nothing before a person said that the folder is trusted, and then no turn of ours',
  async (name) => {
    const { of, seen, opened } = await sitDown({ name, asks: ['trust'] });
    const isAsked = async () => seen().includes('Do you trust the files in this folder');
    expect(await until(isAsked, PATIENCE_MS), seen()).toBe(true);
    await sleep(QUIET_MS);
    expect(of.model.requests()).toEqual([]);
    await opened.write(Buffer.from('\r'));
    const isReady = async () => !(await isAsked()) && (await of.sessions())[0]?.readiness === 'ready';
    expect(await until(isReady, PATIENCE_MS), seen()).toBe(true);
    await sleep(QUIET_MS);
    expect(of.turns()).toEqual([]);
    await opened.write(Buffer.from(PROMPT));
    expect(await until(() => seen().includes(PROMPT), 10_000), seen()).toBe(true);
    await sleep(300);
    await opened.write(Buffer.from('\r'));
    const turn = await of.model.waitFor((request) => request.isMain && textsWith(request, PROMPT) > 0, 30_000);
    expect(
      [PROMPT, 'register the route'].map((text) => timesGiven(turn, text)),
      seen(),
    ).toEqual([1, 1]);
    expect(await until(async () => (await startupOf(of))?.proof === 'served', PATIENCE_MS), seen()).toBe(true);
    expect(of.turns()).toHaveLength(1);
  },
);

/** It removes every file of a session that has one without messages, and an import leaves such a second file. */
test.each(AGENTS.filter((name) => name === 'gemini'))(
  '%s keeps a conversation that began without hooks when it cleans up, and the next session is told of it',
  async (name) => {
    const { of, seen, opened } = await sitDown({ name });
    const isReady = async () => (await of.sessions())[0]?.readiness === 'ready';
    expect(await until(isReady, PATIENCE_MS), seen()).toBe(true);
    of.next(calling(of.recipe.fileCall(join(of.scratch.project, 'made.txt'), 'made')));
    await opened.write(Buffer.from(PROMPT));
    expect(await until(() => seen().includes(PROMPT), 10_000), seen()).toBe(true);
    await sleep(300);
    await opened.write(Buffer.from('\r'));
    expect(await until(() => of.turns().length >= 2, PATIENCE_MS), seen()).toBe(true);
    expect(await until(async () => (await startupOf(of))?.outcome === 'delivered', PATIENCE_MS), seen()).toBe(true);
    await of.endSessions();
    const chats = () =>
      readdirSync(join(of.scratch.home, '.gemini/tmp'), { recursive: true, encoding: 'utf8' })
        .filter((path) => /chats\/session-.*\.jsonl$/.test(path))
        .map((path) => readFileSync(join(of.scratch.home, '.gemini/tmp', path), 'utf8'));
    expect(chats().map((text) => text.includes(PROMPT))).toEqual([true]);
    expect((await of.must('load')).stdout).toContain('Edited: made.txt');
    await of.oneshot('Good evening.');
    expect(chats().some((text) => text.includes(PROMPT))).toBe(true);
  },
);

eachAgent('%s in a terminal acknowledges the startup context that was typed into it', async (name) => {
  const { of, seen, startedAt } = await sitDown({ name }, '--channel', 'typed');
  const isAcknowledged = async () => (await startupOf(of))?.proof === 'acknowledged';
  expect(await until(isAcknowledged, PATIENCE_MS), seen()).toBe(true);
  figure(name, 'in a terminal, typed, start to acknowledged', Date.now() - startedAt);
  const { id, channel, outcome } = (await startupOf(of)) ?? expect.fail();
  expect({ channel, outcome }).toEqual({ channel: 'typed', outcome: 'delivered' });
  await sleep(QUIET_MS);
  expect(of.turns().map((turn) => [textsWith(turn, id), timesGiven(turn, 'register the route')])).toEqual([[1, 1]]);
});

async function sitDown(
  { name, asks = [] }: { readonly name: string; readonly asks?: readonly LabQuestion[] },
  ...flags: string[]
) {
  const of = await RealField.make(name, asks);
  field = of;
  const { env, project, terminalArgs } = of.scratch;
  const shown = await openScreen(SIZE);
  screen = shown;
  const startedAt = Date.now();
  const command: [string, ...string[]] = [process.execPath, COMMAND, 'start', name, ...flags, '--', ...terminalArgs];
  const opened = await openPty({ command, cwd: project, env, size: SIZE });
  terminal = opened;
  opened.onOutput((bytes) => shown.feed(bytes));
  return { of, opened, startedAt, seen: () => shown.read().lines.join('\n') };
}

interface StartupReceipt {
  readonly id: string;
  readonly channel: string;
  readonly proof: string;
  readonly outcome: string;
}

async function startupOf(of: RealField): Promise<StartupReceipt | undefined> {
  return JSON.parse((await of.must('receipts', '--json')).stdout).receipts[0];
}
