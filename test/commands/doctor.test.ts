// doctor as a person runs it: what it says of hooks, of Node, of trust and of a store that cannot be opened.

import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  expect(stdout).toMatch(new RegExp(`^hooks of claude +in place: ${settings()}$`, 'm'));
  expect(stdout).toMatch(new RegExp(`^node of hooks +${process.execPath}$`, 'm'));
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
  expect(waiting.stdout).toMatch(new RegExp(`^hooks of codex +in place, waits for review: ${file}$`, 'm'));
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
  expect(trusted.stdout).toMatch(/^hooks of codex +in place, trusted: /m);
  expect(ofHooks(problems(trusted.stdout))).toEqual([]);
  writeFileSync(join(home, '.codex/config.toml'), 'model = ');
  expect((await run('doctor')).stdout).toMatch(/^hooks of codex +in place, unknown: /m);
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
