// Blocks of the pages that need Claude Code (`<!-- paste with claude -->`), after two sessions of the real agent in a project with
// our hooks: the first edits a file and has a failing test, the second goes on. With FOREWORD_WRITE_PAGES the pages take what is printed.

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { blocksOf, withOutput } from '../../scripts/paste/page.mjs';
import { withoutChance } from '../../scripts/without-chance.mjs';
import { findProgram } from '../../src/system/processes/find-program.ts';
import { testUnless } from '../skipping.ts';
import { AGENTS, COMMAND, calling, RealField } from './field.ts';

const ROOT = join(import.meta.dirname, '../..');
const IS_WRITE = process.env.FOREWORD_WRITE_PAGES !== undefined;

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

describe.runIf(AGENTS.includes('claude'))('blocks that need claude print what their page says', () => {
  test('in bash', () => tryPages('bash'));
  const where = { path: process.env.PATH ?? '', cwd: ROOT };
  testUnless(findProgram('zsh', where) === undefined ? 'zsh is not installed' : undefined)('in zsh', () =>
    tryPages('zsh'),
  );
});

async function tryPages(shell: string): Promise<void> {
  const of = await RealField.make('claude', [], { isBare: true });
  field = of;
  makeProject(of);
  await of.must('init', '--yes', '--agents', 'claude');
  await twoSessions(of);
  const bin = join(of.scratch.home, 'bin');
  mkdirSync(bin);
  symlinkSync(COMMAND, join(bin, 'foreword'));
  const env = { ...of.scratch.env, PATH: `${bin}:${of.scratch.env.PATH}` };
  // Not synchronous: the model that the agent asks is in this process.
  const run = async (text: string) => {
    const options = { cwd: of.scratch.project, env, timeout: 60_000 };
    const { stdout, stderr } = await promisify(execFile)(shell, ['-ec', `exec 2>&1\n${text}`], options);
    return (stdout + stderr).replaceAll(of.scratch.project, '/home/you/shop').replaceAll(of.scratch.home, '/home/you');
  };
  for (const page of pages()) {
    const text = readFileSync(page, 'utf8');
    const blocks = blocksOf(text);
    if (!blocks.some(({ where }) => where === 'claude')) continue;
    const printed: (string | undefined)[] = [];
    for (const block of blocks)
      printed.push(block.where === 'claude' ? withoutAges(withoutChance(await run(block.text))) : undefined);
    const now = withOutput(text, printed);
    // What bash writes is what zsh is compared with.
    if (IS_WRITE && shell === 'bash') writeFileSync(page, now);
    else expect(withoutWidths(now)).toBe(withoutWidths(text));
  }
}

function makeProject({ scratch }: RealField): void {
  cpSync(join(ROOT, 'examples/quickstart/project'), scratch.project, { recursive: true });
  rmSync(join(scratch.project, '.foreword'), { recursive: true });
  mkdirSync(join(scratch.project, '.context'));
  writeFileSync(join(scratch.project, '.context/CONSTITUTION.md'), '# Constitution\n\nNever touch the ledger.\n');
  const dates = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=You', '-c', 'user.email=you@example.com', ...args], {
      cwd: scratch.project,
      env: { ...scratch.env, ...dates },
    });
  git('checkout', '-q', '--orphan', 'main');
  git('add', '.');
  git('commit', '-qm', 'shop: a cart behind HTTP');
}

async function twoSessions(of: RealField): Promise<void> {
  const { commandCall, fileCall } = of.recipe;
  const health = "export const health = () => ({ status: 200, body: { status: 'ok' } });\n";
  const check = "import assert from 'node:assert/strict';\nassert.equal(404, 200, 'GET /api/health answers 404');\n";
  of.next(
    calling(fileCall(join(of.scratch.project, 'src/health.js'), health)),
    calling(fileCall(join(of.scratch.project, 'test/health.test.js'), check)),
    calling(commandCall('npm test')),
    { kind: 'text', text: 'The route is written; its test fails.' },
  );
  const first = await of.oneshot('Add GET /api/health with a test. It must not touch the cart.');
  expect(first.status, first.stdout + first.stderr).toBe(0);
  of.next(calling(commandCall('git status --short')), { kind: 'text', text: 'I go on with the test.' });
  const second = await of.oneshot('Go on.');
  expect(second.status, second.stdout + second.stderr).toBe(0);
}

/** Ages, and the place in a transcript. */
function withoutAges(text: string): string {
  return text
    .replace(/\b\d+ ?s ago\b/g, 'just now')
    .replace(
      /~\/\.claude\/projects\/\S+\.jsonl:\d+, answered in line \d+/g,
      '~/.claude/…/5b1f0c7e.jsonl:34, answered in line 36',
    );
}

/** Columns are as wide as what stood in them. */
function withoutWidths(text: string): string {
  return text.replace(/ {2,}/g, '  ');
}

function pages(): readonly string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return [join(ROOT, 'README.md'), ...docs.sort().map((name) => join(ROOT, 'docs', name))];
}
