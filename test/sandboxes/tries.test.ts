import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProcess } from '../../src/system/processes/run-process.ts';
import { bundle } from '../bundle.ts';
import type { TriesReport } from './run-tries.ts';
import { KEY, systemCallTries } from './system-call-tries.ts';
import { CONTROL, CONTROL_CALLS, type Lack, triesOf } from './tries.ts';

const SEARCH_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';
const PERL = existsSync('/usr/bin/perl') ? '/usr/bin/perl' : undefined;
/** Nobody: owns no file, and no home of his own is there. */
const OTHER_USER = 65_534;
const USERS = process.getuid?.() === 0 ? (['root', 'another user'] as const) : (['this user'] as const);
const ALL = triesOf(
  { base: '/b', tree: '/b/t', mark: '1.5', ports: { tcp: 1, tcp6: 2, udp: 3 }, abstractName: 'a' },
  process.pid,
);
const FILTER: Lack = 'a filter of system calls';

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'foreword-tries-'));
// Another user must reach his own folder in it.
chmodSync(folder, 0o755);
const driver = bundle(join(import.meta.dirname, 'run-tries.ts'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Puts the secret into a new session keyring, then becomes the driver. */
const WITH_KEY = `
my ($join, $add) = (shift, shift);
my ($type, $name, $secret) = ("user", "${KEY}", $ENV{FOREWORD_TRY_SECRET_TOKEN});
syscall(0 + $join, 1, 0);
syscall(0 + $add, $type, $name, $secret, length($secret), -3);
exec @ARGV;
`;
const KEY_CALLS = process.arch === 'arm64' ? ['219', '217'] : ['250', '248'];

async function makeTries(user: string, level: string, more: readonly string[] = [SEARCH_PATH]): Promise<TriesReport> {
  const temporary = mkdtempSync(join(folder, 'copies-'));
  const isOther = user === 'another user';
  if (isOther) chownSync(temporary, OTHER_USER, OTHER_USER);
  const as = isOther ? ['setpriv', `--reuid=${OTHER_USER}`, `--regid=${OTHER_USER}`, '--clear-groups'] : [];
  const key = PERL === undefined ? [] : [PERL, '-e', WITH_KEY, ...KEY_CALLS];
  const [program = '', ...words] = [...as, ...key, process.execPath, driver, level, ...more];
  const secret = `TOP-SECRET-${process.pid}-${Math.trunc(performance.now())}`;
  const env = { PATH: SEARCH_PATH, HOME: temporary, TMPDIR: temporary, FOREWORD_TRY_SECRET_TOKEN: secret };
  const end = await runProcess({ command: [program, ...words], cwd: '/', env, timeoutMs: 110_000 });
  if (end.exitCode !== 0) throw new Error(end.startError ?? `${end.stderr.text}${end.stdout.text}`);
  return JSON.parse(end.stdout.text) as TriesReport;
}

const openTries = ({ outcomes }: TriesReport): readonly string[] =>
  outcomes.filter(({ outcome }) => outcome === 'open').map(({ name }) => name);
const named = (lack: Lack): readonly string[] => ALL.filter((each) => each.lack === lack).map(({ name }) => name);

test('the list has at least 70 tries, each with a name of its own', () => {
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  expect(ALL.length).toBeGreaterThanOrEqual(70);
});

test('the same tries succeed without a sandbox', async () => {
  const report = await makeTries(USERS[0], 'control');
  const wanted = [...CONTROL, ...(PERL === undefined ? [] : CONTROL_CALLS)];
  expect(report.outcomes.filter(({ outcome }) => outcome !== 'open').map(({ name }) => name)).toEqual([]);
  expect(report.outcomes.map(({ name }) => name).sort()).toEqual(wanted.sort());
  expect(report.connections).toBe(5);
});

describe.each(USERS.flatMap((user) => ['bubblewrap', 'unshare'].map((level) => [level, user] as const)))(
  'under %s as %s',
  (level, user) => {
    let report: TriesReport;
    beforeAll(async () => {
      report = await makeTries(user, level);
    });

    test('no try gets out, but for what the level names', ({ skip }) => {
      if (report.level === undefined) return skip(report.reason);
      const allowed = (['a filter of system calls', 'a limit on processes'] as const)
        .filter((lack) => report.level?.includes(lack))
        .flatMap(named);
      expect(openTries(report).filter((name) => !allowed.includes(name))).toEqual([]);
      // On a machine with perl, only root's processes are not counted.
      expect(report.level).toBe(`${report.level.split(' without ')[0]}${user === 'root' ? WITHOUT_PROCESSES : ''}`);
    });

    test('every try was made', ({ skip }) => {
      if (report.level === undefined) return skip(report.reason);
      expect(report.outcomes.map(({ name }) => name)).toEqual(ALL.map(({ name }) => name));
      expect(
        report.outcomes.filter(({ outcome }) => !['refused', 'open'].includes(outcome)).map(({ name }) => name),
      ).toEqual(['sleeps past its time', 'leaves processes that ignore signals', 'leaves 200 processes']);
    });

    test('everything outside is the same to the byte, nobody connected, nothing is left', ({ skip }) => {
      if (report.level === undefined) return skip(report.reason);
      const { isUnchanged, connections, survivors, copiesLeft } = report;
      expect({ isUnchanged, connections, survivors, copiesLeft }).toEqual({
        isUnchanged: true,
        connections: 0,
        survivors: [],
        copiesLeft: [],
      });
    });
  },
);

const WITHOUT_PROCESSES = ' without a limit on processes (only the timeout ends a fork bomb)';

test('unshare without perl has no filter, names that, and holds all the rest', async ({ skip }) => {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const name of ['unshare', 'nsenter']) symlinkSync(`/usr/bin/${name}`, join(programs, name));
  const report = await makeTries(USERS.at(-1) ?? '', 'unshare', [programs, 'calls']);
  if (report.level === undefined) return skip(report.reason);
  expect(report.level).toContain(' without a filter of system calls (keyrings, AF_VSOCK and io_uring are open)');
  expect(openTries(report).filter((name) => !named(FILTER).includes(name))).toEqual([]);
  expect(report.outcomes.length).toBe(systemCallTries().length);
});
