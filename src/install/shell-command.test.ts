// The command line that agents run: right for a real shell whatever the path holds, harmless without its program.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { HOOK_EVENTS } from '../kernel/hook-events.ts';
import { shellWord } from '../kernel/shell-word.ts';
import { hookLine, isOurCommand } from './shell-command.ts';

test('a shell runs the program with its words, whatever its path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-hook-'));
  try {
    for (const name of ['plain', 'with space', `it's "q"`, '$HOME `x` $(y)', 'é;&|', '-n', '*?[a]', 'a\nb']) {
      mkdirSync(join(folder, name));
      const program = join(folder, name, 'foreword-hook');
      const line = hookLine([program, 'pre-tool', 'claude']);
      expect(spawnSync('sh', ['-c', line])).toMatchObject({
        status: 0,
        stdout: Buffer.alloc(0),
        stderr: Buffer.alloc(0),
      });
      writeFileSync(program, '#!/bin/sh\nprintf "%s|" "$0" "$@"\n');
      chmodSync(program, 0o755);
      expect(spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout).toBe(`${program}|pre-tool|claude|`);
      expect(isOurCommand(line)).toBe(true);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('property: a word is one word for a shell', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '$', '\\', '`', '\n', '!', '*', '~', '#', 'é') });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], {
        encoding: 'utf8',
      });
      expect(stdout.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: scaled(200) },
  );
});

test('only what runs our program at an event is ours', () => {
  for (const event of HOOK_EVENTS) expect(isOurCommand(`/old/place/foreword-hook ${event} codex`)).toBe(true);
  expect(isOurCommand(`timeout 5 '/a b/foreword-hook' stop claude`)).toBe(true);
  for (const other of [
    'foreword-hook',
    '/x/foreword-hook --help',
    '/x/not-foreword-hook-at-all stop claude',
    'echo foreword-hooks stop claude',
    '/x/foreword-hook other claude',
    undefined,
    7,
    {},
  ]) {
    expect(isOurCommand(other)).toBe(false);
  }
});
