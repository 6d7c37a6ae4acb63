import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { terminalContract } from './contract.ts';
import { openTmux } from './tmux.ts';
import { findTmux } from './tmux-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'foreword-tmux-'));
let count = 0;
function nextPlace() {
  count += 1;
  return { socket: join(folder, `s${count}`), session: `ses_${count}` };
}
const hasTmux = (() => {
  try {
    return existsSync(findTmux(process.env.PATH));
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

describe('a place for tmux', () => {
  test('is refused where others can reach it', async () => {
    const open = mkdtempSync(join(tmpdir(), 'foreword-tmux-open-'));
    chmodSync(open, 0o755);
    try {
      await expect(openTmux(START, { socket: join(open, 's'), session: 'x' })).rejects.toMatchObject({
        code: 'bad-usage',
        hint: `Make it yours alone: chmod 700 ${open}`,
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
  test('the error says what to install', () => {
    expect(() => findTmux('/nowhere', '/nowhere/else')).toThrow(
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
      message: `${join(bin, 'tmux')} is too old: it is ${version}.`,
    });
  });
});
