// The git directory that an agent gets with its checkout: written by hand, so that no template, hook or setting of anybody comes
// along. It has no remotes; objects come from our repository and from the person's through alternates. foreword never runs git
// with it: what an agent changed in it is found by hashes (`fingerprint`).

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { bytesOf, textOf, walkTree } from '../files/walk-tree.ts';
import { coreLines, lineOf, type OwnRepository } from './own-repository.ts';
import type { CommitIdentity } from './person-config.ts';

export interface AgentDirectory {
  /** The checkout; the git directory is `.git` in it. */
  readonly tree: string;
  /** Our index of it. */
  readonly index: string;
  /** An existing folder on the same disk. */
  readonly scratch: string;
  /** In full; HEAD is on it. */
  readonly branch: string;
  /** `null`: the branch has no commit yet. */
  readonly commit: string | null;
  readonly identity: CommitIdentity;
  /** Line ends and the like. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Made beside the checkout. The function that is returned puts it into the place of whatever is there; it is called when the
 *  files and our index are as they shall be, not before: until then the checkout itself may be a link to somewhere else. */
export async function prepareAgentDirectory(own: OwnRepository, what: AgentDirectory): Promise<() => Promise<void>> {
  const making = join(what.scratch, 'git-directory');
  await removeTree(making, what.scratch);
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'])
    fs.mkdirSync(join(making, name), { recursive: true });
  const put = (name: string, content: string) => {
    fs.mkdirSync(dirname(join(making, name)), { recursive: true });
    fs.writeFileSync(join(making, name), content);
  };
  put('HEAD', `ref: ${what.branch}\n`);
  if (what.commit !== null) put(what.branch, `${what.commit}\n`);
  put('config', configText(own, what));
  put('objects/info/alternates', [...own.alternates, own.objects].map((path) => `${lineOf(path)}\n`).join(''));
  for (const name of ['shallow', 'info/exclude', 'info/attributes'])
    copy(join(own.directory, name), join(making, name));
  return async () => {
    copy(what.index, join(making, 'index'));
    await removeTree(join(what.tree, '.git'), what.scratch);
    fs.renameSync(making, join(what.tree, '.git'));
  };
}

function configText(own: OwnRepository, { identity, settings }: AgentDirectory): string {
  const isPlain = own.objectFormat === 'sha1';
  const lines = [
    '[core]',
    `repositoryformatversion = ${isPlain ? 0 : 1}`,
    'bare = false',
    'logAllRefUpdates = true',
    ...coreLines(settings),
    '[user]',
    `name = ${value(identity.name)}`,
    `email = ${value(identity.email)}`,
    // Snapshots are taken while the agent may still be starting: nothing runs behind its back.
    '[gc]',
    'auto = 0',
    '[maintenance]',
    'auto = false',
  ];
  if (!isPlain) lines.push('[extensions]', `objectFormat = ${own.objectFormat}`);
  return `${lines.join('\n')}\n`;
}

function value(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The copy must not look younger: an entry as young as its index is compared by content. */
function copy(from: string, to: string): void {
  const stat = fs.statSync(from, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return;
  fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
  const seconds = Math.floor(stat.mtimeMs - 1) / 1000;
  fs.utimesSync(to, seconds, seconds);
}

/** Paths in the git directory and what is there, in order of paths. Serialisable. */
export type DirectoryPrint = Readonly<Record<string, string>>;

/** Objects, reflogs, the index and notes that every command leaves: they grow with ordinary work and run nothing. */
const ORDINARY = /^(objects\/([0-9a-f]{2}|pack)|logs|index|ORIG_HEAD|COMMIT_EDITMSG|FETCH_HEAD|.*\.lock)$/;
/** A larger file, and one behind as many others, counts by size and time. */
const MOST_BYTES = 1024 * 1024;
const MOST_FILES = 5_000;

/** Of hooks, configuration, refs and everything else that changes what git does. Nothing is followed and nothing is run. */
export async function fingerprint(tree: string): Promise<DirectoryPrint> {
  const top = join(tree, '.git');
  const stat = fs.lstatSync(top, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true)
    return { '': stat === undefined ? 'absent' : `not a folder: ${printOf(Buffer.from(top), false)}` };
  const prints = new Map<string, string>();
  await walkTree(top, (path, entry) => {
    if (ORDINARY.test(path)) return 'pass';
    if (!entry.isDirectory()) prints.set(textOf(path), printOf(bytesOf(top, path), prints.size < MOST_FILES));
    return 'enter';
  });
  return Object.fromEntries([...prints].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function printOf(path: Buffer, isRead: boolean): string {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'gone';
  if (stat.isSymbolicLink()) return `link ${sha256(fs.readlinkSync(path, 'buffer'))}`;
  const mode = (stat.mode & 0o111) === 0 ? 'file' : 'program';
  if (!stat.isFile()) return 'other';
  if (!isRead || stat.size > MOST_BYTES) return `${mode} ${stat.size} ${stat.mtimeMs}`;
  try {
    return `${mode} ${sha256(fs.readFileSync(path))}`;
  } catch {
    return `${mode} ${stat.size} ${stat.mtimeMs} closed`;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
