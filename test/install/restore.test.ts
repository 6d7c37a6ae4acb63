// Init and uninstall on real files: what was there is there again to the byte, whatever other tools keep in it.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONTEXT_FILES, PROJECT_FILES } from '../../src/install/context-files.ts';
import { scaled } from '../scale.ts';
import { CLAUDE, CODEX_TOML, type Home, makeHome } from './home.ts';
import { settingsText } from './json-text.ts';

let one: Home;

beforeEach(() => {
  one = makeHome();
});
afterEach(() => one.remove());

test.each(['user', 'project'] as const)(
  'all agents, %s scope: a second init changes nothing, uninstall restores every byte',
  async (scope) => {
    one.lived();
    const before = one.everything();
    const first = await one.init('all', { scope });
    expect(first.changes.length).toBeGreaterThan(8);
    const after = one.everything();
    expect(after).not.toEqual(before);
    const second = one.plan('all', { scope });
    expect(second.changes).toEqual([]);
    expect(second.inPlace.length).toBe(first.changes.length);
    await one.uninstall();
    expect(one.everything()).toEqual(before);
    expect(readdirSync(one.state())).toEqual([]);
  },
);

test('on a machine without any settings, files and folders come and go', async () => {
  const before = one.everything();
  await one.init('all', { starters: [...PROJECT_FILES, ...CONTEXT_FILES] });
  expect(existsSync(join(one.home, '.copilot/hooks/foreword.json'))).toBe(true);
  expect(JSON.parse(one.text('.cursor/hooks.json')).version).toBe(1);
  expect(existsSync(join(one.root, '.foreword/.gitignore'))).toBe(true);
  await one.uninstall();
  expect(one.everything()).toEqual(before);
});

test('a secret in the settings is in no record', async () => {
  one.lived();
  await one.init('claude');
  const kept = readdirSync(one.state()).map((name) => readFileSync(join(one.state(), name), 'utf8'));
  expect(kept).toHaveLength(1);
  expect(kept.join('')).not.toContain('sk-secret');
  expect(statSync(one.state()).mode & 0o777).toBe(0o700);
});

test('after a foreign edit only ours goes, and a file that is used by then stays', async () => {
  one.lived();
  await one.init('all');
  const settings = JSON.parse(one.text('.claude/settings.json').replace('// mine', ''));
  settings.hooks.PreToolUse.unshift({ hooks: [{ type: 'command', command: 'newer' }] });
  settings.theme = 'dark';
  one.put('.claude/settings.json', JSON.stringify(settings));
  one.put(
    '.copilot/hooks/foreword.json',
    one
      .text('.copilot/hooks/foreword.json')
      .replace('"hooks": {', '"hooks": {"errorOccurred":[{"type":"command","bash":"x"}],'),
  );
  one.put('.codex/config.toml', `${one.text('.codex/config.toml')}\n[projects."/x"]\ntrust_level = "trusted"\n`);
  one.put('.config/goose/.goosehints', `${one.text('.config/goose/.goosehints')}More.\n`);
  await one.uninstall();
  expect(JSON.parse(one.text('.claude/settings.json'))).toEqual({
    env: { ANTHROPIC_API_KEY: 'sk-secret' },
    hooks: {
      PreToolUse: [
        { hooks: [{ type: 'command', command: 'newer' }] },
        { matcher: 'Bash', hooks: [{ type: 'command', command: '~/guard.sh' }] },
      ],
      Notification: [],
    },
    theme: 'dark',
  });
  expect(JSON.parse(one.text('.copilot/hooks/foreword.json'))).toEqual({
    version: 1,
    hooks: { errorOccurred: [{ type: 'command', bash: 'x' }] },
  });
  expect(one.text('.codex/config.toml').replace(/\n+/g, '\n')).toBe(
    `${CODEX_TOML}\n[projects."/x"]\ntrust_level = "trusted"\n`.replace(/\n+/g, '\n'),
  );
  expect(one.text('.config/goose/.goosehints')).toBe('Be kind.\n\nMore.\n');
});

test('without our records uninstall finds ours by what they run', async () => {
  one.lived();
  const before = one.everything();
  await one.init('claude,cursor,opencode,pi,crush,qwen');
  rmSync(one.state(), { recursive: true });
  await one.uninstall();
  const after = one.everything();
  for (const [name, hash] of Object.entries(before)) if (hash === 'other') expect(after).toHaveProperty([name]);
  expect(one.text('.claude/settings.json')).toBe(CLAUDE);
  expect(JSON.stringify(Object.keys(after))).not.toContain('plugins/foreword.js');
  expect(JSON.parse(one.text('.cursor/hooks.json')).hooks).toEqual({ stop: [{ command: 'a' }] });
});

test('hooks of another place are replaced, and uninstall still restores every byte', async () => {
  one.lived();
  const before = one.everything();
  await one.init('all');
  const moved = await one.init('all', { hook: '/new/place/foreword-hook' });
  expect(moved.changes.every(({ kind }) => kind === 'edit')).toBe(true);
  expect(JSON.stringify(one.everything())).not.toBe(JSON.stringify(before));
  expect(one.text('.claude/settings.json')).not.toContain('/opt/foreword-hook');
  expect(one.text('.claude/settings.json').match(/foreword-hook pre-tool/g)).toHaveLength(1);
  await one.uninstall();
  expect(one.everything()).toEqual(before);
});

test('a link into a folder of dotfiles is written through, and the mode is kept', async () => {
  one.put('dotfiles/claude.json', CLAUDE);
  chmodSync(join(one.home, 'dotfiles/claude.json'), 0o600);
  mkdirSync(join(one.home, '.claude'));
  symlinkSync('../dotfiles/claude.json', join(one.home, '.claude/settings.json'));
  await one.init('claude');
  expect(readlinkSync(join(one.home, '.claude/settings.json'))).toBe('../dotfiles/claude.json');
  expect(one.text('dotfiles/claude.json')).toContain('foreword-hook');
  expect(statSync(join(one.home, 'dotfiles/claude.json')).mode & 0o777).toBe(0o600);
  await one.uninstall();
  expect(one.text('dotfiles/claude.json')).toBe(CLAUDE);
  expect(readlinkSync(join(one.home, '.claude/settings.json'))).toBe('../dotfiles/claude.json');
});

test('a record of a change that was never made, because the machine died, does no harm', async () => {
  one.lived();
  const before = one.everything();
  const { records } = one.machine();
  for (const { record } of one.plan('all').changes) if (record !== undefined) records.keep(record);
  expect((await one.uninstall()).changes).toEqual([]);
  await one.init('all');
  await one.uninstall();
  expect(one.everything()).toEqual(before);
});

test('ours never stand in two files of one agent', async () => {
  one.put('.codex/config.toml', CODEX_TOML);
  await one.init('codex');
  one.put('.codex/hooks.json', '{"hooks":{}}');
  await one.init('codex');
  expect(one.text('.codex/config.toml')).toBe(CODEX_TOML);
  expect(one.text('.codex/hooks.json')).toContain('foreword-hook');
  await one.uninstall();
  expect(one.text('.codex/hooks.json')).toBe('{"hooks":{}}');
});

test('uninstall says where else hooks are, and finds those of a folder that moved', async () => {
  const other = join(one.home, 'other');
  mkdirSync(other);
  const elsewhere = { home: one.home, root: other, env: {} };
  await one.apply(one.plan('gemini', { scope: 'project', places: elsewhere }));
  await one.apply(
    one.plan('claude', { places: { ...one.machine().places, env: { CLAUDE_CONFIG_DIR: join(one.home, 'cfg') } } }),
  );
  const made = await one.uninstall();
  expect(made.notes).toEqual([`Hooks are also installed for the project ${other}; run foreword uninstall there.`]);
  expect(existsSync(join(one.home, 'cfg'))).toBe(false);
});

test('property: whatever the settings hold, uninstall after init gives the same bytes', async () => {
  const agents = ['claude', 'gemini', 'qwen', 'cursor', 'crush', 'codex'];
  const files = [
    '.claude/settings.json',
    '.gemini/settings.json',
    '.qwen/settings.json',
    '.cursor/hooks.json',
    '.config/crush/crush.json',
    '.codex/hooks.json',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(settingsText, { minLength: 6, maxLength: 6 }), fc.boolean(), async (texts, isMoved) => {
      for (const [index, file] of files.entries()) one.put(file, texts[index] ?? '');
      const before = one.everything();
      await one.init(agents.join(','));
      expect(one.plan(agents.join(',')).changes).toEqual([]);
      if (isMoved) await one.init(agents.join(','), { hook: '/else/where/foreword-hook' });
      await one.uninstall();
      expect(one.everything()).toEqual(before);
    }),
    { numRuns: scaled(60) },
  );
});

test('without our records uninstall leaves no empty settings behind', async () => {
  const before = one.everything();
  await one.init('claude,codex,gemini,cursor,copilot,qwen');
  rmSync(one.state(), { recursive: true });
  await one.uninstall();
  const files = (all: object) => Object.entries(all).filter(([, what]) => what !== 'other');
  expect(files(one.everything())).toEqual(files(before));
});
