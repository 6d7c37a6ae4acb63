import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFaultLog } from './fault-log.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-faults-'));
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const NOON = Date.parse('2026-05-01T12:00:00.000Z');

describe('a log of faults', () => {
  it('has one line per fault, and one for the same fault again and again', () => {
    const path = join(folder, 'log');
    const write = makeFaultLog(path, () => NOON);
    for (const text of ['the store is away', 'the store is away', 'two\nlines\n', 'the store is away']) write(text);
    expect(readFileSync(path, 'utf8')).toBe(
      '2026-05-01T12:00:00.000Z the store is away\n' +
        '2026-05-01T12:00:00.000Z two\n  lines\n' +
        '2026-05-01T12:00:00.000Z the store is away\n',
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('comes to an end', () => {
    const path = join(folder, 'log');
    const write = makeFaultLog(path, () => NOON);
    for (let count = 0; count < 200; count += 1) write(`${count} ${'x'.repeat(10_000)}`);
    expect(statSync(path).size).toBeLessThan(1_020_000);
  });

  it('follows no link, and what cannot be written is let go', () => {
    writeFileSync(join(folder, 'other'), 'theirs');
    symlinkSync(join(folder, 'other'), join(folder, 'log'));
    makeFaultLog(join(folder, 'log'), () => NOON)('a fault');
    makeFaultLog(join(folder, 'none/log'), () => NOON)('a fault');
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('theirs');
  });
});
