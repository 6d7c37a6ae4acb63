// What a repository brings is inert until a person agreed to that very content.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

/** Its agents show outside their checkout that they ran. */
const env = () => ({ HOME: home, FOREWORD_RUN_CONFINE: 'off' });
const canary = () => join(home, 'canary');

/** An agent of the repository's own that shows that it was run. */
const bring = (text: string) => bringCommand(['sh', '-c', `echo ${text} >> ${canary()}; cat > /dev/null`]);

function bringCommand(command: readonly string[], more: object = {}): void {
  const agent = { oneshot: { command, prompt: 'stdin', ...more } };
  writeFileSync(join(project, '.foreword/config.json'), JSON.stringify({ lineup: ['evil'], agents: { evil: agent } }));
}

const run = () => foreword(['run', '.foreword/tasks.yaml', '--only', 'api_health'], { cwd: project, env: env() });

/** Agreeing needs a terminal; script(1) gives one. */
function agreeOnTerminal(): string {
  const command = `${process.execPath} ${MAIN} trust --yes`;
  return spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'dumb' },
    encoding: 'utf8',
  }).stdout;
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

const trusts = async () => {
  const { stdout, status } = await foreword(['trust'], { cwd: project, env: env() });
  return { stdout, isAgreed: status === 0 };
};
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text, { mode: 0o755 });
};
/** Agents see what is committed. */
const commit = () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@e', ...args], { cwd: project });
  git('add', '.');
  git('commit', '-qm', 'more');
};
const script = () => `echo ran >> ${canary()}; cat > /dev/null\n`;

test.each([
  ['itself', ['./tools/agent.sh'], 'tools/agent.sh'],
  ['by its absolute path', ['PROJECT/tools/agent.sh'], 'tools/agent.sh'],
  ['for an interpreter', ['bash', 'tools/agent.sh'], 'tools/agent.sh'],
  ['in a flag', ['sh', '-c', 'sh tools/agent.sh', '--config=./tools/settings.json'], 'tools/settings.json'],
  ['in a script for a shell', ['sh', '-c', 'true && sh "tools/agent.sh" | cat'], 'tools/agent.sh'],
  ['by a link in the project', ['./tools/link'], 'tools/link'],
] as const)('a changed byte in a file that a command names (%s) takes the trust back', async (_how, command, path) => {
  write('tools/agent.sh', `#!/bin/sh\n${script()}`);
  write('tools/settings.json', '{}\n');
  symlinkSync('agent.sh', join(project, 'tools/link'));
  bringCommand(command.map((word) => word.replace('PROJECT', project)));
  commit();
  agreeOnTerminal();
  await run();
  expect(readFileSync(canary(), 'utf8')).toContain('ran');
  rmSync(canary());
  const file = path === 'tools/link' ? 'tools/agent.sh' : path;
  appendFileSync(join(project, file), '#');
  const { stderr } = await run();
  expect(existsSync(canary())).toBe(false);
  expect(stderr).toContain(`until you agree (changed: ${path})`);
  const { stdout, isAgreed } = await trusts();
  expect(isAgreed).toBe(false);
  expect(stdout).toMatch(new RegExp(`${path} changed: [0-9a-f]{16} is now [0-9a-f]{16}`));
  expect(stdout).toMatch(/^\+ #$/m);
  expect(agreeOnTerminal()).toContain('Agreed.');
  expect((await trusts()).isAgreed).toBe(true);
});

test('a variable, a new file, a file that is gone and a link in its place count as well', async () => {
  write('tools/agent.sh', script());
  write('tools/other.sh', script());
  write('hook.cjs', '');
  bringCommand(['sh', './tools/agent.sh', './tools/later.sh'], { set: { NODE_OPTIONS: '--require ./hook.cjs' } });
  agreeOnTerminal();
  write('hook.cjs', ' ');
  expect((await trusts()).stdout).toContain('hook.cjs changed');
  write('hook.cjs', '');
  expect((await trusts()).isAgreed).toBe(true);
  write('tools/later.sh', script());
  expect((await trusts()).stdout).toContain('tools/later.sh is named and was not there when you agreed');
  rmSync(join(project, 'tools/later.sh'));
  renameSync(join(project, 'tools/agent.sh'), join(project, 'tools/kept.sh'));
  expect((await trusts()).stdout).toContain('tools/agent.sh is gone');
  writeFileSync(join(home, 'outside.sh'), script());
  symlinkSync(join(home, 'outside.sh'), join(project, 'tools/agent.sh'));
  const { stdout } = await trusts();
  expect(stdout).toContain('Cannot be agreed to: tools/agent.sh is a link to a place outside of the project.');
  expect(agreeOnTerminal()).not.toContain('Agreed.');
  await run();
  expect(existsSync(canary())).toBe(false);
});

test('what is too large to look at, a pipe and a folder are named, and only the folder can be agreed to', async () => {
  write('tools/agent.sh', script());
  bringCommand(['sh', './tools/agent.sh', '--in=./tools', 'tools/pipe', 'tools/large']);
  expect((await trusts()).stdout).toContain('tools is a folder: what lies in it is not covered by your agreement.');
  execFileSync('mkfifo', [join(project, 'tools/pipe')]);
  execFileSync('truncate', ['-s', '1T', join(project, 'tools/large')]);
  const { stdout } = await trusts();
  expect(stdout).toContain('tools/pipe is a device, pipe or socket.');
  expect(stdout).toContain('tools/large has more than 16 MiB.');
  expect(agreeOnTerminal()).not.toContain('Agreed.');
});

test.each([1, 2])('an agent that changes its own script is not started again (%d at once)', async (count) => {
  write('tools/agent.sh', `#!/bin/sh\necho ran >> ${canary()}; cat > /dev/null; echo "# more" >> tools/agent.sh\n`);
  bringCommand(['./tools/agent.sh']);
  commit();
  agreeOnTerminal();
  const options = { cwd: project, env: { ...env(), FOREWORD_RUN_MAX_WAIT_S: '1' } };
  const only = ['--only', 'api_health', '--concurrency', String(count)];
  const { stderr } = await foreword(['run', '.foreword/tasks.yaml', ...only], options);
  expect(readFileSync(canary(), 'utf8')).toBe('ran\n');
  expect(stderr).toContain('evil was not started: its command is not what you agreed to: tools/agent.sh changed.');
});

test('another repository at the same path is not trusted, and a moved one still is', async () => {
  write('tools/agent.sh', script());
  bringCommand(['sh', './tools/agent.sh']);
  agreeOnTerminal();
  const [first, moved] = [project, join(dirname(project), 'moved')];
  renameSync(first, moved);
  project = moved;
  expect((await trusts()).isAgreed).toBe(true);
  execFileSync('cp', ['-r', moved, first]);
  rmSync(join(first, '.git'), { recursive: true });
  project = first;
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: first, stdio: 'ignore', env: { ...process.env } });
  git('init', '-q');
  git('-c', 'user.name=b', '-c', 'user.email=b@b.b', 'commit', '-q', '--allow-empty', '-m', 'another history');
  expect((await trusts()).isAgreed).toBe(false);
  await run();
  expect(existsSync(canary())).toBe(false);
});

test('a folder whose .git names a trusted repository is not trusted by that', async () => {
  agreeOnTerminal();
  const elsewhere = join(dirname(project), 'elsewhere');
  execFileSync('cp', ['-r', project, elsewhere]);
  rmSync(join(elsewhere, '.git'), { recursive: true });
  const trusted = project;
  project = elsewhere;
  for (const make of [
    () => writeFileSync(join(elsewhere, '.git'), `gitdir: ${trusted}/.git\n`),
    () => symlinkSync(join(trusted, '.git'), join(elsewhere, '.git')),
    () => {
      execFileSync('cp', ['-r', join(trusted, '.git'), join(elsewhere, '.git')]);
      writeFileSync(join(elsewhere, '.git/commondir'), `${trusted}/.git\n`);
    },
  ]) {
    make();
    await run();
    expect([(await trusts()).isAgreed, existsSync(canary())]).toEqual([false, false]);
    rmSync(join(elsewhere, '.git'), { recursive: true });
  }
});

test('invisible characters of a setting or a file are shown', async () => {
  const hidden = 'safe\u202e\u200b\u{e0041}';
  write('tools/agent.sh', script());
  bringCommand(['sh', './tools/agent.sh', hidden]);
  const first = await trusts();
  agreeOnTerminal();
  write('tools/agent.sh', `# ${hidden}\u001b[8m\r${script()}`);
  for (const { stdout } of [first, await trusts()]) {
    for (const sign of ['\u202e', '\u200b', '\u001b', '\r', '\u{e0041}']) expect(stdout).not.toContain(sign);
    expect(stdout).toContain('safe');
  }
});
