import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { onceMoreAlone } from '../scripts/once-more-alone.mjs';
import { temporaryFolder } from './bundle.ts';

type Result = { status: string; name: string; assertionResults: { status: string; fullName: string }[] };

function file(name: string, ...statuses: string[]): Result {
  const assertionResults = statuses.map((status, at) => ({ status, fullName: `${name} ${at}` }));
  const isGood = statuses.length > 0 && !statuses.includes('failed');
  return { status: isGood ? 'passed' : 'failed', name: join(process.cwd(), name), assertionResults };
}

function reportOf(testResults: Result[]): string {
  const folder = temporaryFolder('report');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const report = join(folder, 'report.json');
  writeFileSync(report, JSON.stringify({ testResults }));
  return report;
}

describe('a test that failed beside others', () => {
  const rerun = (testResults: Result[], exit: number) => {
    vi.stubEnv('FOREWORD_TEST_SECOND_TRY', '1');
    const report = reportOf(testResults);
    const runs: string[][] = [];
    const again = onceMoreAlone(report, (args) => {
      runs.push(args);
      return exit;
    });
    return { again, files: runs.map((args) => args.filter((arg) => arg.endsWith('.ts'))) };
  };
  const good = file('a.test.ts', 'passed', 'skipped');
  const bad = file('b.test.ts', 'passed', 'failed');

  test('counts as passed when its file passes alone', () => {
    expect(rerun([good, bad], 0)).toEqual({ again: ['b.test.ts 1'], files: [['b.test.ts']] });
  });

  test('stays failed when its file fails again', () => {
    expect(rerun([good, bad], 1)).toEqual({ again: [], files: [['b.test.ts']] });
  });

  test('stays failed when many files failed, or one could not be loaded', () => {
    const many = Array.from({ length: 6 }, (_, at) => file(`${at}.test.ts`, 'failed'));
    expect(rerun(many, 0)).toEqual({ again: [], files: [] });
    expect(rerun([bad, file('c.test.ts')], 0)).toEqual({ again: [], files: [] });
  });

  test('stays failed where no landing depends on it', () => {
    vi.stubEnv('FOREWORD_TEST_SECOND_TRY', '');
    expect(onceMoreAlone(reportOf([bad]), () => 0)).toEqual([]);
  });
});
