import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { onceMoreAlone } from '../scripts/once-more-alone.mjs';
import { besides } from '../scripts/what-failed.mjs';
import { temporaryFolder } from './bundle.ts';

type Result = { status: string; name: string; assertionResults: { status: string; fullName: string }[] };
type Besides = { unended?: string[]; errors?: { file?: string; message: string }[] };

function file(name: string, ...statuses: string[]): Result {
  const assertionResults = statuses.map((status, at) => ({ status, fullName: `${name} ${at}` }));
  const isGood = statuses.length > 0 && !statuses.includes('failed');
  return { status: isGood ? 'passed' : 'failed', name: join(process.cwd(), name), assertionResults };
}

function reportOf(testResults: Result[], others: Besides = {}): string {
  const folder = temporaryFolder('report');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
  const report = join(folder, 'report.json');
  writeFileSync(report, JSON.stringify({ testResults }));
  writeFileSync(besides(report), JSON.stringify(others));
  return report;
}

describe('what failed beside others', () => {
  const rerun = async (report: string, exit: number) => {
    vi.stubEnv('FOREWORD_TEST_SECOND_TRY', '1');
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const runs: string[][] = [];
    const again = await onceMoreAlone(report, (args) => {
      runs.push(args);
      return exit;
    });
    return { again, files: runs.map((args) => args.filter((arg) => arg.endsWith('.ts'))) };
  };
  const good = file('a.test.ts', 'passed', 'skipped');
  const bad = file('b.test.ts', 'passed', 'failed');
  const whole = file('c.test.ts', 'passed');
  const stopped = { ...whole, status: 'failed' };

  test('a test counts as passed when its file passes alone', async () => {
    const expected = { again: ['b.test.ts: b.test.ts 1'], files: [['b.test.ts']] };
    expect(await rerun(reportOf([good, bad]), 0)).toEqual(expected);
  });

  test('a test stays failed when its file fails again', async () => {
    expect(await rerun(reportOf([good, bad]), 1)).toEqual({ again: [], files: [['b.test.ts']] });
  });

  test('a file whose hook failed runs again, and counts as passed when it passes alone', async () => {
    const expected = { again: ['c.test.ts: failed as a whole'], files: [['c.test.ts']] };
    expect(await rerun(reportOf([good, stopped]), 0)).toEqual(expected);
  });

  test('a file whose worker died, and one with an error that no test caught, run again', async () => {
    const path = (name: string) => join(process.cwd(), name);
    const others = { unended: [path('d.test.ts')], errors: [{ file: path('e.test.ts'), message: 'gone' }] };
    expect(await rerun(reportOf([good], others), 0)).toEqual({
      again: ['d.test.ts: did not come to its end', 'e.test.ts: an error that no test caught'],
      files: [['d.test.ts', 'e.test.ts']],
    });
  });

  test('stays failed when many files failed, or when nobody can say where an error came from', async () => {
    const many = Array.from({ length: 13 }, (_, at) => file(`${at}.test.ts`, 'failed'));
    expect(await rerun(reportOf(many), 0)).toEqual({ again: [], files: [] });
    expect(await rerun(reportOf([bad], { errors: [{ message: 'gone' }] }), 0)).toEqual({ again: [], files: [] });
  });

  test('stays failed where no landing depends on it', async () => {
    vi.stubEnv('FOREWORD_TEST_SECOND_TRY', '');
    expect(await onceMoreAlone(reportOf([bad]), () => 0)).toEqual([]);
  });
});
