// The box in which the hostile agent runs: the machine can be read, only its checkout and the person's repository can be written
// to, as an agent in a session can, and the folders of the person are not there. That is wider than the box of a run, so the
// test boxes the agent's command itself.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outside } from '../outside.ts';

const PROGRAM = join(import.meta.dirname, 'deeds.mjs');

/** Why there is no box on this machine; `undefined` when there is one. */
export function whyNoBox(): string | undefined {
  if (process.platform !== 'linux') return 'bubblewrap needs Linux';
  const { status, error, stderr } = spawnSync('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', 'true']);
  if (status === 0) return undefined;
  return `bubblewrap does not work here: ${error?.message ?? stderr.toString().trim()}`;
}

/** Writes the configuration with the agent `evil` and its task; answers the arguments of `foreword run`. */
export function writeEvil(outside: Outside, deeds: readonly string[]): readonly string[] {
  const { own, repository, folder, canary, home, victim } = outside;
  const told = JSON.stringify({ deeds, folders: [repository], outside: { folder, canary, home, victim } });
  const box = ['--ro-bind', '/', '/', '--dev', '/dev', '--tmpfs', '/tmp', '--unshare-net', '--die-with-parent'];
  // Read again after /tmp is hidden, in which the test may lie.
  const seen = ['--ro-bind', import.meta.dirname, import.meta.dirname, '--bind', repository, repository];
  // The checkout is where the command is started. Its folder is ours, so the git directory of ours beside it is not bound.
  const inside = [...box, ...seen].map((word) => `'${word}'`).join(' ');
  const start = `exec "$0" ${inside} --bind "$PWD" "$PWD" --chdir "$PWD" -- "$@"`;
  const command = ['/bin/sh', '-c', start, join(own, 'bin/bwrap'), process.execPath, PROGRAM, told];
  const config = join(own, 'evil.json');
  writeFileSync(
    config,
    JSON.stringify({
      lineup: ['evil'],
      agents: { evil: { oneshot: { command, prompt: 'stdin' } } },
      run: { confine: 'off' },
    }),
  );
  const check = { file_contains: { path: 'done-evil.txt', pattern: '^done$' } };
  const task = { task_id: 'evil', intent: 'x', instructions: 'y', acceptance_criteria: [{ text: 'z', check }] };
  writeFileSync(join(own, 'evil-tasks.json'), JSON.stringify([{ ...task, retry_policy: { max_retries: 0 } }]));
  return ['run', join(own, 'evil-tasks.json'), '--config', config];
}
