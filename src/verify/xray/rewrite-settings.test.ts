import { expect, test } from 'vitest';
import { type FoundHook, type FoundServer, merged, quoted, rewriteSettings, textsAt } from './rewrite-settings.ts';

function rewritten(value: unknown) {
  const hooks: FoundHook[] = [];
  const servers: FoundServer[] = [];
  const result = rewriteSettings(value, ['mcpServers'], {
    hook: (found) => ['/r', `h${hooks.push(found) - 1}`],
    server: (found) => {
      servers.push(found);
      return ['/s', found.name];
    },
  });
  return { result, hooks, servers };
}

test('the command of a hook goes on as one quoted word, and everything else stays', () => {
  const hook = { type: 'command', command: "echo it's fine", timeout: 5 };
  const value = { theme: 'dark', hooks: { SessionStart: [{ matcher: 'startup', hooks: [hook] }] } };
  const { result, hooks } = rewritten(value);
  expect(hooks).toEqual([{ event: 'SessionStart', command: "echo it's fine", place: 'SessionStart:0:0' }]);
  const command = "'/r' 'h0' 'echo it'\\''s fine'";
  expect(result).toEqual({
    theme: 'dark',
    hooks: { SessionStart: [{ matcher: 'startup', hooks: [{ ...hook, command }] }] },
  });
});

test('a hook that names its words or its shell keeps them', () => {
  const words = { type: 'command', command: 'node', args: ['a.js'] };
  const bash = { type: 'command', command: 'shopt', shell: 'bash' };
  const { result } = rewritten({ hooks: { Stop: [{ hooks: [words, bash] }] } });
  expect(result).toEqual({
    hooks: {
      Stop: [
        {
          hooks: [
            { ...words, command: '/r', args: ['h0', 'node', 'a.js'] },
            { ...bash, command: "'/r' 'h1' '/bin/bash' '-c' 'shopt'" },
          ],
        },
      ],
    },
  });
});

test('a hook whose line or program has another name is recorded too', () => {
  const line = { type: 'command', bash: 'echo $PPID', timeoutSec: 5 };
  const program = { type: 'command', exec: 'node', args: ['a.js'] };
  const { result, hooks } = rewritten({ version: 1, hooks: { sessionStart: [line, program] } });
  expect(hooks.map(({ command }) => command)).toEqual(['echo $PPID', 'node a.js']);
  expect(result).toEqual({
    version: 1,
    hooks: {
      sessionStart: [
        { ...line, bash: "'/r' 'h0' '/bin/bash' '-c' 'echo $PPID'" },
        { ...program, exec: '/r', args: ['h1', 'node', 'a.js'] },
      ],
    },
  });
});

test('a server runs through the recorder, also below a project; one behind an address is taken out and named', () => {
  const near = { command: 'serve', args: ['--all'], env: { A: '1' } };
  const value = {
    mcpServers: { near, far: { type: 'http', url: 'https://far.invalid' } },
    projects: { '/p': { mcpServers: { single: { command: 'serve' } } } },
  };
  const { result, servers } = rewritten(value);
  expect(result).toEqual({
    mcpServers: { near: { ...near, command: '/s', args: ['near', 'serve', '--all'] } },
    projects: { '/p': { mcpServers: { single: { command: '/s', args: ['single', '/usr/bin/env', 'serve'] } } } },
  });
  expect(servers).toEqual([
    { name: 'near', command: 'serve --all', isRemote: false },
    { name: 'far', command: 'https://far.invalid', isRemote: true },
    { name: 'single', command: 'serve', isRemote: false },
  ]);
});

test('whatever else a file holds stays as it is', () => {
  for (const value of [null, 7, 'text', [1], { hooks: 'none' }, { hooks: { Stop: 'x' } }, { mcpServers: [] }])
    expect(rewritten(value).result).toEqual(value);
});

test('of two settings the second counts, key by key', () => {
  expect(merged({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 4 } })).toEqual({ a: 1, b: { c: 4, d: 3 } });
  expect(merged(undefined, { a: 1 })).toEqual({ a: 1 });
});

test('a quoted word is one word of a shell', () => {
  expect(quoted(`a'b "c" $d`)).toBe(`'a'\\''b "c" $d'`);
});

test('a hook that the agent would skip is left out, its neighbours keep their places', () => {
  const hooks = { Stop: [{ hooks: [{ command: 'one' }, { command: 'two' }] }, { command: 'three' }] };
  const places: string[] = [];
  const result = rewriteSettings({ hooks }, [], {
    hook: ({ place, command }) => {
      places.push(place);
      return command === 'one' ? undefined : ['/r'];
    },
    server: () => undefined,
  });
  expect(places).toEqual(['Stop:0:0', 'Stop:0:1', 'Stop:1:0']);
  expect(result).toEqual({ hooks: { Stop: [{ hooks: [{ command: "'/r' 'two'" }] }, { command: "'/r' 'three'" }] } });
});

test('texts are found at keys and at paths', () => {
  const value = { one: 'first', two: 2, agent: { a: { prompt: 'A.' }, b: { prompt: 3 }, c: { prompt: 'C.' } } };
  expect(textsAt(value, ['one', 'two', 'none', 'agent.*.prompt', 'one.*.prompt'])).toEqual([
    ['one', 'first'],
    ['agent.a.prompt', 'A.'],
    ['agent.c.prompt', 'C.'],
  ]);
});
