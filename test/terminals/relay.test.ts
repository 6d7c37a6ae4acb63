import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Held, holdTerminal } from '../../src/terminals/contract/bench.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { bundle } from '../bundle.ts';
import { until } from '../processes/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreword-relay-'));
const notes = join(folder, 'notes');
const ENV = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' };
const SIZE = { cols: 80, rows: 24 };
let host = '';

beforeAll(() => {
  host = bundle(join(import.meta.dirname, 'relay-host.ts'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(host);
});

/** The person's terminal is a PTY of ours. Around the host a shell tells the terminal's settings before and after. */
async function relayed(how: string, script: string, act: (held: Held) => Promise<void>): Promise<Held> {
  writeFileSync(notes, '');
  const around = 'stty -a; printf "<begin>"; "$@"; printf "<status %s>" $?; stty -a';
  const command = ['/bin/sh', '-c', around, 'sh', process.execPath, host, notes, how, '/bin/sh', '-c', script] as const;
  const held = holdTerminal(await openPty({ command, cwd: '/', env: ENV, size: SIZE }));
  try {
    await act(held);
    await held.exit;
    return held;
  } finally {
    await held.terminal.end(500);
  }
}

function noted(): readonly Record<string, unknown>[] {
  return readFileSync(notes, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const partsOf = (held: Held) => {
  const [before = '', rest = ''] = held.output().toString('latin1').split('<begin>');
  const [inside = '', status = '', after = ''] = rest.split(/<status (\d+)>/);
  return { before, inside, status: Number(status), after };
};

describe('a relay', () => {
  test('shows the agent’s bytes as they are, a newline by itself included, and ends with its status', async () => {
    const script = String.raw`stty raw -echo; printf 'a\nb\r\nc\033[31m\377\300x\033]0;t\007'; exit 7`;
    const { inside, status } = partsOf(await relayed('plain', script, async () => undefined));
    expect(inside).toBe('a\nb\r\nc\x1b[31m\xff\xc0x\x1b]0;t\x07');
    expect(status).toBe(7);
  });

  test('passes every key on as it is, and knows a person’s from what the terminal says', async () => {
    const keys = 'q\x03\x1a\x1c\x1b[A\x1b[200~pasted\r\n\x1b[201~\x1b[I\x1b[<0;3;4M\x1b]11;rgb:0/0/0\x1b\\\x11\x13é';
    const script = 'stty raw -echo; printf ready; dd bs=1 count=$0 2>/dev/null | od -An -tx1 -v'.replace(
      '$0',
      String(Buffer.byteLength(keys)),
    );
    const held = await relayed('plain', script, async (outer) => {
      await outer.until('ready');
      await outer.terminal.write(Buffer.from(keys));
    });
    const seen = partsOf(held).inside.replace('ready', '').replace(/\s/g, '');
    expect(Buffer.from(seen, 'hex').toString()).toBe(keys);
    const runs = noted().filter(({ keys: hex }) => hex !== undefined);
    const of = (isPerson: boolean) =>
      Buffer.from(
        runs
          .filter((run) => run.isPerson === isPerson)
          .map(({ keys: hex }) => hex)
          .join(''),
        'hex',
      ).toString();
    expect(of(false)).toBe('\x1b[I\x1b[<0;3;4M\x1b]11;rgb:0/0/0\x1b\\');
    expect(of(true)).toBe('q\x03\x1a\x1c\x1b[A\x1b[200~pasted\r\n\x1b[201~\x11\x13é');
  });

  test('gives the agent the size of the person’s terminal, and each new one', async () => {
    const script = 'stty size; trap "stty size; exit 0" WINCH; while :; do sleep 0.05; done';
    const held = await relayed('plain', script, async (outer) => {
      await outer.until('24 80');
      await new Promise((resolve) => setTimeout(resolve, 100));
      outer.terminal.resize({ cols: 71, rows: 19 });
      await outer.until('19 71');
    });
    expect(partsOf(held).status).toBe(0);
  });

  test.each([
    ['plain', 0, 'stty raw -echo; printf "\\033[?1049h\\033[?2004hon"; sleep 0.3'],
    ['throw', 1, 'stty raw -echo; printf "\\033[?1049h\\033[?2004hon"; sleep 5'],
    ['term', 143, 'stty raw -echo; printf "\\033[?1049h\\033[?2004hon"; sleep 5'],
    ['detach', 143, 'stty raw -echo; printf "\\033[?1049h\\033[?2004hon"; sleep 5'],
  ])('leaves the person’s terminal as it was when it ends by %s', async (how, status, script) => {
    const held = await relayed(how, script, async (outer) => {
      await outer.until('on');
    });
    const parts = partsOf(held);
    expect(parts.status).toBe(status);
    expect(parts.after.trim()).toBe(parts.before.trim());
    expect(parts.inside).toContain('on\x1b[m\x1b[?2004l\x1b[?1049l');
  });

  test('what waits for a slow terminal when the agent ends is shown as it is', async () => {
    const script = 'sleep 0.5; i=0; while [ $i -lt 900 ]; do echo "the line with number $i"; i=$((i+1)); done';
    const held = await relayed('plain', script, async (outer) => {
      await outer.until('<begin>');
      outer.terminal.pause();
      await until('the agent ended', () => noted().some(({ bytes }) => bytes !== undefined), 10_000);
      outer.terminal.resume();
    });
    const lines = Array.from({ length: 900 }, (_, index) => `the line with number ${index}\r\n`);
    expect(partsOf(held).inside).toBe(lines.join(''));
  });

  test('a slow terminal makes the agent wait, not this process, and nothing is lost', async () => {
    const lines = 60_000;
    const script = `i=0; while [ $i -lt ${lines} ]; do echo "line number $i of a flood"; i=$((i+1)); done`;
    const held = await relayed('plain', script, async (outer) => {
      await outer.until('line number 100 ');
      outer.terminal.pause();
      await new Promise((resolve) => setTimeout(resolve, 500));
      const before = noted().length;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(noted().length - before).toBeGreaterThan(8);
      outer.terminal.resume();
    });
    const shown = partsOf(held).inside.split('\r\n');
    expect(shown.slice(0, -1)).toEqual(Array.from({ length: lines }, (_, index) => `line number ${index} of a flood`));
    const [last] = noted().slice(-1);
    expect(last?.bytes).toBe(partsOf(held).inside.length);
    const rss = noted().flatMap((entry) => (typeof entry.rss === 'number' ? [entry.rss] : []));
    expect(Math.max(...rss) - (rss[0] ?? 0)).toBeLessThan(80 * 1024 * 1024);
  });
});
