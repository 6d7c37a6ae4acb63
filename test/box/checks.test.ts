// Checks and run.prepare run what agents wrote: in the same box, at the project's own path. Hooks of a boxed agent, and a reviewer.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { fileTask } from '../run/field.ts';
import { type BoxField, boxed, contentsOf, makeBoxField } from './field.ts';

const HOOK = join(import.meta.dirname, '../../dist/hook/foreword-hook');
const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const AS = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
let field: BoxField;
afterEach(() => field.remove());

const outside = () =>
  contentsOf(field.folder, (path) => path.startsWith('.local') || /^project\/\.git\/(refs|logs|objects)/.test(path));
const checked = (...command: string[]) => ({ text: 'its check', check: { command } });

boxed(
  'a test that an agent wrote and that removes the home does nothing outside when it is run as a check',
  async () => {
    field = makeBoxField();
    field.inHome('.ssh/id_ed25519', 'secret');
    field.inHome('other/file.txt', 'another project');
    field.setTask({ acceptance_criteria: [checked('sh', '-c', 'test -e test.sh && sh test.sh')] });
    field.script(
      'cat > test.sh <<"END"',
      '[ $$ -lt 10 ] || exit 99',
      'pwd > seen.txt; cat ~/.ssh/id_ed25519 >> seen.txt 2>&1',
      'rm -rf ~/other ~/.ssh ~/.local ../../* 2>/dev/null; echo planted > ~/.bashrc; exit 0',
      'END',
    );
    const before = outside();
    expect((await field.run()).status).toBe(0);
    expect(outside()).toEqual(before);
  },
);

boxed('the checks see the project at its own path before and after the work, and fail the same way', async () => {
  field = makeBoxField();
  field.setTask({
    acceptance_criteria: [
      checked('sh', '-c', 'pwd; test -e done-a.txt'),
      checked('sh', '-c', 'test "$PWD" = "$0"', field.project),
    ],
    retry_policy: { max_retries: 0 },
  });
  expect((await field.run()).status).toBe(0);
});

boxed('run.allow opens for a check what it needs, a socket too', async () => {
  field = makeBoxField({ run: { allow: ['~/cache'] } });
  field.inHome('cache/entry', 'cached\n');
  field.setTask({ acceptance_criteria: [checked('sh', '-c', 'cat ~/cache/entry && echo new > ~/cache/made')] });
  expect((await field.run()).status).toBe(0);
  expect(readFileSync(join(field.folder, 'cache/made'), 'utf8')).toBe('new\n');
});

boxed('run.prepare runs in the box, so that what it makes holds the path that agents and checks see', async () => {
  field = makeBoxField({ run: { prepare: ['./setup.sh'] } });
  const setup = '#!/bin/sh\n[ $$ -lt 10 ] || exit 99\nmkdir -p .venv\npwd > .venv/path\necho planted > ~/.bashrc\n';
  writeFileSync(join(field.project, 'setup.sh'), setup, { mode: 0o755 });
  writeFileSync(join(field.project, '.gitignore'), '.venv\n');
  field.git('add', '.');
  field.git(...AS, 'commit', '-qm', 'setup');
  field.setTask({ acceptance_criteria: [checked('sh', '-c', 'test "$(cat .venv/path)" = "$PWD"')] });
  field.script('[ "$(cat .venv/path)" = "$PWD" ] || exit 1');
  const ran = await field.run();
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(existsSync(join(field.folder, '.bashrc'))).toBe(false);
});

boxed('run.prepare that needs more of the home names run.allow', async () => {
  field = makeBoxField({ run: { prepare: ['sh', '-c', 'cat ~/.token'] } });
  field.inHome('.token', 'x');
  const ran = await field.run();
  expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining('name what it needs of it in run.allow')]);
});

boxed(
  'commands of foreword in a box: what reads works, what is for the person is refused, notes come out as an agent’s',
  async () => {
    field = makeBoxField();
    const call = (words: string, file: string) =>
      `${process.execPath} ${MAIN} ${words} > ${file} 2>&1; echo "exit $?" >> ${file}`;
    field.script(
      call('context', 'context.txt'),
      call('save --by person "half way"', 'save.txt'),
      // It can write there itself as well.
      `echo '{"summary":"planted","by":"person","tree":"main","extra":1}' >> "$FOREWORD_STATE/notes.jsonl"`,
      `echo 'no notes' >> "$FOREWORD_STATE/notes.jsonl"`,
      call('merge', 'merge.txt'),
      call('run tasks.json', 'run.txt'),
    );
    expect((await field.run()).status).toBe(0);
    expect(field.onBranch('context.txt')).toMatch(/branch: foreword\/.*exit 0$/s);
    expect(field.onBranch('save.txt')).toMatch(/^Saved with this attempt\..*exit 0$/s);
    const exported = (await field.command('export')).stdout.trimEnd().split('\n');
    const saved = exported.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'continuity');
    const tree = expect.stringMatching(/^task \S+ a$/);
    expect(saved.map(({ record }) => record)).toMatchObject([{ by: 'agent', summary: 'half way', tree }]);
    // For the same task alone, as without a box.
    expect((await field.command('load', '--json')).stdout).not.toContain('half way');
    for (const name of ['merge', 'run'])
      expect(field.onBranch(`${name}.txt`)).toMatch(/in its box, where foreword \w+ does nothing.*exit 2$/s);
  },
);

boxed(
  'hooks of a boxed agent: nothing that its prompt has; after a compaction the gate prints once, and the journal has it',
  async () => {
    field = makeBoxField();
    mkdirSync(join(field.project, '.context'));
    writeFileSync(join(field.project, '.context/CONSTITUTION.md'), 'Never push to main.\n');
    field.git('add', '.');
    field.git(...AS, 'commit', '-qm', 'context');
    const payload = (more: string) => `printf '{"session_id":"s1","cwd":"%s",${more}}' "$PWD"`;
    const tool = payload('"tool_name":"Bash","tool_input":{"command":"ls"}');
    field.script(
      `${payload('"source":"startup"')} | ${HOOK} session-start claude > start.txt 2>&1`,
      `${payload('"prompt":"hello there"')} | ${HOOK} prompt claude > prompt.txt 2>&1`,
      `${tool} | ${HOOK} pre-tool claude > first.txt 2>&1`,
      `${payload('"source":"compact"')} | ${HOOK} session-start claude > compact.txt 2>&1`,
      `${tool} | ${HOOK} pre-tool claude > second.txt 2>&1`,
      `${tool} | ${HOOK} pre-tool claude > third.txt 2>&1`,
    );
    const ran = await field.run();
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    const printed = ['start', 'prompt', 'first', 'third', 'second'].map((name) => field.onBranch(`${name}.txt`));
    expect(printed).toEqual(['', '', '', '', expect.stringContaining('Never push to main.')]);
    const events = (await field.command('export')).stdout.split('\n').filter((line) => line.includes('"gate-spoken"'));
    expect(events.map((line) => JSON.parse(line).record)).toMatchObject([
      { kind: 'gate-spoken', agent: 'first', session: 'a#1 s1', unverified: true, files: ['.context/CONSTITUTION.md'] },
    ]);
  },
);

boxed(
  'a boxed reviewer sees its copy at the project’s path, cannot reach the work, and the header names the box',
  async () => {
    field = makeBoxField({ run: { review: 'next' } });
    const script = [
      'cat > /tmp/prompt',
      'if grep -q "mode: review" /tmp/prompt; then touch ~/planted ../../*/tree/planted 2>/dev/null',
      `  echo '{"verdict":"approve","findings":[]}'; exit; fi; cp /tmp/prompt prompt-seen.txt`,
    ];
    field.script(...script);
    field.setTasks([fileTask('a')]);
    const ran = await field.run();
    expect([ran.status, ran.stderr]).toEqual([0, '']);
    expect(field.onBranch('prompt-seen.txt')).toMatch(/^env: \{ box: bubblewrap, network: "on" \}\nmode: propose$/m);
    expect(field.git('log', '-1', '--format=%(trailers)', field.branch())).toContain('Foreword-Reviewer: first');
  },
);
