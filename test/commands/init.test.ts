// init and uninstall as a person runs them, on a home of their own.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepAcross } from '../../src/config/across.ts';
import { foreword, shop } from '../foreword.ts';
import { until } from '../processes/processes.ts';
import { sitDown } from '../run/seat.ts';

const SETTINGS = `{
  // mine
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard" }] }
    ]
  }
}
`;
let project = '';
let home = '';

beforeEach(() => {
  project = shop();
  home = join(dirname(project), 'home');
  mkdirSync(join(home, '.claude'), { recursive: true });
  writeFileSync(settings(), SETTINGS);
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

const settings = () => join(home, '.claude/settings.json');
const now = () => readFileSync(settings(), 'utf8');
/** Nothing but what the test made is on the PATH. */
const env = () => ({ HOME: home, PATH: join(home, 'bin') });
const run = (...args: readonly string[]) => foreword(args, { cwd: project, env: env() });

test('the agents that are there are found, and each change is shown as a diff', async () => {
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/gemini'), '#!/bin/sh\n');
  chmodSync(join(home, 'bin/gemini'), 0o755);
  const { status, stdout } = await run('init', '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^hooks +12: Claude Code 6, Gemini CLI 6; in projects with \.foreword\/ or \.context\/\nfiles +~\/\.claude/,
  );
  expect(stdout.split('\n\n')[0]?.split('\n')).toHaveLength(5);
  expect(stdout).toContain(`--- ${settings()}\t(Claude Code)\n+++ ${settings()}\n@@ -`);
  expect(stdout).toContain(`+++ ${join(home, '.gemini/settings.json')}`);
  expect(stdout).not.toContain('Codex');
  expect(stdout).toMatch(/^Not installed, so skipped: aider, .*qwen\. Use --agents NAME to include one anyway\.$/m);
  expect(stdout).toMatch(/^\d+ file\(s\) would change; nothing was written\.$/m);
  expect(stdout).toContain('Notes:\n- ');
  expect(stdout).toContain('This project has none; foreword init --context-files creates them.');
  expect(now()).toBe(SETTINGS);
});

test('without a terminal and without --yes the plan is shown, nothing is written, and the status is 2', async () => {
  const { status, stdout, stderr } = await run('init');
  expect(status).toBe(2);
  expect(stdout.trim().split('\n').length).toBeLessThanOrEqual(5);
  expect(stderr).toContain('--yes');
  expect(now()).toBe(SETTINGS);
  expect(existsSync(join(project, '.foreword/config.yaml'))).toBe(false);
});

test('--yes writes, a second time there is nothing to do, and uninstall gives every byte back', async () => {
  const first = await run('init', '--yes');
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toContain('changed ~/.claude/settings.json');
  expect(first.stdout.split('\n\n')[0]?.split('\n').length).toBeLessThanOrEqual(5);
  expect(first.stdout).not.toContain('@@');
  expect(first.stdout).toMatch(/\nNext:\n- Start your agent as always: .*foreword load/);
  expect(existsSync(join(project, '.foreword/config.yaml'))).toBe(true);
  expect(await run('init', '--yes')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/in place, ~\/\.claude\/settings\.json\nNot installed.*\nNothing to write\.\n$/),
  });
  const gone = await run('uninstall', '--yes', '--diff');
  expect(gone.status).toBe(0);
  expect(gone.stdout).toContain(`--- ${settings()}\t(Claude Code)\n`);
  expect(gone.stdout).toContain(
    'Kept: files that you wrote in .foreword/ and .context/ of projects, and ~/.local/state/foreword.',
  );
  expect(now()).toBe(SETTINGS);
  expect(readdirSync(home).sort()).toEqual(['.claude', '.local']);
  expect(existsSync(join(project, '.foreword/config.yaml'))).toBe(false);
  expect(existsSync(join(project, '.foreword/tasks.yaml'))).toBe(true);
  expect(await run('uninstall', '--yes')).toMatchObject({ status: 0, stdout: expect.stringContaining('No hooks') });
});

test('uninstall takes out ours alone from a file that the person changed since', async () => {
  await run('init', '--yes', '--agents', 'claude');
  const mine = '{ "type": "command", "command": "notify" }';
  const changed = now()
    .replace('"model": "opus"', '"model": "sonnet"')
    .replace('"SessionStart": [', `"SessionStart": [\n      { "hooks": [${mine}] },`)
    .replace('// mine', '// mine, and changed');
  expect(changed).toContain('notify');
  writeFileSync(settings(), changed);
  const gone = await run('uninstall', '--yes');
  expect(gone).toMatchObject({ status: 0, stdout: expect.stringContaining('changed ~/.claude/settings.json') });
  expect(now()).toContain('// mine, and changed');
  expect(now()).not.toContain('foreword');
  expect(JSON.parse(now().replace(/\/\/.*/, ''))).toEqual({
    model: 'sonnet',
    hooks: {
      SessionStart: [{ hooks: [JSON.parse(mine)] }],
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }],
    },
  });
});

test('uninstall leaves a file alone that is no longer valid or gone, and says so', async () => {
  await run('init', '--yes', '--agents', 'claude');
  const broken = `${now()}}`;
  writeFileSync(settings(), broken);
  const left = await run('uninstall', '--yes', '--agents', 'claude');
  expect(left.status).toBe(1);
  expect(left.stderr).toContain('settings.json');
  expect(now()).toBe(broken);
  rmSync(settings());
  expect(await run('uninstall', '--yes', '--agents', 'claude')).toMatchObject({ status: 0 });
  expect(existsSync(settings())).toBe(false);
});

test('several at once end as one', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => run('init', '--yes', '--agents', 'claude,gemini,pi')));
  expect(all.map(({ status, stderr }) => [status, stderr])).toEqual(all.map(() => [0, '']));
  expect(now().match(/foreword-hook pre-tool/g)).toHaveLength(1);
  await run('uninstall', '--yes');
  expect(now()).toBe(SETTINGS);
  expect(readdirSync(home).sort()).toEqual(['.claude', '.local']);
});

test('the installed commands run, say nothing outside of a project of ours, and end well', async () => {
  await run('init', '--yes', '--agents', 'claude');
  const { hooks } = JSON.parse(now().replace('// mine', ''));
  for (const groups of Object.values(hooks) as { hooks: { command: string }[] }[][]) {
    const command = groups[0]?.hooks[0]?.command ?? '';
    expect(command).toContain('/foreword-hook ');
    const ran = spawnSync('sh', ['-c', command], {
      cwd: home,
      input: '{"session_id":"a"}',
      env: { PATH: process.env.PATH, HOME: home },
    });
    expect(ran).toMatchObject({ status: 0, stdout: Buffer.alloc(0) });
  }
});

test('--json tells the plan and what became of it', async () => {
  const planned = JSON.parse((await run('init', '--json', '--dry-run', '--agents', 'claude,codex')).stdout);
  expect(planned).toMatchObject({ agents: ['claude', 'codex'], applied: false, skipped: [], faults: [] });
  expect(planned.changes.find((change: { agent: string }) => change.agent === 'claude')).toEqual({
    agent: 'claude',
    scope: 'user',
    file: settings(),
    kind: 'edit',
    diff: expect.stringContaining('+++'),
  });
  expect(planned.notes.join('\n')).toContain('Hooks need review');
  expect((await run('init', '--json', '--agents', 'claude')).status).toBe(2);
  const done = await run('init', '--json', '--yes', '--agents', 'claude');
  expect(JSON.parse(done.stdout)).toMatchObject({ applied: true, refused: [] });
});

test('settings that are not valid are refused with their line, and no file is written at all', async () => {
  writeFileSync(settings(), '{\n  "model": "opus"\n  "x": 1\n}\n');
  const { status, stderr } = await run('init', '--yes', '--agents', 'claude,gemini');
  expect(status).toBe(2);
  expect(stderr).toContain(`${settings()}:3: Not valid JSON`);
  expect(existsSync(join(home, '.gemini'))).toBe(false);
  expect(existsSync(join(project, '.foreword/config.yaml'))).toBe(false);
});

test('a machine without agents is told so', async () => {
  rmSync(join(home, '.claude'), { recursive: true });
  expect(await run('init', '--yes')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('no agent was found'),
  });
  expect(await run('init', '--yes')).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('No agent was found'),
  });
});

test('an agent that nobody knows is refused with a guess', async () => {
  const { status, stderr } = await run('init', '--agents', 'claud');
  expect(status).toBe(2);
  expect(stderr).toContain('Did you mean claude?');
  expect((await run('init', '--agents', ',')).status).toBe(2);
  expect((await run('init', '--scope', 'world')).status).toBe(2);
});

test('in the project scope nothing of the home is touched, and --context-files makes the six', async () => {
  const { status, stdout } = await run(
    'init',
    '--yes',
    '--scope',
    'project',
    '--context-files',
    '--agents',
    'claude,copilot',
  );
  expect(status).toBe(0);
  expect(stdout).toContain('do not commit');
  expect(existsSync(join(project, '.github/hooks/foreword.json'))).toBe(true);
  expect(now()).toBe(SETTINGS);
  expect(existsSync(join(project, '.claude/settings.local.json'))).toBe(true);
  expect(readdirSync(join(project, '.context'))).toHaveLength(6);
  const context = await run('context');
  expect(context.status).toBe(0);
  await run('uninstall', '--yes', '--scope', 'project');
  expect(existsSync(join(project, '.claude'))).toBe(false);
  expect(existsSync(join(project, '.context'))).toBe(false);
});

test('the starter files are valid: a fresh project works with them', async () => {
  rmSync(join(project, '.foreword'), { recursive: true });
  expect((await run('init', '--yes', '--agents', 'claude')).status).toBe(0);
  expect((await run('context')).status).toBe(0);
  expect((await run('status')).status).toBe(0);
});

test.each([
  ['n', 2],
  ['\u0004', 2],
  ['y', 0],
])('on a terminal it asks, and only yes is yes: %j ends with %i', async (key, status) => {
  keepAcross(join(home, '.local/state/foreword'), false);
  const seat = sitDown({ project, folder: home }, ['init', '--agents', 'claude'], { columns: 100, rows: 40 });
  await seat.sees('Write this? [y/N]');
  seat.type(key);
  expect(await seat.ended()).toBe(status);
  expect(now() === SETTINGS).toBe(status !== 0);
});

test('Enter behind the key that asks for names is no answer: they can still be written', async () => {
  const seat = sitDown({ project, folder: home }, ['init', '--agents', 'claude,gemini'], { columns: 100, rows: 40 });
  await seat.sees('a: fewer agents');
  seat.type('a');
  await seat.sees('Which of these agents (claude, gemini): ');
  seat.type('\r');
  await until('it asks again', () => seat.bytes().split('Which of these agents').length === 3);
  seat.type('gemini\r');
  await until('it has the plan', () => seat.bytes().split('Write this?').length === 3);
  expect(seat.bytes()).toMatch(/hooks +\d+: Gemini CLI \d+;/);
  seat.type('n');
  expect(await seat.ended()).toBe(2);
});

test('Ctrl-C at the question about prompts decides nothing: it is asked again', async () => {
  const across = join(home, '.local/state/foreword/across');
  for (const [key, status, answer] of [
    ['\u0003', 130, undefined],
    ['n', 0, 'no\n'],
  ] as const) {
    const seat = sitDown({ project, folder: home }, ['init', '--agents', 'claude'], { columns: 100, rows: 40 });
    if (answer === undefined) {
      await seat.sees('Write this? [y/N]');
      seat.type('y');
    }
    await seat.sees('Show it your prompts too');
    seat.type(key);
    expect(await seat.ended()).toBe(status);
    expect(existsSync(across) ? readFileSync(across, 'utf8') : undefined).toBe(answer);
  }
});

/** A program that is found, and does nothing. */
function addProgram(name: string): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', name), '#!/bin/sh\n', { mode: 0o755 });
}

test('the agents that can be run become the lineup, in the order that a person gives, without a second question', async () => {
  for (const name of ['claude', 'gemini', 'codex']) addProgram(name);
  const planned = await run('init', '--dry-run');
  expect(planned.stdout).toMatch(/^lineup +codex, claude, gemini: /m);
  expect(planned.stdout).toContain('- Google has not served Gemini CLI to free, Pro and Ultra accounts');
  const refused = await run('init', '--yes', '--lineup', 'claude,nope');
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('there is no agent "nope"')]);
  await run('init', '--yes', '--lineup', 'claude,codex');
  expect(readFileSync(join(project, '.foreword/config.yaml'), 'utf8')).toMatch(/^lineup: \[claude, codex\]/m);
  const { settings: known } = JSON.parse((await run('doctor', '--json')).stdout);
  expect(known.lineup).toMatchObject({ value: ['claude', 'codex'] });
  // Somebody else's change still needs a person.
  writeFileSync(join(project, '.foreword/config.yaml'), 'lineup: [codex]\n');
  const changed = JSON.parse((await run('doctor', '--json')).stdout);
  expect(changed.settings.lineup.value).not.toEqual(['codex']);
});

test('uninstall --purge lists what is kept, and removes it', async () => {
  await run('init', '--yes', '--agents', 'claude');
  await run('save', '--next', 'go on');
  const state = join(home, '.local/state/foreword');
  const listed = await run('uninstall', '--purge', '--dry-run');
  expect(listed.stdout).toContain(`  ${state}\n  of the project ${project}: `);
  expect(existsSync(state)).toBe(true);
  expect((await run('uninstall', '--purge', '--agents', 'claude')).status).toBe(2);
  const gone = await run('uninstall', '--purge', '--yes');
  expect([gone.status, gone.stderr]).toEqual([0, '']);
  expect(existsSync(state)).toBe(false);
  expect(now()).toBe(SETTINGS);
  expect(existsSync(join(project, '.foreword'))).toBe(true);
  expect((await run('uninstall', '--purge', '--yes')).stdout).toContain('Nothing is kept on this machine.');
});
