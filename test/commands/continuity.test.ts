import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, hasState, homeFor, ownStore, shop } from '../foreword.ts';

let project = '';

beforeEach(() => {
  project = shop();
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

test('what was saved by flags is what the next session is told', async () => {
  const saved = await foreword(
    [
      'save',
      '--task',
      'api_health',
      '--done',
      'route written',
      '--next',
      'register it',
      '--decision',
      'no cart: called often',
      '--file',
      'src/server.js',
    ],
    { cwd: project },
  );
  expect(saved).toMatchObject({ status: 0, stderr: '' });
  const { stdout } = await foreword(['load'], { cwd: project });
  expect(stdout).toContain(`## From the last session (saved just now by person)
Current task: api_health
Next steps:
- register it
Decisions:
- no cart (because called often)
Done:
- route written
Files:
- src/server.js
`);
  expect(stdout).toContain('## Repository and queue\n---\n# agent_context\n');
  expect(stdout).toMatch(/## Code that may matter\n- \S+:\d+ /);
});

test('text and JSON on standard input are saved, the newest counts', async () => {
  await foreword(['save'], { cwd: project, input: 'Half way.\nSecond line.\n' });
  expect((await foreword(['load'], { cwd: project })).stdout).toContain('\nHalf way.\nSecond line.\n');
  const json = { currentTask: 'cart_discount', decisions: ['cents only', { decision: 'round down', reason: 'law' }] };
  await foreword(['save', '--by', 'agent'], { cwd: project, input: JSON.stringify(json) });
  const { stdout } = await foreword(['load'], { cwd: project });
  expect(stdout).toContain(
    'by agent)\nCurrent task: cart_discount\nDecisions:\n- cents only\n- round down (because law)\n',
  );
  expect(stdout).not.toContain('Half way');
});

test('flags are enough: an open standard input is not waited for', async () => {
  const { spawn } = await import('node:child_process');
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../dist/command/start.cjs'), 'save', '--next', 'x'],
    { cwd: project, env: { PATH: process.env.PATH, HOME: homeFor(project) } },
  );
  const status = await new Promise((resolve) => child.on('exit', resolve));
  child.stdin.end();
  expect(status).toBe(0);
});

test('wrong JSON is refused whole and nothing is made', async () => {
  const { status, stderr } = await foreword(['save'], { cwd: project, input: '{"nextStep": ["a"], "done": "b"}' });
  expect(status).toBe(2);
  expect(stderr).toContain('did you mean nextSteps?');
  expect(stderr).toContain('done');
  expect(hasState(project)).toBe(false);
});

test('nothing to save is said, not saved', async () => {
  expect(await foreword(['save'], { cwd: project })).toMatchObject({ status: 2, stdout: '' });
});

test('secrets and control characters do not get into the store or out of it', async () => {
  const secret = 'correct-horse-battery';
  const env = { API_TOKEN: secret };
  await foreword(['save', `key ${secret} \u001b]0;title\u0007 \u202e`], { cwd: project, env });
  const files = ['', '-wal'].map((end) => ownStore(project) + end).filter((file) => existsSync(file));
  expect(files).not.toEqual([]);
  for (const file of files) expect(readFileSync(file).includes(secret)).toBe(false);
  const { stdout } = await foreword(['load'], { cwd: project });
  expect(stdout).toContain('key [redacted] \u241b]0;title\u2407 \ufffd');
});

test('a long summary is cut to the budget and the cut is named', async () => {
  writeFileSync(join(project, '.foreword/config.yaml'), 'startup: { budgetChars: 2500 }\n');
  await foreword(['save'], {
    cwd: project,
    input: Array.from({ length: 900 }, (_, index) => `line ${index}`).join('\n'),
  });
  const { stdout } = await foreword(['load'], { cwd: project });
  expect(stdout.length).toBeLessThanOrEqual(2501);
  expect(stdout).toMatch(/Left out for room: .*lines of the summary \(\d+\)/);
  const explained = await foreword(['load', '--explain'], { cwd: project });
  expect(explained.stdout).toMatch(/^continuity +\d+ +\d+ {2}store: continuity$/m);
  expect(explained.stdout).toMatch(/Left out to fit the budget: lines of the summary \(\d+\)/);
});

test('a broken task file stops a person, and a session start goes on and names it', async () => {
  await foreword(['save', '--next', 'go on'], { cwd: project });
  writeFileSync(join(project, '.foreword/tasks.yaml'), 'tasks: [');
  expect((await foreword(['load'], { cwd: project })).status).toBe(2);
  const { status, stdout } = await foreword(['load', '--anyway'], { cwd: project });
  expect(status).toBe(0);
  expect(stdout).toContain('- go on');
  expect(stdout).toContain('Could not be read: .foreword/tasks.yaml');
});

test('a project outside git is told what it can be told', async () => {
  rmSync(join(project, '.git'), { recursive: true });
  await foreword(['save', '--next', 'go on'], { cwd: project });
  const { status, stdout } = await foreword(['load'], { cwd: project });
  expect(status).toBe(0);
  expect(stdout).toContain('branch: null');
});

test('the folder that a dump makes keeps it out of git', async () => {
  rmSync(join(project, '.foreword'), { recursive: true });
  const config = join(dirname(project), 'dump.yaml');
  const agents = '{ idle: { oneshot: { command: ["true"], prompt: stdin } } }';
  writeFileSync(config, `state: { dump: true }\nagents: ${agents}\n`);
  await foreword(['save', '--next', 'go on'], { cwd: project });
  expect(existsSync(join(project, '.foreword'))).toBe(false);
  writeFileSync(join(project, 'tasks.yaml'), '- { id: a, instructions: x }\n');
  await foreword(['run', 'tasks.yaml', '--config', config, '--agents', 'idle'], { cwd: project });
  expect(readdirSync(join(project, '.foreword'))).toEqual(['.gitignore', 'session-state.json']);
  expect(readFileSync(join(project, '.foreword/.gitignore'), 'utf8')).toContain('\nsession-state.json\n');
});
