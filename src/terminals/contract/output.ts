// What a terminal reports of its agent: every byte, the end, and nothing of its own.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENV, holdTerminal, nodeProgram, SIZE, shell, terminalCase, using } from './bench.ts';

export const outputContract = [
  terminalCase('output is exact, invalid UTF-8 and control characters included', (open) =>
    withFile(
      Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), randomBytes(300_000)]),
      async (file, bytes) => {
        await using(open, shell('stty raw -echo; cat "$1"', file), async ({ output, exit }) => {
          assert.deepEqual(await exit, { status: 0 });
          assert.ok(output().equals(bytes), `${output().length} of ${bytes.length} bytes, or others`);
        });
      },
    ),
  ),

  terminalCase('the first listener gets the first byte, however late it comes', async (open) => {
    const terminal = await open({
      command: shell('printf first; sleep 0.1; printf second; read x'),
      cwd: '/',
      env: ENV,
      size: SIZE,
    });
    await sleep(400);
    const held = holdTerminal(terminal);
    assert.equal(await held.until('second'), 'first');
    await terminal.end();
  }),

  ...[
    ['a status', 'exit 7', 7],
    ['no failure', 'true', 0],
    ['a kill', 'kill -KILL $$', 137],
    ['a TERM', 'kill -TERM $$', 143],
  ].map(([what, script, status]) =>
    terminalCase(`an end with ${what} is reported as it was`, (open) =>
      using(open, shell(String(script)), async ({ exit }) => {
        assert.deepEqual(await exit, { status });
      }),
    ),
  ),

  terminalCase('a listener added after the end gets it at once', (open) =>
    using(open, shell('exit 3'), async ({ exit, terminal }) => {
      await exit;
      let reported: number | undefined;
      terminal.onExit(({ status }) => {
        reported = status;
      });
      assert.equal(reported, 3);
    }),
  ),

  terminalCase('the end comes after the last output, also when reading was paused meanwhile', (open) =>
    using(
      open,
      shell('i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i+1)); done; echo last'),
      async ({ terminal, exit, output }) => {
        terminal.pause();
        let hasEnded = false;
        void exit.then(() => {
          hasEnded = true;
        });
        await sleep(700);
        assert.equal(hasEnded, false);
        terminal.resume();
        await exit;
        assert.ok(output().toString().endsWith('line 499\r\nlast\r\n'));
      },
    ),
  ),

  terminalCase('a pause holds output back, and pauses add up', (open) =>
    using(
      open,
      nodeProgram('setInterval(() => process.stdout.write("tick "), 20)'),
      async ({ terminal, until, output }) => {
        await until('tick');
        terminal.pause();
        terminal.pause();
        await sleep(300);
        const before = output().length;
        await sleep(300);
        assert.equal(output().length, before);
        terminal.resume();
        await sleep(300);
        assert.equal(output().length, before);
        terminal.resume();
        await until('tick');
      },
    ),
  ),

  terminalCase('a process that is left behind in the terminal does not hold up the end', (open) =>
    using(open, shell('(trap "" HUP; sleep 4) & sleep 0.2; exit 5'), async ({ exit }) => {
      const startedAt = performance.now();
      assert.deepEqual(await exit, { status: 5 });
      assert.ok(performance.now() - startedAt < 3000);
    }),
  ),

  terminalCase('a size is what the program sees, and a new one reaches it', (open) =>
    using(
      open,
      nodeProgram(
        'const show = () => process.stdout.write("[" + process.stdout.columns + "x" + process.stdout.rows + "]"); process.stdout.on("resize", show); show(); setInterval(() => {}, 1000)',
      ),
      async ({ terminal, until }) => {
        await until('[90x30]');
        assert.deepEqual(terminal.size(), SIZE);
        const resized = new Promise((resolve) => terminal.onResize(resolve));
        terminal.resize({ cols: 71, rows: 19 });
        await until('[71x19]');
        assert.deepEqual(await resized, { cols: 71, rows: 19 });
        assert.deepEqual(terminal.size(), { cols: 71, rows: 19 });
      },
    ),
  ),
];

async function withFile(bytes: Buffer, act: (file: string, bytes: Buffer) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-terminal-'));
  try {
    await writeFile(join(folder, 'bytes'), bytes); // house-rule: no-plain-write
    await act(join(folder, 'bytes'), bytes);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
