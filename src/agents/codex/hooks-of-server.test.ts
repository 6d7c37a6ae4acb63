import { expect, test } from 'vitest';
import { hooksOfServer } from './hooks-of-server.ts';

const reply = (hooks: readonly object[], errors: readonly object[] = []) =>
  `{"id":2,"result":${JSON.stringify({ data: [{ cwd: '/p', hooks, warnings: [], errors }] })}}`;

test('each hook is trusted, untrusted, modified or disabled by its own word', () => {
  const hooks = [
    { command: 'a', enabled: true, trustStatus: 'trusted' },
    { command: 'b', enabled: true, trustStatus: 'untrusted' },
    { command: 'c', enabled: true, trustStatus: 'modified' },
    { command: 'd', enabled: false, trustStatus: 'trusted' },
  ];
  expect(hooksOfServer.answerIn(reply(hooks))).toEqual([
    { command: 'a', isEnabled: true, trust: 'trusted' },
    { command: 'b', isEnabled: true, trust: 'untrusted' },
    { command: 'c', isEnabled: true, trust: 'modified' },
    { command: 'd', isEnabled: false, trust: 'trusted' },
  ]);
  expect(hooksOfServer.answerIn(reply([]))).toEqual([]);
});

test('other lines, errors and what is no JSON say nothing', () => {
  for (const line of ['{"id":1,"result":{}}', reply([], [{ message: 'no' }]), '{"id":2', '{"id":2,"error":{}}'])
    expect(hooksOfServer.answerIn(line)).toBe(undefined);
});

test('the list of features tells whether hooks are on; an older Codex does not know the question', () => {
  const features = (enabled: boolean) =>
    `{"id":3,"result":${JSON.stringify({
      data: [
        { name: 'plugin_hooks', enabled: false },
        { name: 'hooks', enabled },
      ],
    })}}`;
  expect([hooksOfServer.isOnIn(features(true)), hooksOfServer.isOnIn(features(false))]).toEqual([true, false]);
  expect(hooksOfServer.isOnIn('{"id":3,"error":{"code":-32600}}')).toBe('unknown');
  for (const line of ['{"id":3', reply([])]) expect(hooksOfServer.isOnIn(line)).toBe(undefined);
});

test('each hook names its file', () => {
  const [hook] = hooksOfServer.answerIn(reply([{ command: 'a', sourcePath: '/p/.codex/hooks.json' }])) ?? [];
  expect(hook?.file).toBe('/p/.codex/hooks.json');
});
