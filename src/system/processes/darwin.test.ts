// What ps, sysctl, ioreg and date print is written here from their manual pages, in their columns. None of it was recorded
// on a Mac.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { darwinProcesses, type RunCommand } from './darwin.ts';
import { livingOf } from './process-table.ts';

/** `ps -axo pid=,pgid=,lstart=,state=`: numbers to the right, the day of the month in two places. */
const PS = `    1     1 Sun Nov  1 08:00:03 2026     Ss
  412   412 Sun Nov  1 08:00:41 2026     Ss
  977   977 Sun Nov 15 10:22:33 2026     Ss+
  981   981 Sun Nov 15 10:22:35 2026     S
  990   981 Sun Nov 15 10:22:35 2026     R+
  991   981 Sun Nov 15 10:22:36 2026     Z
12345 12345 Sun Nov 15 10:23:00 2026     U
`;

const BOOT = '7B1B3F6E-0C7A-4D0B-9C61-2F4F3B6C1D2A\n';

const IOREG = `+-o J314sAP  <class IOPlatformExpertDevice, id 0x100000227, registered, matched, active, busy 0 (190112 ms), retain 39>
    {
      "IOPolledInterface" = "AppleARMWatchdogTimerHibernateHandler is not serializable"
      "IOPlatformUUID" = "1A2B3C4D-0000-5E6F-8A9B-AABBCCDDEEFF"
      "IOPlatformSerialNumber" = "C02XXXXXXXXX"
    }
`;

function scripted(outputs: Readonly<Record<string, string | undefined>>): { run: RunCommand; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    run: (program, args) => {
      asked.push([program, ...args].join(' '));
      return outputs[program];
    },
  };
}

const SECONDS = Date.UTC(2026, 10, 15, 10, 22, 35) / 1000;

describe('the process table of macOS', () => {
  test('has every process with its group, start, zombies and foreground', () => {
    const { run, asked } = scripted({ '/bin/ps': PS });
    const entries = [...(darwinProcesses(run).all() ?? [])];
    expect(asked).toEqual(['/bin/ps -axo pid=,pgid=,lstart=,state=']);
    expect(entries.map(({ pid }) => pid)).toEqual([1, 412, 977, 981, 990, 991, 12345]);
    expect(entries[2]).toEqual({
      pid: 977,
      group: 977,
      start: SECONDS - 2,
      isZombie: false,
      isStopped: false,
      hasForeground: true,
    });
    expect(entries.filter(({ isZombie }) => isZombie).map(({ pid }) => pid)).toEqual([991]);
    expect(entries.filter(({ hasForeground }) => hasForeground).map(({ pid }) => pid)).toEqual([977, 990]);
    expect(entries[0]?.start).toBe(Date.UTC(2026, 10, 1, 8, 0, 3) / 1000);
  });

  test('has one process by its number, and nothing for a number nobody has', () => {
    const { run, asked } = scripted({ '/bin/ps': '  981   981 Sun Nov 15 10:22:35 2026     S   \n' });
    expect(darwinProcesses(run).one(981)).toMatchObject({ pid: 981, start: SECONDS });
    expect(asked).toEqual(['/bin/ps -o pid=,pgid=,lstart=,state= -p 981']);
    expect(darwinProcesses(scripted({ '/bin/ps': '' }).run).one(981)).toBeUndefined();
  });

  test('returns nothing where ps cannot be run, or prints what nobody knows', () => {
    for (const text of [undefined, '', '\n']) expect(darwinProcesses(() => text).all()).toBeUndefined();
    const odd = darwinProcesses(() => '  981   981 -                            Z\nps: illegal option\n');
    expect([...(odd.all() ?? [])]).toEqual([]);
    expect(odd.one(981)).toBeUndefined();
    expect(odd.bootId()).toBeUndefined();
    expect(odd.machineId()).toBeUndefined();
  });

  test('names the boot and the machine, and asks for each once', () => {
    const { run, asked } = scripted({ '/usr/sbin/sysctl': BOOT, '/usr/sbin/ioreg': IOREG });
    const table = darwinProcesses(run);
    for (let time = 0; time < 2; time += 1) {
      expect(table.bootId()).toBe(BOOT.trim());
      expect(table.machineId()).toBe('1A2B3C4D-0000-5E6F-8A9B-AABBCCDDEEFF');
    }
    expect(asked).toEqual([
      '/usr/sbin/sysctl -n kern.bootsessionuuid',
      '/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice',
    ]);
  });
});

describe('what lives of a run on macOS', () => {
  /** Our own group, since the kernel is asked whether there is one at all. */
  const group = Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(process.pid)], { encoding: 'utf8' }));
  const line = (pid: number, start: string, state: string) => `${pid} ${group} Sun Nov 15 ${start} 2026     ${state}\n`;
  const living = (text: string) =>
    livingOf({ id: 'x', group, start: SECONDS }, darwinProcesses(scripted({ '/bin/ps': text }).run));

  test('is its group as long as something in it runs', () => {
    expect(living(line(group, '10:22:35', 'S'))).toEqual({ isGroupAlive: true, escaped: [] });
    expect(living(line(group, '10:22:35', 'Z') + line(group + 1, '10:22:36', 'S'))).toMatchObject({
      isGroupAlive: true,
    });
  });

  test('is nothing when only zombies are left, or another process has the number', () => {
    expect(living(line(group, '10:22:35', 'Z'))).toMatchObject({ isGroupAlive: false });
    expect(living(line(group, '10:40:00', 'S'))).toMatchObject({ isGroupAlive: false });
  });

  test('is not asked of ps when there is no such group', () => {
    const { run, asked } = scripted({ '/bin/ps': PS });
    const gone = { id: 'x', group: 2 ** 30, start: SECONDS };
    expect(livingOf(gone, darwinProcesses(run))).toEqual({ isGroupAlive: false, escaped: [] });
    expect(asked).toEqual([]);
  });
});

describe("the guard's questions on macOS", () => {
  /** Runs `started PID` with programs that print what those of macOS would. */
  function started(lstart: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'foreword-darwin-'));
    const program = (name: string, body: string) => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(folder, name), 0o755);
    };
    try {
      program('ps', `[ "$TZ $*" = 'UTC0 -o lstart= -p 981' ] && printf '%s' '${lstart}'`);
      program('date', `[ "$1 $2 $3 $5" = '-j -f %a %b %d %T %Y +%s' ] && exec /bin/date -d "$4" +%s`);
      const script = `${darwinProcesses().shell}\nstarted 981; marked`;
      const env = { PATH: `${folder}:/usr/bin:/bin` };
      return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).trim();
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test('the start is the same number as in the table', () => {
    expect(started('Sun Nov 15 10:22:35 2026    \n')).toBe(String(SECONDS));
    expect(started('Sun Nov  1 08:00:03 2026\n')).toBe(String(Date.UTC(2026, 10, 1, 8, 0, 3) / 1000));
  });

  test('a process that is gone has none', () => {
    expect(started('')).toBe('');
  });
});
