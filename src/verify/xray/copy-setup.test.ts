import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SETUPS } from '../../agents/setups.ts';
import type { SetupFacts } from '../../kernel/agent-setup.ts';
import { copySetup } from './copy-setup.ts';
import { dataFolders, programsBelow } from './programs-below.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-copy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function copy(isBaseline = false, facts = SETUPS.claude as SetupFacts) {
  const into = join(folder, isBaseline ? 'bare' : 'copy');
  for (const one of [into, join(folder, 'home/project')]) mkdirSync(one, { recursive: true });
  const home = join(folder, 'home');
  const project = join(home, 'project');
  const copied = copySetup({
    facts,
    home,
    project,
    cwd: project,
    env: {},
    into,
    isBaseline,
    recorder: (kind) => [`/record-${kind}`],
    formats: { parse: parsed, print: (value) => JSON.stringify(value) },
  });
  return {
    ...copied,
    read: (path: string) => readFileSync(join(into, path), 'utf8'),
    has: (path: string) => existsSync(join(into, path)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hooks = (event: string, command: string) => ({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } });

test('settings are copied with the recorder in them and without keys, helpers and other services', () => {
  const settings = {
    ...hooks('SessionStart', 'echo hello'),
    apiKeyHelper: 'cat key',
    env: { ANTHROPIC_BASE_URL: 'https://else.invalid', NOTES_TOKEN: 'a-long-secret-value', EDITOR: 'vi' },
    model: 'opus',
  };
  write({
    'home/.claude/settings.json': JSON.stringify(settings),
    'home/.claude/.credentials.json': '{"token":"x"}',
    'home/.claude/projects/p/session.jsonl': '{}',
    'home/.claude/tool.yaml': `key: ${KEY}\n`,
    'home/.claude.json': JSON.stringify({
      oauthAccount: { id: 1 },
      mcpServers: { shop: { command: 'serve', env: { API_KEY: KEY } } },
    }),
  });
  const before = readFileSync(join(folder, 'home/.claude/settings.json'), 'utf8');
  const copied = copy();
  const value = JSON.parse(copied.read('.claude/settings.json'));
  expect(value).toMatchObject({ model: 'opus', env: { EDITOR: 'vi', NOTES_TOKEN: '[redacted]' } });
  expect(Object.keys(value.env)).toEqual(['NOTES_TOKEN', 'EDITOR']);
  expect(value.apiKeyHelper).toBeUndefined();
  expect(value.hooks.SessionStart[0].hooks[0].command).toBe("'/record-hook' 'h0' 'echo hello'");
  expect(copied.has('.claude/.credentials.json') || copied.has('.claude/projects')).toBe(false);
  expect(copied.read('.claude/tool.yaml') + copied.read('.claude.json')).not.toContain(KEY);
  expect(JSON.parse(copied.read('.claude.json'))).not.toHaveProperty('oauthAccount');
  expect(copied.hooks).toMatchObject([
    { event: 'SessionStart', command: 'echo hello', file: '~/.claude/settings.json' },
  ]);
  expect(copied.servers).toMatchObject([{ name: 'shop', owner: { kind: 'server' } }]);
  expect(readFileSync(join(folder, 'home/.claude/settings.json'), 'utf8')).toBe(before);
});

test('no key of a server, a hook or a file of keys is in the copy or shown, whatever its name', () => {
  const key = 'correcthorse1';
  const command = `notify --verbose --api-key ${key}`;
  write({
    'home/.claude/settings.json': JSON.stringify(hooks('Stop', command)),
    'home/.claude.json': JSON.stringify({
      mcpServers: {
        shop: { command: 'serve', args: ['--api-key', key] },
        far: { url: `https://far.invalid/?api_key=${key}` },
      },
    }),
    'home/.claude/hooks/.env': `MY_TOKEN=${key}\nEDITOR=vi\n`,
    'home/.claude/hooks/.env.local': `MY_TOKEN=${key}\n`,
    'home/.claude/hooks/.envrc': `export MY_TOKEN=${key}\n`,
    'home/.claude/hooks/.npmrc': `//registry.invalid/:_authToken=${key}\n`,
    'home/.claude/hooks/.netrc': `machine shop.invalid login me password ${key}\n`,
    'home/.claude/hooks/broken.json': `{ "token": "${key}", `,
    'home/.claude/hooks/token': key,
    'home/.claude/hooks/shop.pem': key,
    'home/.claude/hooks/token.sh': '#!/bin/sh\n',
  });
  const copied = copy();
  const names = readdirSync(join(folder, 'copy'), { recursive: true, encoding: 'utf8' });
  const texts = names.filter((name) => statSync(join(folder, 'copy', name)).isFile()).map((name) => copied.read(name));
  expect(texts.filter((text) => text.includes(key))).toEqual([]);
  expect(JSON.stringify([copied.hooks, copied.servers])).not.toContain(key);
  expect(copied.read('.claude/hooks/.env')).toBe('MY_TOKEN=[redacted]\nEDITOR=vi\n');
  expect(copied.has('.claude/hooks/token.sh')).toBe(true);
});

test('settings of any size are copied without keys, and no large file of keys is mounted', () => {
  const history = 'said '.repeat(2_000_000);
  write({
    'home/.claude.json': JSON.stringify({
      history,
      mcpServers: { shop: { command: 'serve', env: { SHOP_TOKEN: 'plainword1' } } },
    }),
    'home/.claude/shop.yaml': `token: plainword1\nhistory: ${history}`,
    'home/.claude/shop.db': history,
  });
  const { mounted, read } = copy();
  expect(JSON.parse(read('.claude.json')).mcpServers.shop.env).toEqual({ SHOP_TOKEN: '[redacted]' });
  expect(mounted).toEqual(['.claude/shop.db']);
});

test('of the folder of another agent that settings name nothing is copied, of one of its skills everything', () => {
  const args = [join(folder, 'home/.codex'), join(folder, 'home/.gemini/skills/a'), `${join(folder, 'home')}/`];
  write({
    'home/.claude.json': JSON.stringify({ mcpServers: { files: { command: 'serve', args } } }),
    'home/.claude/CLAUDE.md': 'Mine. @~/.codex/AGENTS.md @~/.codex/auth.json',
    'home/.codex/auth.json': JSON.stringify({ id: 'somebody' }),
    'home/.codex/AGENTS.md': 'Of the other one.',
    'home/.gemini/skills/a/SKILL.md': 'A skill.',
    'home/letters/one.md': 'Private.',
  });
  const { has } = copy();
  expect(['.codex/AGENTS.md', '.gemini/skills/a/SKILL.md'].map(has)).toEqual([true, true]);
  expect(['.codex/auth.json', 'letters'].map(has)).toEqual([false, false]);
});

test('a plug-in brings hooks and texts under its name; one that is switched off is not copied', () => {
  write({
    'home/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'good@market': true, 'off@market': false } }),
    'home/.claude/plugins/known_marketplaces.json': JSON.stringify({
      m: { source: { path: join(folder, 'home/market') } },
    }),
    'home/.claude/plugins/cache/market/good/1.0/hooks/hooks.json': JSON.stringify(hooks('Stop', 'run good')),
    'home/.claude/plugins/cache/market/good/1.0/skills/a/SKILL.md': 'A skill of the plug-in.',
    'home/.claude/plugins/cache/market/good/1.0/node_modules/big/index.js': '1',
    'home/.claude/plugins/cache/market/off/1.0/hooks/hooks.json': JSON.stringify(hooks('Stop', 'run off')),
  });
  const { hooks: found, texts, mounted, named, has } = copy();
  expect(named).toEqual([join(folder, 'home/market')]);
  expect(found).toMatchObject([{ command: 'run good', owner: { kind: 'hook', plugIn: 'good' } }]);
  expect(texts).toMatchObject([{ owner: { kind: 'plug-in', name: 'good' } }]);
  expect(mounted).toEqual(['.claude/plugins/cache/market/good/1.0/node_modules']);
  expect(has('.claude/plugins/cache/market/off')).toBe(false);
});

test('instruction files are known with what they import, in the home and in the project', () => {
  write({
    'home/.claude/CLAUDE.md': 'Mine. @more.md',
    'home/.claude/more.md': 'More of mine.\n@~/notes/deep.md',
    'home/notes/deep.md': 'Deep. @deep.md',
    'home/CLAUDE.md': 'Above the project.',
    'home/project/CLAUDE.md': 'Of the project.',
    'home/project/.claude/settings.json': JSON.stringify(hooks('Stop', 'run here')),
  });
  const { texts, hooks: found, projectFiles, has, read } = copy();
  const names = ['CLAUDE.md', '~/.claude/CLAUDE.md', '~/.claude/more.md', '~/CLAUDE.md', '~/notes/deep.md'];
  expect(texts.map(({ owner }) => owner.name).sort()).toEqual(names);
  expect(read('notes/deep.md')).toBe('Deep. @deep.md');
  expect(has('project')).toBe(false);
  expect(found).toMatchObject([{ command: 'run here', file: '.claude/settings.json' }]);
  expect(JSON.parse(projectFiles['.claude/settings.json'] ?? '').hooks.Stop[0].hooks[0].command).toContain(
    '/record-hook',
  );
});

test('the session without the set-up has the settings of the agent alone', () => {
  write({
    'home/.claude/settings.json': JSON.stringify({
      ...hooks('Stop', 'x'),
      model: 'opus',
      enabledPlugins: { 'a@b': true },
    }),
    'home/.claude/CLAUDE.md': 'Mine.',
    'home/.claude/agents/a.md': 'An agent.',
    'home/project/CLAUDE.md': 'Of the project.',
    'home/project/.mcp.json': '{"mcpServers":{}}',
  });
  const bare = copy(true);
  expect(JSON.parse(bare.read('.claude/settings.json'))).toEqual({ model: 'opus' });
  expect(bare.has('.claude/CLAUDE.md') || bare.has('.claude/agents/a.md')).toBe(false);
  expect(bare.hidden).toEqual(['.mcp.json', 'CLAUDE.md']);
  expect([bare.hooks, bare.texts, bare.servers]).toEqual([[], [], []]);
});

test('every file in a folder of hooks of the project has the recorder in it, and is hidden without the set-up', () => {
  const facts = { ...(SETUPS.claude as SetupFacts), projectSettings: ['.github/hooks/'] };
  write({
    'home/project/.github/hooks/one.json': JSON.stringify(hooks('sessionStart', 'echo one')),
    'home/project/.github/hooks/two.json': JSON.stringify(hooks('agentStop', 'echo two')),
    'home/project/.github/hooks/notes.md': 'no settings',
  });
  const { projectFiles, hooks: found } = copy(false, facts);
  expect(Object.keys(projectFiles)).toEqual(['.github/hooks/one.json', '.github/hooks/two.json']);
  expect(found).toMatchObject([
    { command: 'echo one', file: '.github/hooks/one.json' },
    { command: 'echo two', file: '.github/hooks/two.json' },
  ]);
  expect(copy(true, facts).hidden).toEqual(expect.arrayContaining(Object.keys(projectFiles)));
});

test("a stranger's hook in a folder named foreword is the stranger's, and ours is ours", () => {
  const lines = [
    'cat /home/me/foreword-notes/rules.txt',
    'test ! -x /opt/d/foreword-hook || exec /opt/d/foreword-hook prompt x',
  ];
  const entries = lines.map((command) => ({ hooks: [{ type: 'command', command }] }));
  const servers = { foreword: { command: 'foreword', args: ['mcp'] }, notes: { command: '/opt/foreword/other' } };
  write({
    'home/.claude/settings.json': JSON.stringify({ hooks: { SessionStart: entries } }),
    'home/.claude.json': JSON.stringify({ mcpServers: servers }),
  });
  const copied = copy();
  expect(copied.hooks.map(({ owner }) => owner.kind)).toEqual(['hook', 'foreword']);
  expect(copied.servers.map(({ owner }) => owner.kind)).toEqual(['foreword', 'server']);
});

test.each([
  ['claude', '.claude/.credentials.json'],
  ['codex', '.codex/auth.json'],
  ['gemini', '.gemini/oauth_creds.json'],
  ['qwen', '.qwen/oauth_creds.json'],
  ['qwen', '.qwen/.env'],
  ['copilot', '.copilot/config.json'],
  ['opencode', '.config/opencode/auth.json'],
])('%s: %s, which says who is logged in, is never copied', (agent, path) => {
  write({ [`home/${path}`]: JSON.stringify({ token: KEY }), [`home/${dirname(path)}/rules.md`]: 'Be brief.\n' });
  const copied = copy(false, SETUPS[agent] as SetupFacts);
  expect([copied.has(path), copied.has(join(dirname(path), 'rules.md'))]).toEqual([false, true]);
});

test.each([
  ['qwen', '.qwen/settings.json', { env: { X: 'v' }, modelProviders: {}, security: { auth: { apiKey: KEY } } }],
  ['copilot', '.copilot/settings.json', { model: 'x', proxyUrl: 'http://p.invalid', statusLine: { command: 'date' } }],
])('%s: settings that lead elsewhere or run a helper are left out of the copy', (agent, path, elsewhere) => {
  write({ [`home/${path}`]: JSON.stringify({ ...elsewhere, other: 1, ...hooks('SessionStart', 'echo x') }) });
  const facts = SETUPS[agent] as SetupFacts;
  const { security, ...kept } = JSON.parse(copy(false, facts).read(path));
  expect(Object.keys(kept).sort()).toEqual(['hooks', 'other']);
  expect(JSON.stringify(security ?? {})).toBe('{}');
  expect(Object.keys(JSON.parse(copy(true, facts).read(path))).filter((key) => key !== 'security')).toEqual(['other']);
});

test('a server of a plug-in has the name that its tools have, once, and a hook that nobody waits for is known', () => {
  const servers = { mcpServers: { time: { command: 'clock' } } };
  const plugIn = '.claude/plugins/cache/market/watch/1.0.0';
  const entry = { type: 'command', command: 'tick', async: true };
  write({
    'home/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'watch@market': true } }),
    [`home/${plugIn}/.mcp.json`]: JSON.stringify(servers),
    [`home/${plugIn}/hooks/hooks.json`]: JSON.stringify({ hooks: { Stop: [{ hooks: [entry] }] } }),
    'home/.claude/plugins/known_marketplaces.json': JSON.stringify({ market: { at: join(folder, 'home/market') } }),
    'home/market/watch/.mcp.json': JSON.stringify(servers),
    'home/.claude.json': JSON.stringify({ mcpServers: { time: { command: 'other' } } }),
  });
  const copied = copy();
  expect(copied.servers.map(({ name, command, owner }) => [name, command, owner.plugIn])).toEqual([
    ['plugin_watch_time', 'clock', 'watch'],
    ['time', 'other', undefined],
  ]);
  expect(copied.hooks).toMatchObject([{ command: 'tick', isAsync: true }]);
});

test('an executable stays one, a link is followed, and a link in a circle ends', () => {
  write({
    'home/.claude/hooks/run.sh': '#!/bin/sh\n',
    'home/dotfiles/CLAUDE.md': 'Linked.',
    'home/.ssh/id': 'private',
  });
  chmodSync(join(folder, 'home/.claude/hooks/run.sh'), 0o755);
  symlinkSync(join(folder, 'home/.ssh/id'), join(folder, 'home/.claude/id.md'));
  symlinkSync(join(folder, 'home/dotfiles/CLAUDE.md'), join(folder, 'home/.claude/CLAUDE.md'));
  symlinkSync(join(folder, 'home/.claude'), join(folder, 'home/.claude/circle'));
  const copied = copy();
  expect(copied.read('.claude/CLAUDE.md')).toBe('Linked.');
  expect(statSync(join(folder, 'copy/.claude/hooks/run.sh')).mode & 0o111).not.toBe(0);
  expect(copied.has('.claude/id.md') || copied.has('.claude/circle')).toBe(false);
});

test('programs below the home are mounted with what they need, private folders never', () => {
  write({
    'home/.nvm/versions/node/v22/bin/node': '',
    'home/.local/bin/tool': '',
    'home/scripts/hook.sh': '',
    'home/alone.sh': '',
    'home/.ssh/id': '',
    'home/.claude/hooks/own.sh': '',
    'home/.memory/data.db': '',
    'home/.other/data.db': '',
  });
  const home = join(folder, 'home');
  const lines = [
    `bash ${home}/scripts/hook.sh`,
    '~/alone.sh',
    `${home}/.claude/hooks/own.sh`,
    'cat ~/.ssh/id',
    '$HOME/gone.sh',
  ];
  const path = `${home}/.local/bin:/usr/bin`;
  write({ 'home/tools/node_modules/guard/cli.js': '', 'home/tools/node_modules/.bin/other': '' });
  symlinkSync('../guard/cli.js', join(home, 'tools/node_modules/.bin/guard'));
  lines.push(`${home}/tools/node_modules/.bin/guard hook`);
  expect([...programsBelow({ home, path, programs: [], lines, copied: ['.claude'] })].sort()).toEqual(
    ['.local/bin', '.nvm', 'alone.sh', 'scripts', 'tools/node_modules'].sort(),
  );
  expect(dataFolders(home, ['.claude'], (name) => '~/.memory/data.db'.includes(name))).toEqual(['.memory']);
});
