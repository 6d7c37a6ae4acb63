// Checks with real programs and real files.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '../../src/kernel/task.ts';
import { markInherited, takeBaseline } from '../../src/runs/judging/checks/baseline.ts';
import { type CheckContext, runCheck, runChecks } from '../../src/runs/judging/checks/checks.ts';
import { checkMatcher } from '../../src/runs/judging/checks/matcher.ts';
import { runProcess } from '../../src/system/processes/run-process.ts';
import { temporaryFolder } from '../bundle.ts';

let folder: string;
let context: CheckContext;

beforeEach(() => {
  folder = temporaryFolder('checks');
  const cwd = join(folder, 'tree');
  mkdirSync(join(cwd, 'src'), { recursive: true });
  writeFileSync(join(cwd, 'src/index.ts'), "import { health } from './health.ts';\nexport { health };\n");
  writeFileSync(join(folder, 'outside.txt'), 'health');
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  context = { cwd, run: runProcess, env, timeoutMs: 20_000, matches: checkMatcher() };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const check = async (one: Check, signal?: AbortSignal) => {
  const { criterion, by, ...found } = await runCheck({ text: 'it works', check: one }, context, signal);
  expect([criterion, by]).toEqual(['it works', 'check']);
  return found;
};
const node = (script: string, ...more: string[]): Check => ({ command: [process.execPath, '-e', script, ...more] });
const PASSED = { outcome: 'passed' };
const failed = (detail: string) => ({ outcome: 'failed', detail });

describe('commands', () => {
  test('exit status 0 passes, whatever is printed', async () => {
    expect(await check(node('console.error("Error: everything failed")'))).toEqual(PASSED);
  });

  test('the detail says how it ended and what it said last that matters', async () => {
    const script = `
      console.log('collecting'); console.log('\\u001b[31mAssertionError: expected 200, got 404\\u001b[0m');
      console.log('1 failed, 3 passed'); console.log('-----'); console.log('Done in 3 s');
      console.error('npm ERR! code 1'); console.error('npm error A complete log of this run can be found in: x');
      process.exit(3)`;
    expect(await check(node(script))).toEqual(
      failed('exited with 3: AssertionError: expected 200, got 404 | 1 failed, 3 passed'),
    );
  });

  test('a command is not read by a shell, and runs at the top of the work tree with the environment given', async () => {
    expect(await check(node('process.exit(process.argv[1] === "$HOME; exit 0" ? 0 : 1)', '$HOME; exit 0'))).toEqual(
      PASSED,
    );
    const script = 'if (!require("fs").existsSync("src/index.ts")) throw "cwd"; if (process.env.VITEST) throw "env"';
    expect(await check(node(script))).toEqual(PASSED);
  });

  test('a command that does not exist, a signal, silence', async () => {
    const missing = await check({ command: ['no-such-program-here'] });
    expect(missing).toEqual(failed('Could not start no-such-program-here: no such command.'));
    expect(await check(node('process.kill(process.pid, "SIGKILL")'))).toEqual(failed('was ended by SIGKILL'));
    expect(await check(node('process.exit(7)'))).toEqual(failed('exited with 7'));
  });

  test('time runs out', async () => {
    const script = 'console.log("waiting for the server"); setInterval(() => {}, 1000)';
    expect(await check({ ...node(script), timeout_s: 0.5 } as Check)).toEqual(
      failed('took longer than 0.5 s and was ended: waiting for the server'),
    );
  });

  test('an interrupted check has decided nothing', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    const interrupted = { outcome: 'not-run', detail: 'it was interrupted' };
    expect(await check(node('setInterval(() => {}, 1000)'), abort.signal)).toEqual(interrupted);
    expect(await check({ file_exists: 'src/index.ts' }, abort.signal)).toEqual(interrupted);
  });

  test('endless output makes a short, safe line', async () => {
    const script = `
      process.stdout.write('x'.repeat(3_000_000)); process.stdout.write('\\nError: \\u202e\\u0007bad ' + 'y'.repeat(900) + '\\n');
      process.exitCode = 1`;
    const { detail = '' } = await check(node(script));
    expect(detail).toMatch(/^exited with 1: Error: \ufffd\u2407bad y+\.\.\.y+$/);
    expect(detail.length).toBeLessThanOrEqual(200);
  });
});

describe('files', () => {
  test('there, not there, a folder, a broken link', async () => {
    mkdirSync(join(context.cwd, 'dir'));
    symlinkSync('src/index.ts', join(context.cwd, 'link'));
    symlinkSync('nowhere', join(context.cwd, 'broken'));
    expect(await check({ file_exists: 'src/index.ts' })).toEqual(PASSED);
    expect(await check({ file_exists: 'link' })).toEqual(PASSED);
    expect(await check({ file_exists: 'src/none.ts' })).toEqual(failed('there is no file src/none.ts'));
    expect(await check({ file_exists: 'dir' })).toEqual(failed('dir is a folder, expected a file'));
    expect(await check({ file_exists: 'broken' })).toEqual(
      failed('broken is a link that leads nowhere, expected a file'),
    );
    expect(await check({ not_file_exists: 'src/none.ts' })).toEqual(PASSED);
    for (const path of ['src/index.ts', 'dir', 'broken']) {
      expect(await check({ not_file_exists: path })).toEqual(failed(`${path} is there, expected nothing`));
    }
  });

  test('a path that leads out of the work tree fails, whichever way it is asked', async () => {
    symlinkSync('..', join(context.cwd, 'up'));
    symlinkSync('../outside.txt', join(context.cwd, 'link'));
    for (const path of [
      '../outside.txt',
      join(folder, 'outside.txt'),
      'up/outside.txt',
      'link',
      'src/../../outside.txt',
      'a\0b',
    ]) {
      const result = { outcome: 'failed', detail: expect.stringMatching(/leads out of the work tree$/) };
      const content = { path, pattern: 'health' };
      expect(await check({ file_exists: path })).toEqual(result);
      expect(await check({ not_file_exists: path })).toEqual(result);
      expect(await check({ file_contains: content })).toEqual(result);
      expect(await check({ not_file_contains: content })).toEqual(result);
    }
    expect(await check({ file_exists: join(context.cwd, 'src/index.ts') })).toEqual(PASSED);
  });

  test('content: case counts, and a line has ends', async () => {
    const has = (pattern: string) => check({ file_contains: { path: 'src/index.ts', pattern } });
    const hasNot = (pattern: string) => check({ not_file_contains: { path: 'src/index.ts', pattern } });
    expect(await has('^export \\{ \\w+ \\};$')).toEqual(PASSED);
    expect(await has('HEALTH')).toEqual(failed('src/index.ts does not contain HEALTH'));
    expect(await hasNot('TODO')).toEqual(PASSED);
    expect(await hasNot('health')).toEqual(failed('src/index.ts contains health'));
  });

  test('a file that cannot be looked into contains nothing and lacks nothing', async () => {
    execFileSync('mkfifo', [join(context.cwd, 'pipe')]);
    writeFileSync(join(context.cwd, 'large'), '');
    truncateSync(join(context.cwd, 'large'), 5 * 1024 * 1024 + 1);
    for (const kind of ['file_contains', 'not_file_contains'] as const) {
      const at = (path: string) => check({ [kind]: { path, pattern: 'x' } } as unknown as Check);
      expect(await at('none')).toEqual(failed('there is no file none'));
      expect(await at('pipe')).toEqual(failed('pipe is a device, pipe or socket, expected a file'));
      expect(await at('large')).toEqual(failed('large is larger than 5 MiB'));
    }
  });

  test('a pattern that is refused decides nothing', async () => {
    for (const pattern of ['(a', '(?=a)b', '(a)\\1']) {
      const found = await check({ not_file_contains: { path: 'src/index.ts', pattern } });
      expect(found).toEqual({
        outcome: 'not-run',
        detail: expect.stringContaining(`the pattern ${pattern} is refused: `),
      });
      expect(found.detail).not.toContain('(?m-i)');
    }
  });

  test('a hostile pattern on a large file ends', async () => {
    writeFileSync(join(context.cwd, 'a'), 'a'.repeat(200_000));
    expect(await check({ file_contains: { path: 'a', pattern: '(a+)+$b' } })).toMatchObject({ outcome: 'failed' });
  });
});

test('checks run in order, and a criterion without one is not run', async () => {
  const criteria = [
    { text: 'first', check: node('require("fs").writeFileSync("made", "")') },
    { text: 'second', check: { file_exists: 'made' } },
    { text: 'by eye' },
  ];
  expect(await runChecks(criteria, context)).toEqual([
    { criterion: 'first', outcome: 'passed', by: 'check' },
    { criterion: 'second', outcome: 'passed', by: 'check' },
    { criterion: 'by eye', outcome: 'not-run', detail: 'it has no check', by: 'none' },
  ]);
});

test('failures of before the first attempt are inherited as long as they are the same', async () => {
  const failing = (message: string) => node(`console.error("Error: ${message} at 12:3" + Date.now()); process.exit(1)`);
  const criteria = [
    { text: 'tests', check: failing('cannot find module') },
    { text: 'lint', check: failing('unused name') },
    { text: 'route', check: { file_exists: 'src/index.ts' } },
    { text: 'by eye' },
  ];
  const baseline = await takeBaseline(criteria, context);
  expect(baseline.map(({ criterion, outcome }) => [criterion, outcome])).toEqual([
    ['tests', 'failed'],
    ['lint', 'failed'],
    ['route', 'passed'],
  ]);
  rmSync(join(context.cwd, 'src/index.ts'));
  const results = await runChecks([criteria[0]!, { text: 'lint', check: failing('syntax') }, criteria[2]!], context);
  const marked = markInherited(
    [...results, { criterion: 'policy', outcome: 'failed', detail: 'x', by: 'policy' }],
    baseline,
  );
  expect(marked.map(({ criterion, isInherited }) => [criterion, isInherited])).toEqual([
    ['tests', true],
    ['lint', undefined],
    ['route', undefined],
    ['policy', undefined],
  ]);
});
