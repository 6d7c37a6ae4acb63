// A merge for a folder without git: the files that the run changed are written, if the person changed none of them since the
// run began. Done again after a crash, it goes on: a file that is already as it shall be is no change of the person.

import { chmodSync, lstatSync, mkdirSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nameSome } from '../../kernel/name-some.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { asId } from '../../system/git/object-id.ts';
import { firstNonFolder } from '../../system/git/person-git.ts';
import { type CheckoutSource, changedPaths, snapshotProject } from '../checkouts/index.ts';
import { treeAt } from './branch.ts';
import { type RefusedAct, refused } from './parts.ts';

export async function writeFiles(
  source: CheckoutSource,
  { base, tip }: { readonly base: string; readonly tip: string },
  { snapshots, away }: { readonly snapshots: string; readonly away: readonly string[] },
): Promise<{ readonly kind: 'merged'; readonly commit: string; readonly how: 'files' } | RefusedAct> {
  const { own, theirs } = source;
  const [before, after] = [await treeAt(source, base), await treeAt(source, tip)];
  const { tree: now } = await snapshotProject(source, snapshots, { away, known: before });
  const toDo = new Set((await changedPaths(own, now, after)).map(({ path }) => path));
  const changes = (await changedPaths(own, before, after)).filter(({ path }) => toDo.has(path));
  const theirChanges = new Set((await changedPaths(own, before, now)).map(({ path }) => path));
  const gone = new Set(changes.filter(({ kind }) => kind === 'deleted').map(({ path }) => path));
  const inTheWay = changes
    .filter(({ path, kind }) => {
      const found = firstNonFolder(theirs.root, path);
      const isTheirs = found !== undefined && !gone.has(found) && (kind === 'created' || found !== path);
      return theirChanges.has(path) || isTheirs;
    })
    .map(({ path }) => path);
  if (inTheWay.length > 0) {
    return refused(
      `You changed the same files as the run: ${nameSome(inTheWay)}.`,
      'Move these files away, merge again, and put your changes back. Nothing was changed.',
    );
  }
  for (const path of gone) remove(theirs.root, path);
  const entries = await entriesOf(source, after);
  for (const { path } of changes) {
    const entry = entries.get(path);
    if (entry !== undefined) await write(source, path, entry);
  }
  return { kind: 'merged', commit: tip, how: 'files' };
}

interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

async function entriesOf({ own }: CheckoutSource, tree: string): Promise<ReadonlyMap<string, TreeEntry>> {
  const output = (await own.run(['ls-tree', '-r', '-z', asId(tree)])).toString('utf8');
  return new Map(
    [...output.matchAll(/(\d+) (?:blob|commit) ([0-9a-f]+)\t([^\0]+)\0/g)].map(([, mode = '', id = '', path = '']) => [
      path,
      { mode, id },
    ]),
  );
}

const LINK = '120000';
const PROGRAM = '100755';
const SUBMODULE = '160000';

async function write({ own, theirs }: CheckoutSource, path: string, { mode, id }: TreeEntry): Promise<void> {
  if (mode === SUBMODULE) return;
  const target = join(theirs.root, path);
  const content = await own.run(['cat-file', 'blob', asId(id)]);
  mkdirSync(dirname(target), { recursive: true });
  if (mode === LINK) {
    rmSync(target, { force: true });
    symlinkSync(content, target);
    return;
  }
  replaceFile(target, content);
  const { mode: bits } = lstatSync(target);
  chmodSync(target, mode === PROGRAM ? (bits | 0o111) & 0o777 : bits & 0o666);
}

/** With the folders that are empty then, as git does. */
function remove(root: string, path: string): void {
  rmSync(join(root, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      // Not empty, or gone already.
      return;
    }
  }
}
