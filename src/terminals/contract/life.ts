// How an agent begins in a terminal, and how it is ended.

import assert from 'node:assert/strict';
import { isForewordError } from '../../kernel/errors.ts';
import { startOf, startOfLiving } from '../../system/processes/process-table.ts';
import { ENV, isAlive, nodeProgram, SIZE, shell, terminalCase, using } from './bench.ts';

const SHOW =
  'const { argv, env } = process; process.stdout.write("@" + JSON.stringify({ args: argv.slice(1), env, cwd: process.cwd(), isTty: process.stdin.isTTY && process.stdout.isTTY }) + "@")';
/** A terminal must have the first; the others are tmux's. */
const OF_TERMINALS = ['TERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'TMUX', 'TMUX_PANE'];

export const lifeContract = [
  terminalCase('a program gets its arguments, folder and environment, and nothing else', async (open) => {
    const args = [
      'plain',
      '-t',
      '--',
      'a;',
      ';',
      'x\\;',
      '$(id)',
      '`id`',
      '#{pane_id}',
      '#',
      'é😀',
      'two\nlines',
      '"quoted" \'so\'',
      '',
      ' ',
      '~',
      '%0',
    ];
    const env = {
      ...ENV,
      SHELL: '/bin/some-shell',
      EMPTY: '',
      WITH_EQUALS: 'a=b=c',
      'odd.name-here': 'kept',
      LINES_IN: 'a\nb',
      SECRET: 's'.repeat(20_000),
    };
    await using(
      open,
      nodeProgram(SHOW, '--', ...args),
      async ({ report }) => {
        const seen = (await report()) as { args: string[]; env: Record<string, string>; cwd: string; isTty: boolean };
        assert.deepEqual(seen.args, args);
        assert.equal(seen.cwd, '/usr');
        assert.equal(seen.isTty, true);
        assert.deepEqual(without(seen.env, OF_TERMINALS), without(env, OF_TERMINALS));
        assert.match(seen.env.TERM ?? '', /256color/);
      },
      { cwd: '/usr', env },
    );
  }),

  terminalCase('a program without arguments is started as it is', (open) =>
    using(open, ['/bin/cat'], async ({ terminal, until }) => {
      await terminal.write(Buffer.from('hello\r'));
      await until('hello');
    }),
  ),

  terminalCase('a long argument arrives whole', (open) =>
    using(
      open,
      nodeProgram(
        'process.stdout.write("@" + JSON.stringify({ length: process.argv[1].length }) + "@")',
        'x'.repeat(60_000),
      ),
      async ({ report }) => {
        assert.deepEqual(await report(), { length: 60_000 });
      },
    ),
  ),

  terminalCase('a program or folder that is not there is refused before anything is started', async (open) => {
    const start = { command: ['/bin/cat'] as const, cwd: '/', env: ENV, size: SIZE };
    await assert.rejects(open({ ...start, command: ['/no/such/program'] }), codeIs('missing-program'));
    await assert.rejects(open({ ...start, command: ['cat'] }), codeIs('missing-program'));
    await assert.rejects(open({ ...start, command: ['/usr/bin'] }), codeIs('missing-program'));
    await assert.rejects(open({ ...start, cwd: '/no/such/folder' }), codeIs('bad-usage'));
    await assert.rejects(open({ ...start, command: ['/bin/cat', 'zero\0'] }), codeIs('bad-usage'));
  }),

  terminalCase('a program that heeds TERM ends by it', (open) =>
    using(
      open,
      shell('trap "exit 9" TERM; printf ready; while :; do sleep 0.05; done'),
      async ({ terminal, until, exit }) => {
        await until('ready');
        await terminal.end();
        assert.deepEqual(await exit, { status: 9 });
        assert.equal(isAlive(terminal.pid), false);
        await terminal.end();
      },
    ),
  ),

  terminalCase('a program that ignores TERM is gone after the time it was given', (open) =>
    using(
      open,
      shell('trap "" TERM HUP; printf ready; while :; do sleep 0.05; done'),
      async ({ terminal, until, exit }) => {
        await until('ready');
        const startedAt = performance.now();
        await terminal.end(300);
        assert.ok(performance.now() - startedAt >= 290);
        assert.deepEqual(await exit, { status: 137 });
        assert.equal(isAlive(terminal.pid), false);
      },
    ),
  ),

  terminalCase('what a program started has the same time to tidy up, and is gone with it', (open) =>
    using(open, shell(`${child('sleep 0.4; exit')} & wait`), async ({ terminal, report }) => {
      const { pid } = await report();
      const startedAt = performance.now();
      await terminal.end();
      assert.ok(performance.now() - startedAt >= 390);
      assert.equal(isRunning(Number(pid)), false);
    }),
  ),

  terminalCase('what a program started and ignores TERM is gone after the time it was given', (open) =>
    using(open, shell(`${child('')} & wait`), async ({ terminal, report }) => {
      const { pid } = await report();
      const startedAt = performance.now();
      await terminal.end(300);
      assert.ok(performance.now() - startedAt >= 290);
      assert.equal(isRunning(Number(pid)), false);
    }),
  ),

  terminalCase('a program is ended although nobody reads what it writes', (open) =>
    using(open, shell('printf ready; while :; do echo flood; done'), async ({ terminal, until, exit }) => {
      await until('ready');
      terminal.pause();
      await terminal.end(2000);
      assert.ok((await exit).status >= 128);
    }),
  ),
];

/** Like some agents: a process that a small first one starts, and that gets TERM itself. */
function child(onTerm: string): string {
  return `/bin/sh -c 'trap "" HUP; trap "${onTerm}" TERM; printf "@{\\"pid\\":%d}@" $$; while :; do sleep 0.05; done'`;
}

/** One that nobody reaped does not count. */
function isRunning(pid: number): boolean {
  return isAlive(pid) && (startOf(pid) === undefined || startOfLiving(pid) !== undefined);
}

function without(env: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => !names.includes(name))
      .sort(),
  );
}

function codeIs(code: string): (error: unknown) => boolean {
  return (error) => isForewordError(error) && error.code === code;
}
