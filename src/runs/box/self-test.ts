// Whether boxes work on this machine, found out by making one: a shell inside tries to write and read where it must not, and prints
// what it could. Takes about 20 ms, once for each run.

import { randomInt } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import { realPath } from '../sandboxes/mounts.ts';
import { allRemoved } from './private-folders.ts';
import { type BoxSetup, runBoxed } from './run-boxed.ts';

const TIMEOUT_MS = 10_000;
/** Where a program in a box must not be able to write. */
const CLOSED = ['/', '/usr', '/etc'];

/** Each line that it prints, but the last, is a way out. */
const PROBE = `
[ "$PWD" = "$1" ] || echo 'the checkout is not at the path of the project'
echo x > inside || echo 'the checkout cannot be written'
[ ! -e "$CANARY" ] || echo 'a file outside can be read'
for folder in ${CLOSED.join(' ')}; do
  (: > "$folder/$TRACE") 2>/dev/null && echo "$folder can be written"
done
: > "$HOME/$TRACE" || echo 'there is no home'
while read -r name value; do
  case $name in
    CapEff:|CapBnd:) [ "$value" = 0000000000000000 ] || echo "a program has capabilities" ;;
    NoNewPrivs:) [ "$value" = 1 ] || echo "a program can gain privileges" ;;
  esac
done < /proc/self/status
[ $$ -lt 10 ] || echo 'the processes of the machine can be seen'
echo done
`;

/** Why boxes are not used, or `undefined`. Ends a sentence. */
export async function boxFault(setup: BoxSetup): Promise<string | undefined> {
  const folder = mkdtempSync(join(realPath(tmpdir()) ?? tmpdir(), 'foreword-box-'));
  const trace = `.foreword-probe-${randomInt(1e9)}`;
  try {
    const [tree, canary, top] = [join(folder, 'tree'), join(folder, 'canary'), join(folder, 'project')];
    mkdirSync(tree);
    replaceFile(canary, 'secret', { isSynced: false });
    // The canary is no argument: files that a command names are shown to it.
    const { end } = await runBoxed(setup, {
      box: undefined,
      place: { tree, top, cwd: top, objects: [] },
      request: {
        command: ['/bin/sh', '-c', PROBE, 'sh', top],
        cwd: top,
        env: { PATH: '/usr/bin:/bin', HOME: setup.home, CANARY: canary, TRACE: trace },
        timeoutMs: TIMEOUT_MS,
      },
      shown: { folder: join(folder, 'box') },
    });
    const lines = end.stdout.text.split('\n').filter(Boolean);
    if (end.startError !== undefined) return end.startError;
    if (lines.at(-1) !== 'done') return `its self-test did not end: ${end.stderr.text.trim().slice(0, 300)}`;
    if (lines.length > 1) return lines.slice(0, -1).join('; ');
    if (!existsSync(join(tree, 'inside'))) return 'what is written in the checkout does not arrive';
    const left = lstatSync(join(setup.home, trace), { throwIfNoEntry: false });
    return left === undefined ? undefined : 'the home of the person can be written';
  } finally {
    // A box that holds nothing has let them through.
    for (const place of [...CLOSED, setup.home]) rmSync(join(place, trace), { force: true });
    await allRemoved();
    rmSync(folder, { recursive: true, force: true });
  }
}
