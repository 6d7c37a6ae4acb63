// A person's uncommitted work as a tree in our own repository: HEAD with their tracked changes and new files, as they lie in the
// work tree. Nothing is written to the person's repository, and what is left out is never stored (choose-files.ts).

import * as fs from 'node:fs';
import { join } from 'node:path';
import { isForewordError } from '../../kernel/errors.ts';
import { bytesOf, textOf } from '../../system/files/walk-tree.ts';
import { emptyTree, text, treeOf } from '../../system/git/commits.ts';
import { chooseFilters, filterNames } from '../../system/git/filters.ts';
import { keepObjects } from '../../system/git/keep-objects.ts';
import { asId } from '../../system/git/object-id.ts';
import { uncommittedPaths } from '../../system/git/uncommitted.ts';
import { type CheckoutSource, filterOptions } from './checkout.ts';
import { chooseFiles, type UncommittedFile, type UntakenFile } from './choose-files.ts';

export interface WorkingSnapshot {
  readonly tree: string;
  /** Files that differ from HEAD in it. */
  readonly taken: number;
  readonly untaken: readonly UntakenFile[];
}

interface WorkingRequest {
  /** The person's HEAD; `null` before the first commit. */
  readonly head: string | null;
  /** A folder for files of ours, one process at a time. */
  readonly folder: string;
  /** Paths from the top of the work tree that never count. */
  readonly away: readonly string[];
  hasSecret(content: string): boolean;
}

/** Throws `disk-full`, and `bad-input` when git fails. */
export async function snapshotWorking(source: CheckoutSource, request: WorkingRequest): Promise<WorkingSnapshot> {
  const { own, theirs } = source;
  const base = request.head === null ? await emptyTree(own) : await treeOf(own, request.head);
  const found = await findFiles(source, request.away);
  const { taken, untaken } = chooseFiles(found, (file) => look(theirs.root, file, request));
  fs.mkdirSync(request.folder, { recursive: true, mode: 0o700 });
  const index = join(request.folder, 'working-index');
  for (const path of [index, `${index}.lock`]) fs.rmSync(path, { force: true });
  const filters = chooseFilters(
    await filterNames((args, more) => own.run(args, more), asId(base)),
    filterOptions(source),
  );
  const env = { ...filters.env, GIT_WORK_TREE: theirs.root, GIT_INDEX_FILE: index };
  const run: Run = (args, input) => own.run(args, { env, cwd: theirs.root, ...(input === undefined ? {} : { input }) });
  await run(['read-tree', asId(base)]);
  const refused = await putFiles(run, taken);
  const tree = text(await run(['write-tree', '--missing-ok']));
  fs.rmSync(index, { force: true });
  await keepObjects(own, tree, base);
  const refusals = refused.map(({ path }) => ({ path, reason: 'git cannot store it' }));
  return {
    tree,
    taken: taken.length - refused.length,
    untaken: [...untaken, ...refusals].map(({ path, reason }) => ({ path, reason })),
  };
}

interface FoundFile extends UncommittedFile {
  /** As a walk has it (system/files/walk-tree.ts). */
  readonly walked: string;
}

type Run = (args: readonly string[], input?: Uint8Array) => Promise<Buffer>;

async function findFiles({ theirs, person }: CheckoutSource, away: readonly string[]): Promise<readonly FoundFile[]> {
  const { tracked, untracked } = await uncommittedPaths(theirs, person.excludesFile);
  const files = [
    ...tracked.map((walked) => fileAt(theirs.root, walked, true)),
    ...untracked.map((walked) => fileAt(theirs.root, walked, false)),
  ];
  return files.filter(({ path }) => !away.some((folder) => path === folder || path.startsWith(`${folder}/`)));
}

function fileAt(root: string, walked: string, isTracked: boolean): FoundFile {
  const path = textOf(walked);
  const plain = { path, walked, isTracked };
  const stat = statOf(bytesOf(root, walked));
  if (stat === 'closed') return { ...plain, kind: 'file', bytes: 0 };
  if (stat?.isFile() === true) return { ...plain, kind: 'file', bytes: stat.size };
  if (stat?.isSymbolicLink() === true) return { ...plain, kind: 'link', bytes: stat.size };
  // A folder in place of a tracked file: the file is gone, and what is in the folder is listed by itself.
  return { ...plain, kind: stat !== undefined && !isTracked ? 'repository' : 'gone', bytes: 0 };
}

/** `closed`: in a folder that cannot be looked into. */
function statOf(path: Buffer): fs.Stats | undefined | 'closed' {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return 'closed';
  }
}

function look(
  root: string,
  { walked }: FoundFile,
  { hasSecret }: Pick<WorkingRequest, 'hasSecret'>,
): 'fine' | 'secret' | 'unreadable' {
  try {
    return hasSecret(fs.readFileSync(bytesOf(root, walked), 'utf8')) ? 'secret' : 'fine';
  } catch {
    return 'unreadable';
  }
}

/** One file that git refuses (gone again, an encoding it cannot turn, a filter that fails) makes it refuse all: the list is halved
 *  until that file is alone. Returns those. */
async function putFiles(run: Run, files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  if (files.length === 0) return [];
  const input = Buffer.from(files.map(({ walked }) => `${walked}\0`).join(''), 'latin1');
  try {
    await run(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], input);
    return [];
  } catch (error) {
    if (isForewordError(error) && error.code === 'disk-full') throw error;
    if (files.length === 1) return files;
    const half = Math.ceil(files.length / 2);
    return [...(await putFiles(run, files.slice(0, half))), ...(await putFiles(run, files.slice(half)))];
  }
}
