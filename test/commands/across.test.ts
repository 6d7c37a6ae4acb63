// The question of init whether prompts cross to agents of other vendors, as a person answers it at a terminal, and what another
// agent is told then.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { personState, stateFolder } from '../../src/system/files/project-state.ts';
import { foreword, shop } from '../foreword.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const HOOK = join(import.meta.dirname, '../../dist/hook/foreword-hook');
let project = '';
let home = '';

beforeEach(() => {
  project = shop();
  home = join(dirname(project), 'home');
  mkdirSync(join(home, '.claude'), { recursive: true });
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

const run = (...args: readonly string[]) =>
  foreword(args, { cwd: project, env: { HOME: home, PATH: join(home, 'bin') } });

/** Keys one after the other; the first one late, if the person reads first. */
interface Answer {
  readonly presses: readonly string[];
  readonly pauseMs?: number;
  readonly isLate?: boolean;
}

/** init on a terminal, with an answer to each of its questions in order. */
function answering(agents: string, ...answers: readonly (string | Answer)[]): Promise<string> {
  const pty = spawn(process.execPath, [MAIN, 'init', '--agents', agents], {
    cols: 200,
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: home, TERM: 'dumb' },
  });
  let all = '';
  let answered = 0;
  pty.onData((text) => {
    all += text;
    const asked = all.split('[y/N]').length - 1;
    if (asked > answered) void press(answers[answered] ?? 'n');
    answered = asked;
  });
  const press = async (answer: string | Answer): Promise<void> => {
    const { presses, pauseMs = 0, isLate = false } = typeof answer === 'string' ? { presses: [`${answer}\r`] } : answer;
    for (const [index, key] of presses.entries()) {
      if (index > 0 || isLate) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pty.write(key);
    }
  };
  return new Promise((resolve) => pty.onExit(() => resolve(all)));
}

test('an Enter at the question is no answer for good: the next init asks again', async () => {
  const question = 'Show it your prompts too, though its service is of another vendor? [y/N]';
  const said = await answering('claude', 'y', '');
  expect(said).toContain(question);
  expect(said).toContain('not shown for now; foreword init asks again');
  expect(await answering('claude', 'n')).toContain(question);
  expect(await answering('claude', 'n')).not.toContain(question);
});

test('it asks once whether prompts cross to another vendor: yes shows them, no does not', async () => {
  const question = 'Show it your prompts too, though its service is of another vendor? [y/N]';
  /** A session of Claude Code with one prompt and an edit, and what Codex is told of it. */
  const told = async () => {
    leaveSession();
    return (await run('load', '--agent', 'codex')).stdout;
  };
  const across = personState(stateFolder({ HOME: home })).across;
  expect(await answering('claude', 'y', 'n')).toContain(question);
  expect(await told()).toContain('Prompts of the person: 1, which stay with claude');
  // The answer is kept, for every project.
  expect(await answering('claude,codex', 'y', 'y')).not.toContain(question);
  expect(await told()).toContain('which stay with claude');
  rmSync(across);
  expect(await answering('claude,codex,gemini', 'y', 'y')).toContain(question);
  expect(await told()).toContain('- "Fix the seventh door"');
  // Without a terminal nobody is asked, and nothing is decided.
  rmSync(across);
  expect((await run('init', '--yes', '--agents', 'qwen')).stdout).not.toContain(question);
  expect(await told()).toContain('which stay with claude');
});

test('Enter behind the y of one question is no answer to the next', async () => {
  const across = personState(stateFolder({ HOME: home })).across;
  // It comes when the next question already stands there.
  const all = await answering('claude', { presses: ['y'] }, { presses: ['\r', 'y'], pauseMs: 100 });
  expect(all).toMatch(/\[y\/N\] y\s*$/);
  expect(readFileSync(across, 'utf8')).toBe('yes\n');
});

test('Enter at a question that there was time to read shows nothing for now', async () => {
  const across = personState(stateFolder({ HOME: home })).across;
  const said = await answering('claude', { presses: ['y'] }, { presses: ['\r'], pauseMs: 1500, isLate: true });
  expect(said).toContain('not shown for now; foreword init asks again');
  expect(existsSync(across)).toBe(false);
});

/** By its hooks, as Claude Code calls them. */
function leaveSession(): void {
  const file = join(home, '.claude/projects/-shop/11111111.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  const content = [{ type: 'tool_use', id: 't1', name: 'Edit', input: { file_path: join(project, 'src/cart.js') } }];
  const records = [
    { type: 'user', message: { role: 'user', content: 'Fix the seventh door' } },
    { type: 'assistant', message: { content } },
    { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] } },
  ];
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const input = JSON.stringify({ cwd: project, session_id: '11111111', transcript_path: file });
  for (const event of ['session-start', 'session-end'])
    execFileSync(HOOK, [event, 'claude'], { cwd: project, env: { PATH: process.env.PATH, HOME: home }, input });
}
