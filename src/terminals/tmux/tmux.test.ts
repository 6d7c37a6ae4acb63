import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/processes/processes.ts';
import type { Terminal } from '../../kernel/terminal.ts';
import { terminalContract } from '../contract.ts';
import { openPty } from '../pty/pty.ts';
import { findTmux } from './program.ts';
import { attachCommand, attachTmux, openTmux, reserveTmux } from './tmux.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreword-tmux-'));
let count = 0;
function nextPlace() {
  count += 1;
  return { socket: join(folder, `s${count}`), session: `ses_${count}` };
}
const hasTmux = (() => {
  try {
    return existsSync(findTmux({ path: process.env.PATH ?? '', cwd: '/' }));
  } catch {
    return false;
  }
})();

afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!hasTmux).concurrent(hasTmux ? 'tmux' : 'tmux, skipped: it is not installed', () => {
  for (const { name, run } of terminalContract) test(name, () => run((start) => openTmux(start, nextPlace())));
});

const START = {
  command: ['/bin/cat'],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  size: { cols: 80, rows: 24 },
} as const;

describe.skipIf(!hasTmux)(hasTmux ? 'a reserved pane' : 'a reserved pane, skipped: tmux is not installed', () => {
  const base = { ...START.env, LEFT: 'over', CHANGED: 'before', EMPTIED: 'full' };

  test('gives its agent exactly the environment that it is to have', async () => {
    const file = join(folder, 'env.json');
    const env = {
      ...START.env,
      CHANGED: 'after; "quoted" $HOME `x` \\ #{pane_id}\n second line ü',
      EMPTIED: '',
      'odd.name-': '--',
    };
    const reserved = await reserveTmux({ ...START, env: base }, nextPlace());
    const write = 'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.env))';
    const terminal = await reserved.run({ command: [process.execPath, '-e', write, file], env });
    await new Promise((resolve) => {
      terminal.onExit(resolve);
      terminal.onOutput(() => undefined);
    });
    const { TERM, TERM_PROGRAM, TERM_PROGRAM_VERSION, TMUX, TMUX_PANE, ...rest } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    expect({ TERM, TERM_PROGRAM }).toEqual({ TERM: 'screen-256color', TERM_PROGRAM: 'tmux' });
    expect(typeof TERM_PROGRAM_VERSION + typeof TMUX + typeof TMUX_PANE).toBe('stringstringstring');
    expect(rest).toEqual(env);
  });

  test('is gone when no agent comes, and stays when one did', async () => {
    const [empty, taken] = [nextPlace(), nextPlace()];
    await (await reserveTmux({ ...START, env: base }, empty)).end();
    await expect(attachTmux(empty)).rejects.toMatchObject({ code: 'session-gone' });
    const reserved = await reserveTmux({ ...START, env: base }, taken);
    const terminal = await reserved.run(START);
    await reserved.end();
    expect(existsSync(`/proc/${terminal.pid}`)).toBe(true);
    await terminal.end();
  });
});

describe.skipIf(!hasTmux)(hasTmux ? 'a person who attaches' : 'attaching, skipped: tmux is not installed', () => {
  const WHEEL_UP = '\u001b[<64;5;6M';

  /** Attached to this agent (JavaScript) once it wrote `ready`; `shown` is what came after that. */
  async function attached(agent: string, work: (outer: Terminal, shown: () => string) => Promise<void>): Promise<void> {
    const place = nextPlace();
    const inner = await openTmux({ ...START, command: [process.execPath, '-e', agent] }, place);
    const [program = '', ...args] = attachCommand(place);
    const outer = await openPty({
      ...START,
      command: [program, ...args],
      env: { ...START.env, TERM: 'xterm-256color' },
    });
    try {
      let all = '';
      outer.onOutput((bytes) => {
        all += Buffer.from(bytes).toString();
      });
      await until('it is attached', () => all.includes('ready'));
      const { length } = all;
      await work(outer, () => all.slice(length));
    } finally {
      await Promise.all([outer.end(500), inner.end(500)]);
    }
  }

  test('has the mouse in an agent that asks for it', async () => {
    const file = join(folder, 'mouse');
    const agent = `
      process.stdin.setRawMode(true).on('data', (bytes) => require('fs').appendFileSync(${JSON.stringify(file)}, bytes));
      process.stdout.write('\\x1b[?1000h\\x1b[?1006hready');`;
    await attached(agent, async (outer) => {
      await outer.write(Buffer.from(WHEEL_UP));
      await until('the agent has it', () => existsSync(file) && readFileSync(file, 'utf8').includes(WHEEL_UP));
    });
  });

  test('scrolls to what an agent wrote before that does not ask for the mouse', async () => {
    const agent = `
      for (let row = 1; row <= 100; row += 1) console.log('row ' + row + ' of it');
      process.stdout.write('ready');
      setInterval(() => undefined, 1000);`;
    await attached(agent, async (outer, shown) => {
      await outer.write(Buffer.from(WHEEL_UP.repeat(3)));
      await until('an earlier row is shown', () => shown().includes('row 70 of it'));
    });
  });
});

describe('a place for tmux', () => {
  test('is refused where others can reach it', async () => {
    const open = mkdtempSync(join(tmpdir(), 'foreword-tmux-open-'));
    chmodSync(open, 0o755);
    try {
      await expect(openTmux(START, { socket: join(open, 's'), session: 'x' })).rejects.toMatchObject({
        code: 'bad-usage',
        hint: `Make the folder private: chmod 700 ${open}`,
      });
    } finally {
      rmSync(open, { recursive: true });
    }
  });

  test.each(['', 'a:b', 'a.b', 'a b', '#{x}', '-'.repeat(81)])('is refused with the name %j', async (session) => {
    await expect(openTmux(START, { socket: join(folder, 's'), session })).rejects.toMatchObject({ code: 'bad-usage' });
  });

  test('is refused when its path is longer than a socket’s can be', async () => {
    const socket = join(folder, 'x'.repeat(100));
    await expect(openTmux(START, { socket, session: 'x' })).rejects.toMatchObject({ code: 'bad-usage' });
  });
});

describe('without a tmux that will do', () => {
  test('the error names what to install', () => {
    expect(() => findTmux({ path: '/nowhere', cwd: '/' }, '/nowhere/else')).toThrow(
      expect.objectContaining({ code: 'missing-program', hint: expect.stringContaining('Install tmux 3.2') }),
    );
  });

  test.each([
    ['tmux 2.9a', true],
    ['tmux 3.1c', true],
    ['tmux 1.8', true],
  ])('%s is refused as too old', async (version) => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(bin, 'tmux'), `#!/bin/sh\necho "${version}"\n`, { mode: 0o755 });
    const start = { ...START, env: { PATH: bin } };
    await expect(openTmux(start, nextPlace())).rejects.toMatchObject({
      code: 'missing-program',
      message: `${join(bin, 'tmux')} is too old: its version is ${version}.`,
    });
  });
});
