// The command line that agents run: right for a real shell whatever the path holds, harmless without its program.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { HOOK_EVENTS } from '../kernel/hook-events.ts';
import { shellWord } from '../kernel/shell-word.ts';
import { hookLine, isOurCommand, isTeamCommand, teamLine } from './shell-command.ts';

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

describe('the line of a team', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'foreword-team-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [home, repository] = [join(folder, 'home'), join(folder, 'home/shop')];
  const LINE = teamLine('pre-tool', 'claude');
  const program = (path: string, says: string) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `#!/bin/sh\nprintf '%s ' ${says} "$@"\ncat\n`, { mode: 0o755 });
  };
  beforeAll(() => {
    mkdirSync(join(repository, '.git'), { recursive: true });
    mkdirSync(join(repository, 'src'));
    // As npm links them, a link that somebody made to the command alone, a script around it, and those of a repository.
    program(join(folder, 'npm/foreword'), 'command');
    program(join(folder, 'npm/foreword-hook'), 'npm');
    program(join(folder, 'package/command/start.cjs'), 'command');
    program(join(folder, 'package/hook/foreword-hook'), 'package');
    mkdirSync(join(folder, 'link'));
    symlinkSync('../package/command/start.cjs', join(folder, 'link/foreword'));
    program(join(folder, 'script/foreword'), 'script');
    for (const name of ['foreword', 'foreword-hook']) program(join(repository, 'node_modules/.bin', name), 'theirs');
    symlinkSync(join(repository, 'node_modules/.bin'), join(folder, 'around'));
  });

  const SHELLS = [['sh'], ['dash'], ['bash'], ['busybox', 'sh'], ['zsh'], ['fish']].filter(
    ([name = '']) => spawnSync('which', [name]).status === 0,
  );
  const run = (shell: readonly string[], path: readonly string[], cwd = join(repository, 'src'), own = home) => {
    const [name = '', ...args] = shell;
    const found = spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
    const PATH = [...path.map((one) => (one.startsWith('.') ? one : join(folder, one))), '/usr/bin', '/bin'].join(':');
    const { status, stdout, stderr } = spawnSync(found, [...args, '-c', LINE], {
      cwd,
      env: { HOME: own, PATH },
      input: 'payload',
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const said = (stdout: string) => ({ status: 0, stdout, stderr: '' });

  test.each(SHELLS)('%s: nothing without foreword, and the hook program with it', (...shell) => {
    expect(run(shell, ['nowhere'])).toEqual(said(''));
    expect(run(shell, ['nowhere', 'npm', 'script'])).toEqual(said('npm pre-tool claude payload'));
    expect(run(shell, ['link'])).toEqual(said('package pre-tool claude payload'));
    expect(run(shell, ['script'])).toEqual(said('script hook pre-tool --agent claude payload'));
  });

  test('what the repository brings is never run, by whatever path it is on the PATH', () => {
    const theirs = ['home/shop/node_modules/.bin', 'around', '../node_modules/.bin', '.'];
    for (const one of theirs) {
      expect(run(['sh'], [one]), one).toEqual(said(''));
      expect(run(['sh'], [one, 'npm']), one).toEqual(said('npm pre-tool claude payload'));
    }
    // Without git the folder itself counts, and a repository that holds the home is the person's own.
    rmSync(join(repository, '.git'), { recursive: true });
    expect(run(['sh'], ['home/shop/node_modules/.bin'], repository)).toEqual(said(''));
    mkdirSync(join(home, '.git'));
    program(join(home, 'bin/foreword-hook'), 'own');
    program(join(home, 'bin/foreword'), 'command');
    expect(run(['sh'], ['home/bin'])).toEqual(said('own pre-tool claude payload'));
  });

  test('it is recognised as ours, and as one that is committed; it names no path of a machine', () => {
    expect([isOurCommand(LINE), isTeamCommand(LINE)]).toEqual([true, true]);
    expect(isTeamCommand(hookLine(['/opt/foreword-hook', 'stop', 'claude']))).toBe(false);
    expect(LINE.replace('/dev/null', '').match(/(^|[ ="'])\/\w+/g)).toBe(null);
    expect(teamLine('stop', 'claude', 'test -n "$X"')).toMatch(
      /exit 0; test -n "\$X" && exit 0; exec sh -c '[^']+' foreword-hook stop claude$/,
    );
  });
});
