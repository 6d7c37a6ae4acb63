// Hashes and places as Codex 0.166.0 itself reported them (hooks/list of its app server) for this very file.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hookTrust } from '../../install/hook-trust.ts';
import { hookLine, isOurCommand } from '../../install/shell-command.ts';
import { install } from './install.ts';
import { ownHooks, whySkipped } from './trust.ts';

const FILE = '/home/me/.codex/hooks.json';
const SITE = { file: FILE, format: 'json' } as const;
const HOOKS = {
  PreToolUse: [
    { matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] },
    { hooks: [{ type: 'command', command: hookLine([`/opt/it's/foreword-hook`, 'pre-tool', 'codex']), timeout: 5 }] },
  ],
  SessionEnd: [
    {
      hooks: [
        {
          type: 'command',
          command: 'test ! -x /opt/é/foreword-hook || exec /opt/é/foreword-hook session-end codex',
          timeout: 3,
        },
      ],
    },
  ],
  Stop: [{ hooks: [{ type: 'command', command: 'x/foreword-hook stop codex', timeout: 5 }] }],
};
const REPORTED = [
  ['pre_tool_use:1:0', 'sha256:7376cb115e7d49efa6b813a354a8a615a91662db58f2e50dbce4651de3cbd979'],
  ['session_end:0:0', 'sha256:3892ecd1133e6e4911fe6fd6388e2d74bd08236332418018de22d08afa0fc0d6'],
  ['stop:0:0', 'sha256:6a8d18abf92fcb270dcbf7f814d6cf81b1ce33a1a660610bff68dc5616eafb6b'],
] as const;

const config = (told: readonly (readonly [string, string])[], more = '') =>
  told.map(([place, hash]) => `[hooks.state."${FILE}:${place}"]\ntrusted_hash = "${hash}"\n${more}`).join('\n');
const trustOf = (files: Parameters<typeof hookTrust>[1]) => hookTrust(install.trust!, files);
const trust = (text: string | undefined, names = [FILE]) =>
  trustOf({ site: SITE, text: JSON.stringify({ hooks: HOOKS }), names, kept: text });

test('our hooks have the places and hashes that Codex gives them', () => {
  const found = ownHooks(HOOKS, isOurCommand).map(({ place, text }) => [
    place,
    `sha256:${createHash('sha256').update(text).digest('hex')}`,
  ]);
  expect(found).toEqual(REPORTED);
});

test('they are trusted when every one of them is', () => {
  expect(trust(config(REPORTED))).toBe('trusted');
  expect(trust(config(REPORTED), ['/link/hooks.json', FILE])).toBe('trusted');
  expect(trust(config(REPORTED.slice(1)))).toBe('waits for review');
  expect(trust(config(REPORTED.map(([place]) => [place, 'sha256:00'] as const)))).toBe('waits for review');
  expect(trust(config(REPORTED, 'enabled = false\n'))).toBe('waits for review');
  expect(trust('model = "x"\n')).toBe('waits for review');
  expect(trust(undefined)).toBe('waits for review');
});

test('what cannot be read is unknown', () => {
  expect(trust('model = ')).toBe('unknown');
  expect(trustOf({ site: SITE, text: '{', names: [FILE], kept: undefined })).toBe('unknown');
});

test('hooks that it skips are named with why, by event and number', () => {
  const [first = ['', '']] = REPORTED;
  const told = { [`${FILE}:${first[0]}`]: { trusted_hash: first[1] } };
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const about = { names: [FILE], kept: { hooks: { state: told } }, sha256 };
  const skipped = whySkipped({ hooks: HOOKS }, about);
  const all = whySkipped({ hooks: HOOKS }, { ...about, kept: {} });
  expect(skipped.size).toBe(all.size - 1);
  expect([...skipped.keys()].every((place) => /^[A-Z]\w+:\d+:\d+$/.test(place))).toBe(true);
  const changed = { ...about, kept: { hooks: { state: { [`${FILE}:${first[0]}`]: { trusted_hash: 'sha256:00' } } } } };
  expect([...whySkipped({ hooks: HOOKS }, changed).values()].filter((why) => why.includes('changed'))).toHaveLength(1);
});
