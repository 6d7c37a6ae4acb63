// Entries that are committed: what they name, what they replace, and that they stay when a person removes their own.

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROJECT_FILES } from '../../src/install/context-files.ts';
import { type Home, makeHome } from './home.ts';

let one: Home;
beforeEach(() => {
  one = makeHome();
});
afterEach(() => one.remove());

const TEAM = { scope: 'team', starters: PROJECT_FILES } as const;
const HAVING = 'claude,codex,copilot,crush,cursor,gemini,qwen';

test('a second init changes nothing, uninstall --team restores every byte, and no path of the machine is written', async () => {
  one.lived();
  one.put('shop/.claude/settings.json', '{\n  "model": "opus"\n}\n');
  const before = one.everything();
  const { changes, skipped } = await one.init('all', TEAM);
  const files = changes.filter(({ agent }) => agent !== undefined).map(({ file }) => file.slice(one.root.length + 1));
  expect(files).toEqual([
    '.claude/settings.json',
    '.codex/hooks.json',
    '.github/hooks/foreword.json',
    'crush.json',
    '.cursor/hooks.json',
    '.gemini/settings.json',
    '.qwen/settings.json',
  ]);
  for (const { after = '' } of changes) expect(after).not.toMatch(/\/(home|opt|tmp|usr)\b/);
  expect(skipped.map(({ agent }) => agent)).toEqual(['aider', 'amp', 'goose', 'opencode', 'pi']);
  expect(one.plan('all', TEAM).changes).toEqual([]);
  await one.uninstall('all', ['team']);
  expect(one.everything()).toEqual(before);
});

test('what a person removes is their own: entries of the team stay, and are named', async () => {
  await one.init(HAVING, TEAM);
  const committed = one.everything();
  await one.init('claude,gemini');
  const { changes, notes } = await one.uninstall();
  expect(changes.map(({ file }) => file.slice(one.home.length + 1))).toEqual([
    '.claude/settings.json',
    '.gemini/settings.json',
  ]);
  expect(notes.join('\n')).toContain('.claude/settings.json, .codex/hooks.json');
  expect(notes.join('\n')).toContain('foreword uninstall --team removes them.');
  expect(one.everything()).toEqual(committed);
});

test('on another machine they are removed without a record, and a file that held nothing else is deleted', async () => {
  one.put('shop/.gemini/settings.json', '{\n  "ui": { "theme": "dark" }\n}\n');
  const before = one.everything();
  await one.init(HAVING, { scope: 'team' });
  rmSync(one.state(), { recursive: true });
  await one.uninstall('all', ['team']);
  const after = one.everything();
  for (const name of ['.claude', '.codex', '.cursor', '.github/hooks', '.qwen']) {
    expect(after[`shop/${name}/settings.json`]).toBe(undefined);
    rmSync(join(one.root, name), { recursive: true, force: true });
  }
  rmSync(join(one.root, '.github'), { recursive: true, force: true });
  expect(one.everything()).toEqual(before);
});

test('entries of one machine in a file that is to be committed are replaced, and none are added beside those of the team', async () => {
  await one.init('codex', { scope: 'project' });
  expect(one.text('shop/.codex/hooks.json')).toContain('/opt/foreword-hook');
  await one.init('codex', TEAM);
  expect(one.text('shop/.codex/hooks.json')).not.toContain('/opt/');
  expect(one.plan('codex', { scope: 'project' }).skipped).toEqual([
    { agent: 'codex', why: `it already has hooks of the team, in ${join(one.root, '.codex/hooks.json')}` },
  ]);
});

test('a file that git ignores is not used', () => {
  const ignored = [join(one.root, '.claude/settings.json')];
  const { changes, skipped } = one.plan('claude,qwen', { scope: 'team', ignored });
  expect(changes.map(({ agent }) => agent)).toEqual(['qwen']);
  expect(skipped).toEqual([{ agent: 'claude', why: expect.stringContaining('git ignores') }]);
});

test('doctor knows them: in place, of another version, and without the command on the PATH', async () => {
  await one.init('claude,codex', { scope: 'team' });
  expect(one.check().claude).toMatchObject({ state: 'in place', scope: 'team', lines: { length: 6 } });
  const file = join(one.root, '.claude/settings.json');
  one.put('shop/.claude/settings.json', readFileSync(file, 'utf8').replaceAll('set -f; ', ''));
  expect(one.check().claude).toMatchObject({ state: 'stale', cure: 'foreword init --agents claude --team' });
  const { claude, codex } = one.check('/opt/foreword-hook', false);
  expect(codex).toMatchObject({ state: 'in place', detail: expect.stringContaining('not on the PATH') });
  expect([codex?.lines, claude?.state]).toEqual([undefined, 'stale']);
  mkdirSync(join(one.home, '.codex'), { recursive: true });
  await one.init('codex');
  expect(one.check('/opt/foreword-hook', false).codex?.detail).toBe(undefined);
});
