// What each agent is given, as a table; and that variables which move an agent's folder are honoured.

import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { HOOKS } from '../agents/hooks.ts';
import type { Places, Scope, TargetRequest } from './target.ts';
import { TARGETS } from './targets.ts';

const HOME = '/home/me';
const ROOT = '/home/me/shop';

function asked(
  scope: Scope,
  agent: string,
  env: Places['env'] = {},
  files: Readonly<Record<string, string>> = {},
): TargetRequest {
  return {
    scope,
    places: { home: HOME, root: ROOT, env },
    look: {
      exists: (path) => path in files,
      text: (path) => files[path],
      list: (folder) => Object.keys(files).flatMap((path) => (dirname(path) === folder ? [basename(path)] : [])),
    },
    words: (event) => ['/opt/foreword-hook', event, agent],
  };
}

function wayOf(agent: string, scope: Scope, env: Places['env'] = {}, files: Readonly<Record<string, string>> = {}) {
  const target = TARGETS.find((one) => one.agent === agent);
  const way = target?.way(asked(scope, agent, env, files));
  if (way?.kind !== 'put') throw new Error(way?.why ?? `no ${agent}`);
  return way;
}

function rows(agent: string): readonly string[] {
  const { want } = wayOf(agent, 'user');
  if (want.format !== 'json') throw new Error(want.format);
  return want.entries.map(({ event, value }) => {
    const [hook = value] = (value.hooks as Record<string, unknown>[] | undefined) ?? [];
    const line = String(hook.command ?? hook.bash);
    return `${event} ${/foreword-hook ([a-z-]+ [a-z]+)$/.exec(line)?.[1]} ${hook.timeout ?? hook.timeoutSec}`;
  });
}

test.each([
  [
    'claude',
    [
      'SessionStart session-start claude 5',
      'UserPromptSubmit prompt claude 5',
      'PreToolUse pre-tool claude 5',
      'Stop stop claude 5',
      'SessionEnd session-end claude 5',
      'SubagentStart subagent-start claude 5',
    ],
  ],
  [
    'codex',
    [
      'SessionStart session-start codex 5',
      'UserPromptSubmit prompt codex 5',
      'PreToolUse pre-tool codex 5',
      'PreCompact pre-compact codex 5',
      'Stop stop codex 5',
      'SessionEnd session-end codex 3',
      'SubagentStart subagent-start codex 5',
    ],
  ],
  [
    'gemini',
    [
      'SessionStart session-start gemini 5000',
      'BeforeAgent prompt gemini 5000',
      'AfterTool post-tool gemini 5000',
      'PreCompress pre-compact gemini 5000',
      'AfterAgent stop gemini 5000',
      'SessionEnd session-end gemini 5000',
    ],
  ],
  [
    'qwen',
    [
      'SessionStart session-start qwen 5000',
      'UserPromptSubmit prompt qwen 5000',
      'PreCompact pre-compact qwen 5000',
      'Stop stop qwen 5000',
      'SessionEnd session-end qwen 5000',
      'PostToolUse post-tool qwen 5000',
    ],
  ],
  [
    'copilot',
    [
      'sessionStart session-start copilot 5',
      'userPromptSubmitted prompt copilot 5',
      'preToolUse pre-tool copilot 5',
      'preCompact pre-compact copilot 5',
      'agentStop stop copilot 5',
      'sessionEnd session-end copilot 5',
    ],
  ],
  [
    'cursor',
    [
      'sessionStart session-start cursor 5',
      'beforeSubmitPrompt prompt cursor 5',
      'preToolUse pre-tool cursor 5',
      'preCompact pre-compact cursor 5',
      'stop stop cursor 5',
      'sessionEnd session-end cursor 5',
    ],
  ],
  ['crush', ['PreToolUse pre-tool crush 5']],
])('%s is given these events, and no others but those of its folder', (agent, expected) => {
  const given = rows(agent);
  expect(given.filter((row) => expected.includes(row))).toEqual(expected);
  const names = Object.entries(HOOKS[agent]?.events ?? {}).map(([event, name]) => `${name} ${event} ${agent}`);
  expect(given.filter((row) => !names.includes(row.replace(/ \d+$/, '')))).toEqual([]);
});

test.each([
  [
    'claude',
    'CLAUDE_CONFIG_DIR',
    '/elsewhere/settings.json',
    `${HOME}/.claude/settings.json`,
    `${ROOT}/.claude/settings.local.json`,
  ],
  ['codex', 'CODEX_HOME', '/elsewhere/hooks.json', `${HOME}/.codex/hooks.json`, `${ROOT}/.codex/hooks.json`],
  [
    'copilot',
    'COPILOT_HOME',
    '/elsewhere/hooks/foreword.json',
    `${HOME}/.copilot/hooks/foreword.json`,
    `${ROOT}/.github/hooks/foreword.json`,
  ],
  ['cursor', 'NOTHING', `${HOME}/.cursor/hooks.json`, `${HOME}/.cursor/hooks.json`, `${ROOT}/.cursor/hooks.json`],
  [
    'gemini',
    'GEMINI_CLI_HOME',
    '/elsewhere/.gemini/settings.json',
    `${HOME}/.gemini/settings.json`,
    `${ROOT}/.gemini/settings.json`,
  ],
  ['qwen', 'QWEN_HOME', '/elsewhere/settings.json', `${HOME}/.qwen/settings.json`, `${ROOT}/.qwen/settings.json`],
  ['crush', 'XDG_CONFIG_HOME', '/elsewhere/crush/crush.json', `${HOME}/.config/crush/crush.json`, `${ROOT}/crush.json`],
  [
    'opencode',
    'XDG_CONFIG_HOME',
    '/elsewhere/opencode/plugins/foreword.js',
    `${HOME}/.config/opencode/plugins/foreword.js`,
    `${ROOT}/.opencode/plugins/foreword.js`,
  ],
  [
    'pi',
    'PI_CODING_AGENT_DIR',
    '/elsewhere/extensions/foreword.ts',
    `${HOME}/.pi/agent/extensions/foreword.ts`,
    `${ROOT}/.pi/extensions/foreword.ts`,
  ],
  [
    'goose',
    'XDG_CONFIG_HOME',
    '/elsewhere/goose/.goosehints',
    `${HOME}/.config/goose/.goosehints`,
    `${ROOT}/.goosehints`,
  ],
  ['amp', 'NOTHING', `${HOME}/.config/amp/AGENTS.md`, `${HOME}/.config/amp/AGENTS.md`, `${ROOT}/AGENTS.md`],
])('%s keeps it there, or where %s says', (agent, variable, moved, user, project) => {
  expect(wayOf(agent, 'user', { [variable]: '/elsewhere' }).site.file).toBe(moved);
  expect(wayOf(agent, 'user', { [variable]: '' }).site.file).toBe(user);
  expect(wayOf(agent, 'project').site.file).toBe(project);
});

test('Codex gets them where the person keeps hooks already, and last', () => {
  const file = `${HOME}/.codex/config.toml`;
  expect(wayOf('codex', 'user', {}, { [file]: '[[hooks.Stop]]\n' })).toMatchObject({
    site: { file },
    want: { format: 'toml' },
  });
  expect(wayOf('codex', 'user', {}, { [file]: '[hooks.state."x"]\n' })).toMatchObject({
    want: { format: 'json', place: 'last' },
  });
  const both = { [file]: '[[hooks.Stop]]\n', [`${HOME}/.codex/hooks.json`]: '{}' };
  expect(wayOf('codex', 'user', {}, both)).toMatchObject({ want: { format: 'json' } });
});

test('Aider gets the files that exist, and is skipped when that would override a setting', () => {
  const files = { [`${ROOT}/.context/TASKS.md`]: '' };
  expect(wayOf('aider', 'project', {}, files).want).toMatchObject({ items: ['.context/TASKS.md'] });
  expect(() => wayOf('aider', 'user', {}, files)).toThrow('--scope project');
  expect(() => wayOf('aider', 'project')).toThrow('--context-files');
  expect(() => wayOf('aider', 'project', {}, { ...files, [`${HOME}/.aider.conf.yml`]: 'read: [a]\n' })).toThrow(
    'override',
  );
});

test('no AGENTS.md is made where that would turn another file off', () => {
  expect(() => wayOf('amp', 'project', {}, { [`${ROOT}/CLAUDE.md`]: '' })).toThrow('it reads CLAUDE.md');
  expect(wayOf('amp', 'project', {}, { [`${ROOT}/CLAUDE.md`]: '', [`${ROOT}/AGENTS.md`]: '' }).site.file).toBe(
    `${ROOT}/AGENTS.md`,
  );
});

test('every agent with hooks can be installed', () => {
  const names = TARGETS.map(({ agent }) => agent);
  expect(Object.keys(HOOKS).filter((name) => !names.includes(name))).toEqual([]);
});

test('the note for Codex explains what it will ask, and which program it must show', () => {
  const notes = TARGETS.find(({ agent }) => agent === 'codex')?.notes(asked('user', 'codex')) ?? [];
  expect(notes.join('\n')).toMatch(/"Hooks need review".* 7 hooks .*\/opt\/foreword-hook.*"Trust all and continue"/s);
});

const CLAUDE = '/etc/claude-code/managed-settings';

test.each([
  ['claude', `${CLAUDE}.json`, { disableAllHooks: true }, 'disableAllHooks'],
  ['claude', `${CLAUDE}.json`, { allowManagedHooksOnly: true }, 'allowManagedHooksOnly'],
  ['claude', `${CLAUDE}.d/20-hooks.json`, { allowManagedHooksOnly: true }, 'allowManagedHooksOnly'],
  ['claude', `${CLAUDE}.d/20-hooks.json`, { disableAllHooks: true }, 'disableAllHooks'],
  ['gemini', '/etc/gemini-cli/settings.json', { hooksConfig: { enabled: false } }, 'hooksConfig.enabled'],
  ['qwen', '/etc/qwen-code/settings.json', { disableAllHooks: true }, 'disableAllHooks'],
  ['qwen', `${HOME}/.qwen/settings.json`, { disableAllHooks: true }, 'disableAllHooks'],
  ['qwen', `${ROOT}/.qwen/settings.json`, { disableAllHooks: true }, 'disableAllHooks'],
])('hooks of %s that are switched off in %s are not called healthy', (agent, file, settings, name) => {
  const target = TARGETS.find((one) => one.agent === agent);
  const off = target?.switchedOff?.(asked('user', agent, {}, { [file]: JSON.stringify(settings) }));
  expect(off).toBe(`${name} in ${file}`);
});

test.each([
  // Only an administrator can say it.
  [`${HOME}/.claude/settings.json`, { allowManagedHooksOnly: true }],
  [`${CLAUDE}.json`, { disableAllHooks: false, allowManagedHooksOnly: false }],
  [`${CLAUDE}.d/.hidden.json`, { disableAllHooks: true }],
  [`${CLAUDE}.d/20-hooks.json.old`, { disableAllHooks: true }],
])('%s with %o switches no hooks off', (file, settings) => {
  const target = TARGETS.find((one) => one.agent === 'claude');
  expect(target?.switchedOff?.(asked('user', 'claude', {}, { [file]: JSON.stringify(settings) }))).toBeUndefined();
});
