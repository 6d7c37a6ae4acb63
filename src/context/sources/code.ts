// Code search over the tracked files of a project: keeps the index current and returns path, line and snippet.
// A file is opened only if its stat changed, indexed only if its content did. Everything read passes `redact` first;
// files that usually hold secrets are never opened, and nothing outside the work tree is.

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { isForewordError } from '../../kernel/errors.ts';
import type { CodeSearch, IndexChange, IndexedFile, IndexReport, SearchHit, SearchIndex } from '../../kernel/search.ts';
import { bestLine, type Line, snippetOf } from '../../kernel/search-words.ts';
import { trackedFiles } from '../../system/git/facts.ts';
import type { Repository } from '../../system/git/repository.ts';
import { type FileStat, WorkTree } from '../../system/git/work-tree.ts';

export interface CodeSearchOptions {
  /** The project: files above it in the repository are not searched, and paths are relative to it. */
  readonly root: string;
  readonly repository: Repository;
  /** Closed with the search. */
  readonly index: SearchIndex;
  readonly redact: (text: string) => string;
  readonly maxFileBytes?: number;
  readonly clock?: Pick<Clock, 'now'>;
}

/** Larger files are data or generated; people and agents do not read them whole either. */
const MAX_FILE_BYTES = 512 * 1024;
const SNIPPET_LENGTH = 160;
/** Git's own measure of what is binary. */
const BINARY_PROBE = 8 * 1024;
/** The coarsest clock of a file system in use (FAT): a file changed within it before it was read may have changed
 *  again since without any difference in its stat. */
const CLOCK_STEP_MS = 2_000;
/** Files checked between two turns of the event loop, and bytes indexed in one transaction. */
const FILES_PER_TURN = 1_000;
const BYTES_PER_TRANSACTION = 4 * 1024 * 1024;

const SECRET_FILE = /^(\.env(\..*)?|.*\.env|\.envrc|id_(rsa|dsa|ecdsa|ed25519).*|(credentials?|secrets?)([._-].*)?)$/i;
const SECRET_DOTFILE = /^[._]?(netrc|npmrc|pypirc|pgpass|my\.cnf|htpasswd|git-credentials|dockercfg|boto|s3cfg)$/i;
const SECRET_ENDING = /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|age|ovpn|tfstate|tfvars)(\.backup)?$/i;

/** Names that usually hold secrets; the folder does not matter. */
export function isSecretName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return SECRET_FILE.test(name) || SECRET_DOTFILE.test(name) || SECRET_ENDING.test(name);
}

export function openCodeSearch(options: CodeSearchOptions): CodeSearch {
  const root = realpathSync(options.root);
  const search = { ...options, root, maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES };
  return {
    refresh: () => renewed(options.index, () => refresh(search)),
    find: (words, limit) => renewed(options.index, async () => find(search, words, limit)),
    close: () => options.index.close(),
  };
}

type Search = CodeSearchOptions & { readonly maxFileBytes: number };

/** The index is a cache: when it is damaged, or another process replaced it, it is opened again, once. */
async function renewed<T>(index: SearchIndex, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isForewordError(error) || !['store-damaged', 'store-unreachable'].includes(error.code)) throw error;
    await index.renew();
    return await work();
  }
}

async function refresh(search: Search): Promise<IndexReport> {
  const startedAt = search.clock?.now() ?? Date.now();
  const listing = trackedFiles(search.repository);
  // Read while git runs. Both are awaited together, so that a failure of either is handled here.
  const known = await Promise.all([listing, Promise.resolve().then(() => search.index.files())]);
  const run = new Run(search, { startedAt, known: new Map(known[1]) });
  let count = 0;
  for (const path of pathsBelow(search, known[0])) {
    run.visit(path);
    if (++count % FILES_PER_TURN === 0) await nextTurn();
  }
  return run.finish();
}

/** One pass over the tracked files. */
class Run {
  readonly #search: Search;
  readonly #startedAt: number;
  /** Files in the index that this pass has not seen yet. */
  readonly #known: Map<string, IndexedFile>;
  readonly #tree: WorkTree;
  readonly #leftOut: Record<string, number> = {};
  #pending: IndexChange[] = [];
  #pendingBytes = 0;
  #files = 0;
  #updated = 0;
  #read = 0;

  constructor(search: Search, state: { readonly startedAt: number; readonly known: Map<string, IndexedFile> }) {
    this.#search = search;
    this.#startedAt = state.startedAt;
    this.#known = state.known;
    this.#tree = new WorkTree(search.root);
  }

  visit(path: string): void {
    const result = this.#examine(path);
    if (result === 'indexed') this.#files++;
    else if (result !== 'missing') this.#leftOut[result] = (this.#leftOut[result] ?? 0) + 1;
  }

  /** Returns `indexed`, `missing` or the reason why it is left out. */
  #examine(path: string): string {
    if (isSecretName(path)) return 'secret';
    // Decoding lost bytes that are not UTF-8, so this name does not open the file.
    if (path.includes('\uFFFD')) return 'unreadable';
    const look = this.#tree.look(path);
    if (look.kind !== 'file') return look.kind;
    if (look.stat.size > this.#search.maxFileBytes) return 'huge';
    const before = this.#known.get(path);
    const now = before !== undefined && isUnchanged(before, look.stat) ? before : this.#readFile(path, before);
    if (now === undefined) return 'unreadable';
    this.#known.delete(path);
    return now.leftOut ?? 'indexed';
  }

  finish(): IndexReport {
    for (const path of this.#known.keys()) this.#pending.push({ kind: 'gone', path });
    this.#flush();
    const { size: removed } = this.#known;
    return { files: this.#files, updated: this.#updated, removed, read: this.#read, leftOut: this.#leftOut };
  }

  #readFile(path: string, before: IndexedFile | undefined): IndexedFile | undefined {
    const found = this.#tree.read(path, this.#search.maxFileBytes);
    if (found === undefined) return undefined;
    this.#read++;
    const hash = createHash('sha256').update(found.bytes).digest('base64');
    const readAt = this.#startedAt;
    if (before?.hash === hash) {
      const file = { ...before, ...found.stat, readAt };
      this.#add({ kind: 'stat', file }, 0);
      return file;
    }
    const text = textOf(found.bytes);
    const leftOut = typeof text === 'string' ? null : text.leftOut;
    const file: IndexedFile = { path, ...found.stat, hash, readAt, leftOut };
    const body = typeof text === 'string' ? this.#search.redact(text) : null;
    if (body !== null) this.#updated++;
    this.#add({ kind: 'content', file, body }, found.bytes.length);
    return file;
  }

  #add(change: IndexChange, bytes: number): void {
    this.#pending.push(change);
    this.#pendingBytes += bytes;
    if (this.#pendingBytes >= BYTES_PER_TRANSACTION) this.#flush();
  }

  #flush(): void {
    this.#search.index.apply(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function isUnchanged(before: IndexedFile, stat: FileStat): boolean {
  const isSame = before.size === stat.size && before.mtimeNs === stat.mtimeNs && before.ctimeNs === stat.ctimeNs;
  const settledBefore = before.readAt - CLOCK_STEP_MS;
  return isSame && milliseconds(stat.mtimeNs) < settledBefore && milliseconds(stat.ctimeNs) < settledBefore;
}

const milliseconds = (nanoseconds: string) => Number(nanoseconds) / 1e6;

function textOf(bytes: Buffer): string | { readonly leftOut: 'binary' | 'encoding' } {
  if (bytes.subarray(0, BINARY_PROBE).includes(0)) return { leftOut: 'binary' };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Latin-1 and similar: its words would be indexed wrongly.
    return { leftOut: 'encoding' };
  }
}

/** Without our own folder: the header has its tasks and notes, and they would be the best match for every task. */
function pathsBelow(search: Search, paths: readonly string[]): readonly string[] {
  const folder = relative(search.repository.root, search.root).split(sep).join('/');
  const below =
    folder === ''
      ? paths
      : paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  return below.filter((path) => !path.startsWith('.foreword/'));
}

function find(search: Search, words: readonly string[], limit: number): readonly SearchHit[] {
  const hits: SearchHit[] = [];
  // Some of the best may be deleted or may have lost the words since they were indexed.
  for (const path of search.index.match(words, limit * 2)) {
    const hit = hits.length < limit ? readHit(search, path, words) : undefined;
    if (hit !== undefined) hits.push(hit);
  }
  return hits;
}

/** The file as it is now, `undefined` when it can no longer be shown or holds none of the words. */
function readHit(search: Search, path: string, words: readonly string[]): SearchHit | undefined {
  if (isSecretName(path)) return undefined;
  const found = new WorkTree(search.root).read(path, search.maxFileBytes);
  const text = found === undefined ? undefined : textOf(found.bytes);
  if (typeof text !== 'string') return undefined;
  const redacted = search.redact(text);
  const line = bestLine(redacted, words);
  if (line === undefined || (line.words === 0 && bestLine(path, words)?.words === 0)) return undefined;
  return { path, line: lineNumber(search, text, { line, redacted }), snippet: snippetOf(line, SNIPPET_LENGTH) };
}

/** Redaction may turn a secret of several lines into one line: then the search goes down by the number of lost lines. */
function lineNumber(search: Search, text: string, shown: { readonly line: Line; readonly redacted: string }): number {
  const lines = text.split('\n');
  const missing = lines.length - shown.redacted.split('\n').length;
  for (let at = shown.line.index; missing > 0 && at <= shown.line.index + missing; at++) {
    if (search.redact(lines[at] ?? '') === shown.line.text) return at + 1;
  }
  return shown.line.index + 1;
}
