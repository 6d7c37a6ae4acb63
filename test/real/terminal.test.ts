// A person at a terminal: `foreword start AGENT` in a PTY, the first prompt typed by hand. The startup context reaches the
// model once, beside the person's words and not instead of them, and the agent ends with its terminal.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Terminal } from '../../src/core/terminal.ts';
import { openPty } from '../../src/terminals/pty.ts';
import { type OpenScreen, openScreen } from '../../src/terminals/screen.ts';
import { AGENTS, COMMAND, figure, RealField, textsWith, timesGiven, until } from './field.ts';

const SIZE = { cols: 120, rows: 40 };
const PROMPT = 'Good morning from the keys.';

let field: RealField | undefined;
let terminal: Terminal | undefined;
let screen: OpenScreen | undefined;
afterEach(async () => {
  await terminal?.end();
  screen?.close();
  await field?.leave();
  [field, terminal, screen] = [undefined, undefined, undefined];
});

test.each(AGENTS)(
  '%s in a terminal is given the startup context once, beside the first prompt of a person',
  async (name) => {
    field = await RealField.make(name);
    const { env, project, terminalArgs } = field.scratch;
    const shown = await openScreen(SIZE);
    screen = shown;
    const startedAt = Date.now();
    const opened = await openPty({
      command: [process.execPath, COMMAND, 'start', name, '--', ...terminalArgs],
      cwd: project,
      env,
      size: SIZE,
    });
    terminal = opened;
    opened.onOutput((bytes) => shown.feed(bytes));
    const seen = () => shown.read().lines.join('\n');
    const isReady = async () => (await field?.sessions())?.[0]?.readiness === 'ready';
    expect(await until(isReady, 60_000), seen()).toBe(true);
    figure(name, 'in a terminal, start to ready', Date.now() - startedAt);

    await opened.write(Buffer.from(PROMPT));
    expect(await until(() => seen().includes(PROMPT), 10_000), seen()).toBe(true);
    await sleep(300);
    await opened.write(Buffer.from('\r'));
    const turn = await field.model.waitFor((request) => request.isMain && textsWith(request, PROMPT) > 0, 30_000);
    expect(timesGiven(turn, PROMPT), seen()).toBe(1);
    const startup = async () => JSON.parse((await field?.must('receipts', '--json'))?.stdout ?? '{}').receipts?.[0];
    expect(await until(async () => (await startup())?.outcome === 'delivered', 60_000), seen()).toBe(true);
    figure(name, 'in a terminal, start to served', Date.now() - startedAt);
    // By its hook, where an agent takes one for a launch, it stands beside the person's words; otherwise it is the prompt
    // of the launch, which a quick person may overtake.
    const { id, channel } = await startup();
    const last = channel === 'hook' ? turn : field.turns().at(-1);
    expect([PROMPT, 'register the route'].map((text) => timesGiven(last, text))).toEqual([1, 1]);
    expect(textsWith(last, id)).toBe(1);
    expect(channel).toBe(name === 'gemini' ? 'flag' : 'hook');
  },
);
