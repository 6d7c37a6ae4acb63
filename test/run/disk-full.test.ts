// A run on a full disk, for real: the state folder is on a small tmpfs in a mount namespace of its own.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { onSmallDisk } from '../skipping.ts';
import { type Field, fileTask, makeField } from './field.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
let field: Field;
afterEach(() => field.remove());

/** Runs a shell script with a disk of 24 MiB at $DISK, where the state is; `run` is foreword run, which prints its exit code and
 *  whether it took longer than the given seconds. */
function script(...lines: readonly string[]) {
  const disk = join(field.folder, 'disk');
  mkdirSync(disk);
  const file = join(field.folder, 'script.sh');
  const [, ...args] = field.args;
  const call = (name: string) => `${process.execPath} ${MAIN} ${name}`;
  writeFileSync(
    file,
    [
      'mount -t tmpfs -o size=24m,mode=700 tmpfs "$DISK" || exit 9',
      'fill() { head -c 30000000 /dev/zero > "$DISK/fill" 2> /dev/null; }',
      `run() { most=$1; shift; before=$(date +%s); timeout 30 ${call('run')} ${args.join(' ')} "$@" > "$DISK/../out" 2> "$DISK/../err"; echo "run $?"`,
      '  [ $(($(date +%s) - before)) -le $most ] || echo "after $(($(date +%s) - before)) s"; }',
      `history() { ${call('history')} a --json --config ${args.at(-1)}; }`,
      ...lines,
    ].join('\n'),
  );
  const env = { PATH: process.env.PATH, HOME: field.folder, XDG_STATE_HOME: disk, DISK: disk };
  const ran = spawnSync('unshare', ['-rm', 'sh', file], { cwd: field.project, env, encoding: 'utf8' });
  return { ...ran, lines: ran.stdout.trim().split('\n') };
}

onSmallDisk('a run on a full disk refuses soon and says why; with room it works (R16)', () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  const { lines, stderr } = script(
    'fill',
    'run 4',
    'cat "$DISK/../err"',
    'rm "$DISK/fill"',
    'run 30',
    // Not the first run here: its store and checkout are there.
    'fill',
    'run 4',
    'cat "$DISK/../err"',
  );
  const refusal = [expect.stringMatching(/^foreword: .*disk.*full/), expect.stringMatching(/^ {2}Free /)];
  expect({ lines, stderr }).toEqual({ lines: ['run 3', ...refusal, 'run 0', 'run 3', ...refusal], stderr: '' });
  expect(field.ledger()).toHaveLength(1);
});

onSmallDisk(
  'a disk that fills up while an agent works ends the run, and the next one goes on with no attempt lost or doubled',
  () => {
    field = makeField({ agents: { first: ['follows'] }, tasks: [] });
    const once = `if [ ! -e ${field.folder}/ledger/once ]; then touch ${field.folder}/ledger/once; head -c 30000000 /dev/zero > fill; fi`;
    const deeds = [['shell', `${once}; echo done > done-a.txt`]];
    const task = fileTask('a', { instructions: `do: ${JSON.stringify(deeds)}` });
    writeFileSync(join(field.folder, 'tasks.json'), JSON.stringify([task]));
    const { lines, stderr } = script(
      'run 20',
      'cat "$DISK/../err"',
      'rm "$DISK"/foreword/projects/p*/checkouts/*/tree/fill',
      'run 30',
      'history',
    );
    const at = lines.indexOf('run 0');
    expect({ lines: lines.slice(0, at + 1), stderr }).toEqual({
      lines: [
        'run 3',
        expect.stringMatching(/^foreword: .*(space|full)/i),
        expect.stringMatching(/Free some space/),
        'run 0',
      ],
      stderr: '',
    });
    const { attempts } = JSON.parse(lines.slice(at + 1).join('\n')) as { attempts: readonly object[] };
    expect(attempts).toMatchObject([
      { attemptNumber: 1, exitReason: 'interrupted' },
      { attemptNumber: 2, status: 'completed' },
    ]);
    expect(field.ledger()).toHaveLength(2);
  },
);

onSmallDisk('a run on a disk that is almost full refuses too, or works, and never waits', () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  const { lines, stderr } = script(
    'run 30',
    'for left in 8 40 100; do',
    '  rm -f "$DISK/fill"; free=$(df -k "$DISK" | tail -1 | tr -s " " | cut -d" " -f4)',
    '  head -c $(((free - left) * 1024)) /dev/zero > "$DISK/fill"',
    '  run 5 --again',
    'done',
  );
  expect({ lines, stderr }).toEqual({
    lines: ['run 0', ...Array(3).fill(expect.stringMatching(/^run [03]$/))],
    stderr: '',
  });
});

onSmallDisk('a claim that cannot be renewed on a full disk ends the run soon', () => {
  field = makeField({ agents: { first: ['follows'] }, tasks: [], settings: { run: { leaseMs: 1000 } } });
  const fill = 'head -c 30000000 /dev/zero > fill';
  const deeds = [
    ['shell', fill],
    ['sleep', 2000],
  ];
  const task = fileTask('a', { instructions: `do: ${JSON.stringify(deeds)}` });
  writeFileSync(join(field.folder, 'tasks.json'), JSON.stringify([task]));
  const { lines, stderr } = script('run 20', 'tail -2 "$DISK/../err"');
  const refusal = [expect.stringMatching(/^foreword: .*(space|full)/i), expect.stringMatching(/^ {2}Free /)];
  expect({ lines, stderr }).toEqual({ lines: ['run 3', ...refusal], stderr: '' });
});
