// A limit in a live session, and another agent in the same terminal: the person is shown the command, the other agent is given
// what happened and the last prompt, once, and the first one comes back with its draft.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Terminal } from '../../src/kernel/terminal.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { type OpenScreen, openScreen } from '../../src/terminals/screen/screen.ts';
import { IS_LONG } from '../scale.ts';
import { AGENTS, COMMAND, figure, RealField, textsWith, timesGiven, until } from './field.ts';

const SIZE = { cols: 120, rows: 40 };
const PROMPT = 'Fix the seventh door, please.';
const DRAFT = 'and then the window';
const PATIENCE_MS = 60_000;
const isOffered = AGENTS.includes('claude') && AGENTS.includes('codex');

let field: RealField | undefined;
let terminal: Terminal | undefined;
let screen: OpenScreen | undefined;
afterEach(async () => {
  await terminal?.end();
  screen?.close();
  await field?.leave();
  [field, terminal, screen] = [undefined, undefined, undefined];
});

interface Seated {
  readonly of: RealField;
  readonly opened: Terminal;
  readonly seen: () => string;
  readonly type: (keys: string) => Promise<void>;
  readonly isReady: (agent: string) => () => Promise<boolean>;
}

/** A person with claude in a terminal, and codex installed as well. */
async function sitDown(flags: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Seated> {
  const of = await RealField.make('claude', [], { beside: ['codex'] });
  field = of;
  const { project, terminalArgs } = of.scratch;
  // By default it tries again for minutes.
  const env = { ...of.scratch.env, CLAUDE_CODE_MAX_RETRIES: '1', ...more };
  const shown = await openScreen(SIZE);
  screen = shown;
  const seen = () => shown.read().lines.join('\n');
  const command: [string, ...string[]] = [
    process.execPath,
    COMMAND,
    'start',
    'claude',
    ...flags,
    '--',
    ...terminalArgs,
  ];
  const opened = await openPty({ command, cwd: project, env, size: SIZE });
  terminal = opened;
  opened.onOutput((bytes) => shown.feed(bytes));
  const type = async (keys: string) => {
    await opened.write(Buffer.from(keys));
    expect(await until(() => seen().includes(keys), 10_000), seen()).toBe(true);
    await sleep(400);
  };
  const isReady = (agent: string) => async () =>
    (await of.sessions()).some((one) => one.agent === agent && one.readiness === 'ready');
  expect(await until(isReady('claude'), PATIENCE_MS), seen()).toBe(true);
  return { of, opened, seen, type, isReady };
}

/** The person's prompt meets the limit, and the command is named. */
async function reachLimit({ of, opened, seen, type }: Seated): Promise<void> {
  of.model.standing({ kind: 'error', status: 429, body: 'quota' });
  await type(PROMPT);
  await opened.write(Buffer.from('\r'));
  const hint = async () => (await of.sessions()).map((one) => one.hint ?? '').join('');
  expect(await until(async () => (await hint()).includes('foreword switch'), PATIENCE_MS), seen()).toBe(true);
  expect(await hint()).toMatch(/^claude: limit.*foreword switch \w+ s[0-9a-f]{8}$/);
}

const switchedTo = (of: RealField) => of.turns().filter((turn) => textsWith(turn, 'PROVIDER SWITCH CONTEXT') > 0);

test.skipIf(!isOffered).each(IS_LONG ? [[[]], [['--tmux']]] : [[[]]])(
  'claude at its limit, then codex in the same terminal, and back %j',
  async (flags) => {
    const seated = await sitDown(flags);
    const { of, opened, seen, type, isReady } = seated;
    await reachLimit(seated);
    expect(await until(isReady('claude'), PATIENCE_MS), seen()).toBe(true);
    await type(DRAFT);
    of.model.standing({ kind: 'acknowledge' });

    const switchedAt = Date.now();
    const switched = await of.foreword('switch', 'codex');
    expect(switched.status, switched.stdout + switched.stderr).toBe(0);
    // In its composer, and not sent.
    expect(await until(() => seen().includes(`› ${PROMPT}`), PATIENCE_MS), seen()).toBe(true);
    figure('codex', 'switch to the prompt in its composer', Date.now() - switchedAt);
    await sleep(1500);
    const given = () => switchedTo(of);
    expect(given()).toHaveLength(0);
    await opened.write(Buffer.from('\r'));
    expect(await until(() => given().length > 0, PATIENCE_MS), seen()).toBe(true);
    expect(['Previous provider (claude) failed: limit', PROMPT].map((text) => timesGiven(given()[0], text))).toEqual([
      1, 1,
    ]);
    const codex = (await of.sessions()).find(({ agent }) => agent === 'codex')?.id;
    const isServed = async () => {
      const { receipts } = JSON.parse((await of.must('receipts', '--json')).stdout);
      return receipts.some(
        (one: { readonly session: string; readonly proof: string }) => one.session === codex && one.proof === 'served',
      );
    };
    expect(await until(isServed, PATIENCE_MS), (await of.must('receipts')).stdout).toBe(true);

    const back = await of.foreword('switch', 'claude');
    expect(back.status, back.stdout + back.stderr).toBe(0);
    expect(await until(() => seen().includes(DRAFT), PATIENCE_MS), seen()).toBe(true);
    expect(given()).toHaveLength(1);
    // With its next input, and only there, it hears of what happened meanwhile.
    await opened.write(Buffer.from('\r'));
    const isBack = (request: Parameters<typeof textsWith>[0]) => textsWith(request, 'While you waited') > 0;
    expect(await until(() => of.turns().some(isBack), PATIENCE_MS), seen()).toBe(true);
    const [first] = of.turns().filter(isBack);
    expect([DRAFT, 'While you waited, the person worked with codex'].map((text) => timesGiven(first, text))).toEqual([
      1, 1,
    ]);
  },
);

test.skipIf(!isOffered).each(IS_LONG ? [[[]], [['--tmux']]] : [[['--tmux']]])(
  'with sessions.switch: auto codex is sent the prompt that met the limit of claude, once %j',
  async (flags) => {
    const seated = await sitDown(flags, { FOREWORD_SESSIONS_SWITCH: 'auto' });
    const { of, seen } = seated;
    await reachLimit(seated);
    of.model.standing({ kind: 'acknowledge' });
    const switchedAt = Date.now();
    const switched = await of.foreword('switch', 'codex');
    expect(switched.status, switched.stdout + switched.stderr).toBe(0);
    expect(await until(() => switchedTo(of).length > 0, PATIENCE_MS), seen()).toBe(true);
    figure('codex', 'switch to the prompt sent', Date.now() - switchedAt);
    await sleep(3000);
    // Nobody pressed a key: the prompt came with the context, in one turn.
    expect(switchedTo(of).map((turn) => timesGiven(turn, PROMPT))).toEqual([1]);
    const receipts = async () => JSON.parse((await of.must('receipts', '--json')).stdout).receipts;
    const sent = async () => (await receipts()).find(({ moment }: { readonly moment: string }) => moment === 'switch');
    expect(await until(async () => (await sent())?.proof === 'served', PATIENCE_MS), seen()).toBe(true);
  },
);
