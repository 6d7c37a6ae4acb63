import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../../agents/index.ts';
import { HOOK_EVENTS } from '../../../kernel/hook-events.ts';
import { sha256 } from '../../../system/sha256.ts';
import { fillLaunchHook, inTheWay } from './launch-hook.ts';

const FOLDER = '/home/me/a "b" c/session';
const command = (event: string) => `test ! -x '/opt/it''s/foreword-hook' || exec "/opt/x" ${event} \\ {file} {sum a}`;
const EVENTS: readonly string[] = HOOK_EVENTS;

test('everything is filled in, in one go', () => {
  const filled = fillLaunchHook(
    {
      firesAt: 'launch',
      file: { name: 'in/it.json', content: '{"a":"{command stop}","b":"{folder}","c":"{plug-in}"}' },
      args: ['--x={file}', '{url}', '{sum whole}', '{ file }', '{unknown}'],
      set: { X: '{file}' },
      sums: { whole: '{command stop}' },
    },
    { folder: '/f', command, plugIn: '{file}', sha256 },
  );
  const inJson = JSON.stringify(command('stop')).slice(1, -1);
  expect(filled).toEqual({
    args: ['--x=/f/in/it.json', 'file:///f/in/it.json', sha256(inJson), '{ file }', '{unknown}'],
    set: { X: '/f/in/it.json' },
    file: { path: '/f/in/it.json', content: `{"a":"${inJson}","b":"/f/in","c":"{file}"}` },
  });
});

const launched = AGENTS.flatMap(({ name, interactive }) => {
  const hook = interactive?.launch?.hook;
  return hook === undefined ? [] : [{ name, hook }];
});

describe.each(launched)('$name', ({ hook }) => {
  const filled = fillLaunchHook(hook, { folder: FOLDER, command, plugIn: '// plug-in', sha256 });
  const all = [...filled.args, ...Object.values(filled.set), filled.file?.content ?? ''];

  test('has no placeholder left, and only events that there are', () => {
    const raw = JSON.stringify(hook);
    const events = [...raw.matchAll(/\{command ([a-z-]+)\}/g)].map(([, event]) => event);
    expect(events.filter((event) => !EVENTS.includes(event ?? ''))).toEqual([]);
    for (const text of all)
      expect(text.replaceAll(/\\\\ \{file\} \{sum a\}/g, '')).not.toMatch(/\{(command|file|sum|url)/);
  });

  test('has JSON that holds the command lines as they are', () => {
    if (filled.file?.path.endsWith('.json') !== true) return;
    const said: string[] = [];
    JSON.parse(filled.file.content, (_, value: unknown) => {
      if (typeof value === 'string' && value.includes('foreword-hook')) said.push(value);
      return value;
    });
    expect(said.length).toBeGreaterThan(4);
    for (const line of said) expect(EVENTS.map(command)).toContain(line);
  });
});

test('Codex gets the hash of each of our hooks, as it makes it itself', () => {
  const hook = launched.find(({ name }) => name === 'codex')?.hook;
  const [, toml = ''] = fillLaunchHook(hook!, { folder: FOLDER, command, sha256 }).args;
  // Key order, defaults and the missing matcher are those of codex-rs/hooks; seen to be accepted by 0.166.0.
  const hash = sha256(
    JSON.stringify({
      event_name: 'pre_tool_use',
      hooks: [{ async: false, command: command('pre-tool'), timeout: 5, type: 'command' }],
    }),
  );
  expect(toml).toContain(`"/<session-flags>/config.toml:pre_tool_use:0:0"={trusted_hash="sha256:${hash}"}`);
  expect(toml).toContain(
    `PreToolUse=[{hooks=[{type="command",command=${JSON.stringify(command('pre-tool'))},timeout=5}]}]`,
  );
});

test('a launch gives way to what the person has', () => {
  const hook = {
    firesAt: 'launch' as const,
    givesWayTo: { args: ['--settings'], variables: ['X_PATH'], files: ['/etc/x.json'] },
  };
  const given = { args: ['-c', 'a'], env: {}, isThere: () => false };
  expect(inTheWay(hook, given)).toBeUndefined();
  expect(inTheWay(hook, { ...given, args: ['--settings', 'x'] })).toBe('--settings');
  expect(inTheWay(hook, { ...given, args: ['--settings=x'] })).toBe('--settings');
  expect(inTheWay(hook, { ...given, args: ['--settingsx'] })).toBeUndefined();
  expect(inTheWay(hook, { ...given, env: { X_PATH: '/y' } })).toBe('X_PATH');
  expect(inTheWay(hook, { ...given, env: { X_PATH: '' } })).toBeUndefined();
  expect(inTheWay(hook, { ...given, isThere: (path) => path === '/etc/x.json' })).toBe('/etc/x.json');
  expect(inTheWay({ firesAt: 'launch' }, given)).toBeUndefined();
});
