// Commits and refs in a repository of ours. A ref moves only from the value that the caller knows.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { moveRefFile, readCommit, readRefFile, writeCommit } from './loose-objects.ts';
import { asId, EMPTY_TREE, noId } from './object-id.ts';
import { type OwnRepository, REF_LOCK_MS } from './own-repository.ts';
import type { CommitIdentity } from './person-config.ts';

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly identity: CommitIdentity;
  /** The same values give the same id, so a step that is done again changes nothing. */
  readonly at: Date;
}

/** Unsigned; no hook runs. The id. */
export async function commitTree(own: OwnRepository, commit: NewCommit): Promise<string> {
  const { name, email } = commit.identity;
  const time = `${Math.floor(commit.at.getTime() / 1000)} ${zoneOf(commit.at)}`;
  const known = isPlain(commit) ? writeCommit(own, contentOf(commit, `${name} <${email}> ${time}`)) : undefined;
  if (known !== undefined) return known;
  const date = `@${time}`;
  const parents = commit.parents.flatMap((parent) => ['-p', asId(parent)]);
  const output = await own.run(['commit-tree', asId(commit.tree), ...parents], {
    input: commit.message,
    env: {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    },
  });
  return text(output);
}

/** The same bytes as git's. */
function contentOf({ tree, parents, message }: NewCommit, by: string): string {
  const links = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  return `${links.join('\n')}\nauthor ${by}\ncommitter ${by}\n\n${message}`;
}

/** Nothing that git would clean, complete or refuse. */
function isPlain({ tree, parents, message, identity }: NewCommit): boolean {
  const areIds = [tree, ...parents].every((id) => asId(id) === id) && new Set(parents).size === parents.length;
  const isText = message.isWellFormed() && message.endsWith('\n') && !message.includes('\0');
  return (
    areIds &&
    isText &&
    [identity.name, identity.email].every((part) => /^[\p{L}\p{N}]([\p{L}\p{N}@ _+.-]*[\p{L}\p{N}])?$/u.test(part))
  );
}

/** Stored, so that commands that look for it find it. */
export async function emptyTree(own: OwnRepository): Promise<string> {
  await own.run(['hash-object', '-t', 'tree', '-w', '--stdin'], { input: '' });
  return EMPTY_TREE[own.objectFormat];
}

/** Throws `bad-input` when it is not known here. */
export async function treeOf(own: OwnRepository, commit: string): Promise<string> {
  const known = readCommit(own, commit)?.tree;
  return known ?? text(await own.run(['rev-parse', '--verify', '--quiet', `${asId(commit)}^{tree}`]));
}

/** The first parent; `null` when it has none. Throws `bad-input` when the commit is not known here. */
export async function parentOf(own: OwnRepository, commit: string): Promise<string | null> {
  const [, parent] = text(await own.run(['rev-list', '--parents', '--max-count=1', asId(commit), '--'])).split(' ');
  return parent ?? null;
}

/** `ref` in full. `null` when it does not exist. */
export async function readRef(own: OwnRepository, ref: string): Promise<string | null> {
  const known = readRefFile(own, asRef(ref));
  if (known !== undefined) return known;
  const { status, output } = await own.status(['rev-parse', '--verify', '--quiet', asRef(ref)], { accepted: [0, 1] });
  return status === 0 ? text(output) : null;
}

/** Whether it has the value now: false when it was not `from` (`null`: did not exist). `to` as `null` deletes it. */
export async function updateRef(
  own: OwnRepository,
  ref: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<boolean> {
  if (to !== null && to !== from && asId(to) === to) {
    const isMoved = await moveRefFile(own, asRef(ref), { from, to });
    if (isMoved === true) return true;
    if (isMoved === false) return (await readRef(own, ref)) === to;
  }
  const old = from === null ? noId(own.objectFormat) : asId(from);
  const args = to === null ? ['-d', asRef(ref), old] : [asRef(ref), asId(to), old];
  try {
    if (from !== to) await own.run(['update-ref', '--no-deref', ...args]);
  } catch (error) {
    const now = await readRef(own, ref);
    if (now === to) return true;
    if (now !== from) return false;
    if (!hasStaleLock(own, ref)) throw error;
    rmSync(lockOf(own, ref), { force: true });
    return updateRef(own, ref, { from, to });
  }
  return from !== to || (await readRef(own, ref)) === to;
}

function lockOf({ directory }: OwnRepository, ref: string): string {
  return join(directory, `${asRef(ref)}.lock`);
}

/** Git waited for it as long as it takes to be stale. */
function hasStaleLock(own: OwnRepository, ref: string): boolean {
  const lock = statSync(lockOf(own, ref), { throwIfNoEntry: false });
  return lock !== undefined && Date.now() - lock.mtimeMs >= REF_LOCK_MS;
}

export interface LoggedCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** Newest first, along first parents, without what `until` reaches. */
export async function logOf(own: OwnRepository, tip: string, until: string | null): Promise<readonly LoggedCommit[]> {
  const range = until === null ? [asId(tip)] : [asId(tip), `^${asId(until)}`];
  const args = ['log', '-z', '--first-parent', '--no-color', '--no-show-signature', '--no-notes', '--encoding=UTF-8'];
  const output = await own.run([...args, '--format=%H %T %P%n%B', ...range, '--']);
  return output
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      const [id = '', tree = '', ...parents] = entry.slice(0, end).trimEnd().split(' ');
      return { id, tree, parents, message: entry.slice(end + 1) };
    });
}

/** Refs are made by us; what is odd is refused by git. */
export function asRef(ref: string): string {
  return ref.startsWith('refs/') ? ref : `refs/${ref}`;
}

export function text(output: Buffer): string {
  return output.toString('utf8').trimEnd();
}

function zoneOf(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${String(rest).padStart(2, '0')}`;
}
