// Output without end: bounded memory, an exact count, a bounded log in the right order.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { redactionStreams } from '../../src/kernel/redact-stream.ts';
import { collectText } from '../../src/system/capped-text.ts';
import { openLog } from '../../src/system/processes/log-file.ts';
import { processRunner } from '../../src/system/processes/run-process.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { IS_LONG, scaled } from '../scale.ts';

vi.setConfig({ testTimeout: IS_LONG ? 600_000 : 120_000 });

const MIB = 1024 * 1024;
let supervisor: string;
let folder: string;
let log: string;
beforeAll(() => {
  supervisor = bundle(join(import.meta.dirname, 'supervisor.ts'));
});
afterAll(() => rmSync(supervisor));
beforeEach(() => {
  folder = temporaryFolder('output');
  log = join(folder, 'agent.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Measured {
  readonly exitCode: number;
  readonly stdout: { readonly bytes: number; readonly kept: number };
  readonly stderr: { readonly bytes: number };
  readonly peakMiB: number;
}

function supervised(script: string, logFile = ''): Measured {
  const args = [supervisor, 'one', logFile, 'sh', '-c', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Measured;
}

describe('memory stays under 200 MiB and the count is exact', () => {
  const bytes = scaled(2_000_000_000);

  test.each([
    ['lines on standard output', `yes 'a line of an agent that talks a lot' | head -c ${bytes}`, bytes, 0],
    ['lines on standard error', `yes 'a line of an agent that talks a lot' | head -c ${bytes} >&2`, 0, bytes],
    ['one line', `head -c ${scaled(1024 * MIB)} /dev/zero`, scaled(1024 * MIB), 0],
  ])('for %s', (_what, script, out, err) => {
    const measured = supervised(script);
    expect(measured).toMatchObject({ exitCode: 0, stdout: { bytes: out }, stderr: { bytes: err } });
    expect(measured.stdout.kept).toBeLessThan(MIB + 100);
    expect(measured.peakMiB).toBeLessThan(200);
  });

  test('and with a log, which has the first 10 and the last 90 MiB in their order', () => {
    const lines = scaled(2_000_000_000) / 10;
    const measured = supervised(`seq 100000001 ${100_000_000 + lines}`, log);
    expect(measured.stdout.bytes).toBe(lines * 10);
    expect(measured.peakMiB).toBeLessThan(200);
    const content = readFileSync(log, 'utf8');
    const [missing = '', left] = /\n\[… (\d+) bytes left out …\]\n/.exec(content) ?? [];
    const [head = '', tail = ''] = content.split(missing);
    expect({ head: head.length, tail: tail.length }).toEqual({ head: 10 * MIB, tail: 90 * MIB });
    expect(Number(left)).toBe(lines * 10 - 100 * MIB);
    for (let line = 0; line < head.length / 10 - 1; line += 97)
      expect(Number(head.slice(line * 10, line * 10 + 9))).toBe(100_000_001 + line);
    for (let line = 0; line < tail.length / 10 - 1; line += 997)
      expect(Number(tail.slice(-10 * (line + 1), -10 * line - 1))).toBe(100_000_000 + lines - line);
    expect(readdirSync(folder)).toEqual(['agent.log']);
  });
});

describe('the log', () => {
  const cap = { firstBytes: 10, lastBytes: 90 };
  const request = (script: string) => ({
    ...{ command: ['sh', '-c', script] as const, cwd: folder, env: { PATH: process.env.PATH ?? '' } },
    ...{ timeoutMs: 60_000, logFile: log },
  });

  test('has both streams in the order in which they came, for its owner only', async () => {
    const run = processRunner();
    await run(request('for n in 1 2 3; do echo out $n; sleep 0.2; echo err $n >&2; sleep 0.2; done'));
    expect(readFileSync(log, 'utf8')).toBe('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n');
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  test('does not put one stream into a character of the other', async () => {
    const euro = ["printf '\\342\\202'; sleep 0.2; echo between >&2; sleep 0.2; printf '\\254\\n'"];
    await processRunner()(request(euro.join('')));
    expect(readFileSync(log, 'utf8')).toBe('between\n€\n');
  });

  test('never has a secret in it, nor has the output, wherever it is cut', async () => {
    const secret = 'hunter2-Correct/horse+Battery9';
    const run = processRunner({ redaction: redactionStreams([secret]), outputCap: { firstBytes: 40, lastBytes: 60 } });
    const half = `printf '%s' '${secret.slice(0, 11)}'; sleep 0.05; printf '%s\\n' '${secret.slice(11)}'`;
    const wrapped = `printf '%s\\n%s\\n' '${secret.slice(0, 9)}' '${secret.slice(9)}' >&2`;
    const script = `${half}; ${wrapped}; for n in 1 2 3 4 5 6 7 8; do echo "$n ${secret} ${secret}"; done`;
    const { stdout, stderr } = await run(request(script));
    const content = readFileSync(log, 'utf8');
    expect(content.split('\n').sort().slice(0, 4)).toEqual([
      '',
      '1 [redacted] [redacted]',
      '2 [redacted] [redacted]',
      '3 [redacted] [redacted]',
    ]);
    for (const text of [content, stdout.text, stderr.text])
      for (let at = 0; at + 8 <= secret.length; at += 1) expect(text).not.toContain(secret.slice(at, at + 8));
    expect(stdout.bytes).toBe(31 + 8 * 64);
  });

  test('has no secret in it while the program runs, and none after kill -9 of ours', async () => {
    const secret = 'hunter2-Correct/horse+Battery9';
    const script = `while :; do echo "a ${secret} b"; printf '%s' "half ${secret.slice(0, 14)}"; sleep 0.02; echo "${secret.slice(14)}"; done`;
    const child = spawn(process.execPath, [supervisor, 'logged', log, secret, script], { stdio: 'ignore' });
    const read = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
    const isClean = () => !/hunter2|Battery9/.test(read());
    try {
      await vi.waitFor(() => expect(read().split('\n').length).toBeGreaterThan(20), { timeout: 30_000, interval: 5 });
      expect(isClean()).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'close');
    expect(read().slice(0, 40)).toBe('a [redacted] b\nhalf [redacted]\na [redact');
    expect(isClean()).toBe(true);
  });

  test('takes the place of an older file or link, and leaves what that points to', async () => {
    const precious = join(folder, 'precious');
    writeFileSync(precious, 'kept', { mode: 0o644 });
    symlinkSync(precious, log);
    await processRunner()(request('echo new'));
    expect([readFileSync(precious, 'utf8'), readFileSync(log, 'utf8')]).toEqual(['kept', 'new\n']);
  });

  test('that cannot be written does not fail the run', async () => {
    mkdirSync(log);
    expect(await processRunner({ logCap: cap })(request('seq 1000'))).toMatchObject({ exitCode: 0 });
    const elsewhere = { ...request('echo fine'), logFile: join(folder, 'no/such/folder/log') };
    expect(await processRunner()(elsewhere)).toMatchObject({ exitCode: 0, stdout: { text: 'fine\n' } });
  });

  test('that meets a full disk keeps what it has, and the run goes on', () => {
    // No file may grow over 64 blocks of 512 bytes; the signal for that is ignored, so that writing fails instead.
    const limited = 'trap "" XFSZ; ulimit -f 64; exec "$@"';
    const args = ['-c', limited, 'sh', process.execPath, supervisor, 'one', log, 'seq', '100000'];
    const measured = JSON.parse(execFileSync('sh', args, { encoding: 'utf8' })) as Measured;
    expect(measured).toMatchObject({ exitCode: 0, stdout: { bytes: 588_895 } });
    expect(statSync(log).size).toBeLessThanOrEqual(64 * 512);
    expect(readFileSync(log, 'utf8').startsWith('1\n2\n3\n')).toBe(true);
  });

  test('reads as the capped text does, for any bytes, any split and any size', async () => {
    const chunks = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 30 }),
        fc.string({ unit: 'grapheme' }).map((text) => Uint8Array.from(Buffer.from(text))),
      ),
      { maxLength: 20 },
    );
    const caps = fc.record({ firstBytes: fc.nat(40), lastBytes: fc.nat(40) });
    await fc.assert(
      fc.asyncProperty(chunks, caps, async (parts, limits) => {
        const file = openLog(log, limits);
        const text = collectText(limits);
        for (const part of parts) {
          file.write('stdout', Buffer.from(part));
          text.add(part);
        }
        await file.close();
        const content = new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFileSync(log));
        expect(content).toBe(text.end().text);
        expect(readdirSync(folder)).toEqual(['agent.log']);
      }),
      { numRuns: scaled(2000) },
    );
  });
});
