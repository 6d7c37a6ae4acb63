// doctor as a person runs it: what it says of hooks, of Node, of trust and of a store that cannot be opened.

import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownHooks } from '../../src/agents/codex/trust.ts';
import { isOurCommand } from '../../src/install/shell-command.ts';
import { platform } from '../../src/system/platform.ts';
import { foreword, shop } from '../foreword.ts';

let project = '';
let home = '';
beforeEach(() => {
  project = shop();
  home = join(dirname(project), 'home');
  mkdirSync(join(home, '.claude'), { recursive: true });
  mkdirSync(join(home, '.codex'));
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

const path = () => `${join(home, 'bin')}:/usr/bin:/bin`;
const run = (...args: readonly string[]) => foreword(args, { cwd: project, env: { HOME: home, PATH: path() } });
const settings = () => join(home, '.claude/settings.json');
/** The problems, without their mark. */
const problems = (stdout: string) =>
  stdout.split('\n').flatMap((line) => (line.startsWith('! ') ? [line.slice(2)] : []));
const ofHooks = (lines: readonly string[]) => lines.filter((line) => /hooks/i.test(line));

test('hooks that init wrote match, and an agent without them is named only when it is installed', async () => {
  await run('init', '--yes', '--agents', 'claude');
  const { stdout } = await run('doctor');
  expect(stdout).toMatch(new RegExp(`^hooks of claude +in place, 6 of 6 work: ${settings()}$`, 'm'));
  expect(stdout).toMatch(new RegExp(`^hooks run with +${process.execPath}$`, 'm'));
  expect(stdout).toMatch(/^store +none yet; /m);
  expect(stdout).not.toContain('hooks of codex');
  expect(stdout.includes('not on this system')).toBe(platform.absences.length > 0);
  expect(ofHooks(problems(stdout))).toEqual([]);
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/codex'), '#!/bin/sh\necho codex-cli 0.166.0\n');
  chmodSync(join(home, 'bin/codex'), 0o755);
  const after = await run('doctor');
  expect(after.stdout).toMatch(/^codex +codex-cli 0\.166\.0$/m);
  expect(after.stdout).toMatch(/^hooks of codex +absent$/m);
});

test('hooks of another place, and such as somebody changed, are named with their cure', async () => {
  await run('init', '--yes', '--agents', 'claude');
  const written = readFileSync(settings(), 'utf8');
  const program = /"command": "test ! -x (\S+foreword-hook) /.exec(written)?.[1] ?? expect.fail(written);
  writeFileSync(settings(), written.replaceAll(program, '/old/place/foreword-hook'));
  const stale = await run('doctor');
  expect(stale.status).toBe(3);
  expect(stale.stdout).toMatch(/^hooks of claude +stale: /m);
  expect(ofHooks(problems(stale.stdout))).toEqual([
    `Hooks of Claude Code (${settings()}): they run a foreword installed elsewhere. foreword init --agents claude`,
  ]);
  await run('init', '--yes', '--agents', 'claude');
  expect(readFileSync(settings(), 'utf8')).toBe(written);
  writeFileSync(settings(), written.replace('"timeout": 5', '"timeout": 55'));
  const changed = await run('doctor', '--json');
  expect(JSON.parse(changed.stdout).hooks).toContainEqual(
    expect.objectContaining({ agent: 'claude', state: 'changed by hand', cure: 'foreword init --agents claude' }),
  );
});

test('Codex runs nothing that a person did not trust, and doctor says which it is', async () => {
  await run('init', '--yes', '--agents', 'codex');
  const file = join(home, '.codex/hooks.json');
  const waiting = await run('doctor');
  expect(waiting.stdout).toMatch(new RegExp(`^hooks of codex +in place, waits for review, 7 of 7 work: ${file}$`, 'm'));
  expect(ofHooks(problems(waiting.stdout))).toEqual([
    'Codex does not run our hooks yet: it asks you to trust them the next time it starts.',
  ]);
  const own = ownHooks(JSON.parse(readFileSync(file, 'utf8')).hooks, isOurCommand);
  const state = own.map(({ place, text }) => {
    const hash = createHash('sha256').update(text).digest('hex');
    return `[hooks.state."${file}:${place}"]\ntrusted_hash = "sha256:${hash}"\n`;
  });
  writeFileSync(join(home, '.codex/config.toml'), state.join('\n'));
  const trusted = await run('doctor');
  expect(trusted.stdout).toMatch(/^hooks of codex +in place, trusted, 7 of 7 work: /m);
  expect(ofHooks(problems(trusted.stdout))).toEqual([]);
  writeFileSync(join(home, '.codex/config.toml'), 'model = ');
  expect((await run('doctor')).stdout).toMatch(/^hooks of codex +in place, unknown, 7 of 7 work: /m);
});

test('a store that is not known, not there or no store is one finding among the others', async () => {
  writeFileSync(join(project, 'no-store.db'), 'plain text\n');
  for (const [store, problem] of [
    ['ftp://example.com', 'foreword has no store for ftp:// addresses. Use a file, redis:// or rediss://.'],
    ['redis://127.0.0.1:1', 'The store'],
    ['no-store.db', 'is not a foreword store. It was not changed. Choose another path, or move this file away.'],
  ] as const) {
    const { status, stdout } = await run('doctor', '--store', store);
    expect(status).toBe(3);
    expect(stdout).toMatch(/^store +unknown, unknown: /m);
    expect(stdout).toMatch(/^sandbox /m);
    expect(problems(stdout).join('\n')).toContain(problem);
  }
  expect(readFileSync(join(project, 'no-store.db'), 'utf8')).toBe('plain text\n');
});

/** Every file of home and project with its content; what git writes aside. */
function everything(): Readonly<Record<string, string>> {
  const names = readdirSync(dirname(project), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => !name.includes('/.git/')).map((name) => join(dirname(project), name));
  return Object.fromEntries(
    files.map((file) => [file, lstatSync(file).isFile() ? readFileSync(file, 'utf8') : String(lstatSync(file).mode)]),
  );
}

test('each hook is run once, and nothing is changed by that', async () => {
  await run('init', '--yes', '--agents', 'claude,codex');
  const before = everything();
  const { hooks, problems: found } = JSON.parse((await run('doctor', '--json')).stdout);
  expect(hooks).toMatchObject([
    { agent: 'claude', ran: 6, faults: [] },
    { agent: 'codex', ran: 7, faults: [] },
  ]);
  expect(found.join('\n')).not.toContain('Claude Code');
  expect(everything()).toEqual(before);
});

test('hooks that cannot do their work are not called healthy: a Node that ends with 1', async () => {
  await run('init', '--yes', '--agents', 'claude');
  const node = join(home, 'broken-node');
  writeFileSync(node, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const env = { HOME: home, PATH: path(), FOREWORD_NODE: node };
  const { status, stdout } = await foreword(['doctor'], { cwd: project, env });
  expect(status).toBe(3);
  expect(problems(stdout)).toContainEqual(
    expect.stringMatching(/^Hooks of Claude Code .*SessionStart: .*broken-node ended with 1/),
  );
});

test('hooks that the project switches off are not called healthy', async () => {
  await run('init', '--yes', '--agents', 'claude');
  mkdirSync(join(project, '.claude'));
  writeFileSync(join(project, '.claude/settings.local.json'), '{ "disableAllHooks": true }\n');
  const { stdout } = await run('doctor');
  expect(problems(stdout)).toContainEqual(
    expect.stringContaining(`Remove disableAllHooks in ${join(project, '.claude/settings.local.json')}`),
  );
});

test('a context file that cannot be shown is named, and so is what the log of the hooks says', async () => {
  await run('init', '--yes', '--agents', 'claude', '--context-files');
  writeFileSync(join(project, '.context/CONSTITUTION.md'), Buffer.from([0xff, 0xfe, 0x00]));
  mkdirSync(join(home, '.local/state/foreword'), { recursive: true, mode: 0o700 });
  const [day, old] = [new Date().toISOString(), '2020-01-01T00:00:00Z'];
  writeFileSync(
    join(home, '.local/state/foreword/hook.log'),
    `${old} stop claude: /gone/node ended with 9\n${day} prompt claude: given up after 1500 ms\n${day} prompt claude: given up after 1500 ms\n`,
  );
  const { stdout } = await run('doctor');
  expect(problems(stdout)).toContainEqual(expect.stringMatching(/^\.context\/CONSTITUTION\.md cannot be shown/));
  expect(stdout).toMatch(/^hook log +2 in the last day, last: prompt claude: given up after 1500 ms/m);
  expect(stdout).not.toContain('/gone/node');
});
