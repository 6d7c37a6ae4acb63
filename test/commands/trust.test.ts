// What a repository brings is inert until a person agreed to that very content.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, shop } from '../foreword.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let project = '';
let home = '';

beforeEach(() => {
  project = shop();
  home = join(dirname(project), 'home');
  mkdirSync(home);
  bring('first');
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

const env = () => ({ HOME: home });
const canary = () => join(home, 'canary');

/** An agent of the repository's own that shows that it was run. */
function bring(text: string): void {
  const agent = { oneshot: { command: ['sh', '-c', `echo ${text} >> ${canary()}; cat > /dev/null`], prompt: 'stdin' } };
  writeFileSync(join(project, '.foreword/config.json'), JSON.stringify({ lineup: ['evil'], agents: { evil: agent } }));
}

const run = () => foreword(['run', '.foreword/tasks.yaml', '--only', 'api_health'], { cwd: project, env: env() });

/** Agreeing needs a terminal; script(1) gives one. */
function agreeOnTerminal(): string {
  const command = `${process.execPath} ${MAIN} trust --yes`;
  return execFileSync('script', ['-qec', command, '/dev/null'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'dumb' },
    encoding: 'utf8',
  });
}

test('a repository cannot bring its own agents', async () => {
  const { stderr } = await run();
  expect(stderr).toContain('lineup, agents in .foreword/config.yaml are ignored until you agree. Run foreword trust');
  expect(existsSync(canary())).toBe(false);
});

test('without a terminal nobody is asked, and it stays ignored', async () => {
  const { status, stdout } = await foreword(['trust', '--yes'], { cwd: project, env: env() });
  expect(status).toBe(1);
  expect(stdout).toContain('"evil"');
  await run();
  expect(existsSync(canary())).toBe(false);
});

test.skipIf(spawnSync('script', ['--version']).status !== 0)(
  'agreement holds for that content, and a changed byte asks again with the difference (needs script)',
  async () => {
    expect(agreeOnTerminal()).toContain('Agreed.');
    await run();
    expect(readFileSync(canary(), 'utf8')).toContain('first');
    rmSync(canary());
    bring('second');
    await run();
    expect(existsSync(canary())).toBe(false);
    const { stdout } = await foreword(['trust'], { cwd: project, env: env() });
    expect(stdout).toMatch(/^- .*first/m);
    expect(stdout).toMatch(/^\+ .*second/m);
  },
);

test('what another repository at another place was given does not count here', async () => {
  agreeOnTerminal();
  const elsewhere = join(dirname(project), 'elsewhere');
  execFileSync('cp', ['-r', project, elsewhere]);
  await foreword(['run', '.foreword/tasks.yaml', '--only', 'api_health'], { cwd: elsewhere, env: env() });
  expect(existsSync(canary())).toBe(false);
});
