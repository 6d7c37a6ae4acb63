// Branch and commit, read from git's files: HEAD, loose refs, packed-refs. No program runs, except for a repository
// with reftables, whose refs are not text (reftable.ts). Names are taken as they stand, also those that git would
// refuse: HEAD may have been written by hand. They are bytes; only the result is decoded.

import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { brokenRepository, readFileWithin, SMALL } from './read-file.ts';
import type { Repository } from './repository.ts';

export interface Head {
  /** `null` when detached. A ref outside refs/heads is given in full. */
  readonly branch: string | null;
  /** The full id; `null` before the first commit. */
  readonly commit: string | null;
}

/** Git stops at five as well. */
const MAX_SYMBOLIC_REFS = 5;
/** A million refs; more is an error, not a wrong result. */
const PACKED_LIMIT = 128 * 1024 * 1024;

/** Throws `bad-input` when HEAD is missing or has neither a ref nor an id. */
export async function readHead(repository: Repository): Promise<Head> {
  const head = readFileHead(repository);
  if (head !== undefined) return head;
  const { readReftableHead } = await import('./reftable.ts');
  const { name, commit } = readReftableHead(repository);
  return { branch: name === null ? null : branchName(name), commit };
}

/** The same without waiting; `undefined` for a repository with reftables. */
export function readFileHead(repository: Repository): Head | undefined {
  const path = join(repository.gitDir, 'HEAD');
  const target = readHeadText(path);
  if (target === undefined) throw brokenRepository(path, 'it has neither "ref: <name>" nor the id of a commit');
  if (target.kind === 'id') return { branch: null, commit: target.id };
  if (target.name === 'refs/heads/.invalid') return undefined;
  return { branch: branchName(target.name), commit: resolveRef(repository, target.name) };
}

/** `refs/heads/main` as people write it: `main`. */
function branchName(ref: string): string {
  const bytes = Buffer.from(ref, 'latin1').toString('utf8');
  return bytes.startsWith('refs/heads/') ? bytes.slice('refs/heads/'.length) : bytes;
}

type Ref = { readonly kind: 'id'; readonly id: string } | { readonly kind: 'name'; readonly name: string };

/** The oldest repositories have HEAD as a link to the ref's file. */
function linkedRef(path: string): Ref | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
  const name = readlinkSync(path, 'latin1');
  return name.startsWith('refs/') ? { kind: 'name', name } : undefined;
}

function parseRef(bytes: Buffer | undefined): Ref | undefined {
  const line = bytes?.toString('latin1').split('\n')[0]?.trimEnd() ?? '';
  const name = /^ref:\s*(\S.*)$/.exec(line)?.[1];
  if (name !== undefined) return { kind: 'name', name };
  const id = /^([0-9a-f]{40}|[0-9a-f]{64})(?:\s|$)/i.exec(line)?.[1];
  return id === undefined ? undefined : { kind: 'id', id: id.toLowerCase() };
}

/** What the ref says, itself a name when it is symbolic. Not for a repository with reftables. */
export function readRefText(repository: Repository, name: string): Ref | undefined {
  return looseRef(repository, name) ?? packedRef(repository, name);
}

/** The same for a HEAD, whose file is given: that of any work tree. */
export function readHeadText(path: string): Ref | undefined {
  return linkedRef(path) ?? parseRef(readFileWithin(path, SMALL));
}

function resolveRef(repository: Repository, first: string): string | null {
  let name = first;
  for (let depth = 0; depth < MAX_SYMBOLIC_REFS; depth++) {
    const found = readRefText(repository, name);
    if (found === undefined) return null;
    if (found.kind === 'id') return found.id;
    name = found.name;
  }
  throw brokenRepository(join(repository.gitDir, 'HEAD'), `more than ${MAX_SYMBOLIC_REFS} refs that name refs`);
}

/** A name is a path below the git directory, and must stay there. */
function looseRef(repository: Repository, name: string): Ref | undefined {
  if (!name.startsWith('refs/') || name.split(/[/\\]/).includes('..') || name.includes('\0')) return undefined;
  const isPerWorktree = /^refs\/(bisect|worktree|rewritten)\//.test(name);
  const folder = Buffer.from(`${isPerWorktree ? repository.gitDir : repository.commonDir}/`);
  const path = Buffer.concat([folder, Buffer.from(name, 'latin1')]);
  const bytes = readFileWithin(path, SMALL);
  if (bytes === undefined) return undefined;
  const ref = parseRef(bytes);
  if (ref === undefined) throw brokenRepository(path.toString(), 'it does not hold the id of a commit');
  return ref;
}

function packedRef(repository: Repository, name: string): Ref | undefined {
  const bytes = readFileWithin(join(repository.commonDir, 'packed-refs'), PACKED_LIMIT);
  if (bytes === undefined) return undefined;
  const wanted = Buffer.from(` ${name}\n`, 'latin1');
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) {
    const start = bytes.lastIndexOf(0x0a, at) + 1;
    const ref = parseRef(bytes.subarray(start, at));
    if (ref?.kind === 'id') return ref;
  }
  return undefined;
}
