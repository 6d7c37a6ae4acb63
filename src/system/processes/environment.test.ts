import { expect, test } from 'vitest';
import { childEnvironment } from './environment.ts';

test('a program gets the base list, what is named and what is set, and nothing else', () => {
  const base = {
    ...{ HOME: '/home/ada', LANG: 'de_DE.UTF-8', LC_ALL: 'C', XDG_CACHE_HOME: '/c', https_proxy: 'http://proxy' },
    ...{ OPENAI_API_KEY: 'one', ANTHROPIC_API_KEY: 'other', LD_PRELOAD: '/evil.so', FOREWORD_RUN: 'outer' },
    ...{ NODE_OPTIONS: '--require ./evil.js', TZ: undefined },
  };
  expect(childEnvironment({ base, names: ['OPENAI_API_KEY', 'ABSENT'], set: { CI: '1', LANG: 'C.UTF-8' } })).toEqual({
    ...{ HOME: '/home/ada', LANG: 'C.UTF-8', LC_ALL: 'C', XDG_CACHE_HOME: '/c', https_proxy: 'http://proxy' },
    ...{ OPENAI_API_KEY: 'one', CI: '1' },
  });
});

test('PATH keeps only its absolute entries, and is left out when none is left', () => {
  const pathOf = (PATH: string) => childEnvironment({ base: { PATH }, names: [] }).PATH;
  expect(pathOf(':/usr/bin:.:node_modules/.bin::/bin:../x:')).toBe('/usr/bin:/bin');
  expect(pathOf('.:bin:')).toBeUndefined();
});

test('a variable with a strange name is a variable like any other', () => {
  const base = JSON.parse('{"__proto__": "a", "constructor": "b"}') as Record<string, string>;
  expect(Object.entries(childEnvironment({ base, names: ['__proto__', 'constructor'] }))).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});
