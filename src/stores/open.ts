// Which store a project has, and how it is opened: the only file that knows a scheme. To write, a missing store is
// created. To read, a store that nobody wrote yet is not created. To look, nothing is changed: no migration, no file moved.
// A damaged store is refused; only a person's --fresh moves it aside.
// Heavy modules (SQLite, Redis) are loaded when they are needed. How to add a store: CONTRIBUTING.md, "Add a store".

import { closeSync, existsSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { ForewordError } from '../kernel/errors.ts';
import type { SearchIndex } from '../kernel/search.ts';
import type { Stamp } from '../kernel/stamp.ts';
import type { Durability, Stores } from '../kernel/stores.ts';
import { isUrl } from '../system/files/locate.ts';
import type { ProjectState, StateFiles } from '../system/files/open-state.ts';
import type { Fleets, ServerRequest, ServerTerms } from './fleets.ts';
import { hasRecords } from './records.ts';

/** Stores with a URL, by its scheme: a line for each. */
const BY_SCHEME: Readonly<Record<string, (url: string, request: ServerRequest) => Promise<Stores>>> = {
  redis: openRedis,
  rediss: openRedis,
};

async function openRedis(url: string, request: ServerRequest): Promise<Stores> {
  return (await import('./redis/fleet.ts')).openFleetStores(url, request);
}

export interface StoreChoice {
  /** Where the project's own store lies. */
  readonly state: Pick<ProjectState, 'toWrite' | 'toRead' | 'toLook' | 'oldStore' | 'gone'>;
  readonly servers: ServerTerms;
  /** Keep the projects on one server apart. */
  readonly fleets: () => Promise<Fleets>;
  /** An absolute path or a URL, as the configuration gives it; without it the project's own. */
  readonly store: string | undefined;
  /** A store that is damaged or newer is moved aside when it is opened to write; otherwise it is refused. */
  readonly isFresh?: boolean | undefined;
}

export interface StoreReports {
  /** Printed for the person while the store is opened. */
  note(text: string): void;
  readonly stamp: Stamp;
}

/** How a project's store is opened by commands. */
export interface StoreOpener {
  write(): Promise<Stores>;
  /** `undefined`: nobody wrote yet, and nothing is created. */
  read(): Promise<Stores | undefined>;
  /** Looks at the store without changing anything, not even beside it. Throws what is wrong with it. */
  examine(): Promise<Durability>;
  /** Stores of the caller, who closes them and whose events are not ours to add to. */
  readonly isGiven: boolean;
}

export function storeOpener(choice: StoreChoice, reports: StoreReports, given?: Stores): StoreOpener {
  if (given !== undefined) {
    const stores = { ...given, close: async () => undefined };
    return { write: async () => stores, read: async () => stores, examine: () => given.durability(), isGiven: true };
  }
  // A command may open several times what is not there yet.
  const printed = new Set<string>();
  const note = (text: string): void => {
    if (!printed.has(text)) reports.note(text);
    printed.add(text);
  };
  const once = { ...reports, note };
  return {
    write: () => openToWrite(choice, once),
    read: () => openToRead(choice, once),
    examine: () => examineStore(choice),
    isGiven: false,
  };
}

async function openToWrite(choice: StoreChoice, reports: StoreReports): Promise<Stores> {
  const address = addressOf(choice, (state) => state.toWrite());
  if (address.kind === 'none') throw new ForewordError('internal', 'The project was not made.');
  if (address.kind === 'server') return address.open('write', reports.note);
  const isNew = !existsSync(address.file);
  const stores = await openFile(address, reports, choice.isFresh === true ? 'set-aside' : 'refuse');
  if (address.isOurs) await reportOtherStates(choice, reports, { stores, isNew, asksGit: true });
  return stores;
}

async function openToRead(choice: StoreChoice, reports: StoreReports): Promise<Stores | undefined> {
  const address = addressOf(choice, (state) => state.toRead());
  if (address.kind === 'server') return address.open('read', reports.note);
  const isThere = address.kind === 'file' && existsSync(address.file);
  if (address.kind === 'file' && !isThere && !address.isOurs)
    reports.note(`there is no store at ${address.file} yet. If there should be one, check the path.`);
  const stores = isThere ? await openFile(address, reports, 'reader') : undefined;
  const isOurs = address.kind === 'none' || address.isOurs;
  if (isOurs) await reportOtherStates(choice, reports, { stores, isNew: !isThere, asksGit: false });
  return stores;
}

async function examineStore(choice: StoreChoice): Promise<Durability> {
  const address = addressOf(choice, (state) => state.toLook());
  if (address.kind === 'none') return (await emptyStores()).durability();
  if (address.kind === 'file') {
    const { examineSqliteFile } = await import('./sqlite/examine.ts');
    const found = existsSync(address.file) ? examineSqliteFile(address.file, address) : undefined;
    return found ?? (await emptyStores()).durability();
  }
  const stores = await address.open('read', () => undefined);
  try {
    return await stores.durability();
  } finally {
    await stores.close();
  }
}

/** While a project has no records, the person is shown where they may be. */
async function reportOtherStates(
  { state }: StoreChoice,
  { note }: StoreReports,
  found: { readonly stores: Stores | undefined; readonly isNew: boolean; readonly asksGit: boolean },
): Promise<void> {
  const old = state.oldStore();
  if (old !== undefined && !(await hasRecords(found.stores))) {
    note(
      `${old} is not read: it is of an earlier version, or came with the repository. If it is yours: foreword import ${old}`,
    );
  }
  const gone = found.isNew ? await state.gone(found) : undefined;
  if (gone !== undefined)
    note(
      `a project like this one was at ${gone.root}, which is gone. To use its state here: foreword adopt ${gone.id}`,
    );
}

/** For hooks and the dashboard, which must change nothing. A store that nobody wrote yet reads as empty; each statement
 *  waits at most `lockMs` for a file that another process has locked. A server cannot be opened for reading only: the caller
 *  must not write. */
export async function openToLook(choice: StoreChoice, lockMs: number): Promise<Stores> {
  const address = addressOf(choice, (state) => state.toLook());
  if (address.kind === 'server') return address.open('read', () => undefined);
  if (address.kind === 'none') return emptyStores();
  // A file without a byte is a store in which nothing was written yet.
  if ((statSync(address.file, { throwIfNoEntry: false })?.size ?? 0) === 0) return emptyStores();
  const { readSqliteStores } = await import('./sqlite/open.ts');
  return readSqliteStores(address.file, lockMs, address);
}

/** As `openToLook`, and not even a log or an index is made beside the file: what is read is a copy. */
export async function openCopyToLook(choice: StoreChoice): Promise<Stores> {
  const address = addressOf(choice, (state) => state.toLook());
  if (address.kind === 'server') return address.open('read', () => undefined);
  if (address.kind === 'none' || (statSync(address.file, { throwIfNoEntry: false })?.size ?? 0) === 0)
    return emptyStores();
  const { privateCopy } = await import('./sqlite/examine.ts');
  const { openSqliteStores } = await import('./sqlite/open.ts');
  const copy = privateCopy(address.file);
  try {
    const stores = await openSqliteStores(copy.file, { damaged: 'reader' });
    return { ...stores, close: () => stores.close().finally(copy.remove) };
  } catch (error) {
    copy.remove();
    throw error;
  }
}

/** Stores that hold nothing, for callers that go on when there is no store or it cannot be opened. */
export async function emptyStores(): Promise<Stores> {
  return (await import('./memory.ts')).memoryStores();
}

/** The index of the project's code search, created if it is missing. */
export async function openProjectIndex(state: Pick<ProjectState, 'toWrite'>): Promise<SearchIndex> {
  const { openSearchIndex } = await import('./sqlite/search-index.ts');
  return openSearchIndex(state.toWrite().index);
}

/** Changes when the store's file was replaced by another, or its beginning overwritten: an open connection goes on with the pages
 *  that it has in memory, and would show them as if all were well. The same for every server. */
export function storeIdentity(choice: StoreChoice): string {
  const address = addressOf(choice, (state) => state.toLook());
  if (address.kind !== 'file') return address.kind;
  const found = statSync(address.file, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev}:${found.ino}:${beginningOf(address.file)}`;
}

/** The bytes that every SQLite file begins with, or what is there instead. */
function beginningOf(file: string): string {
  const bytes = Buffer.alloc(16);
  try {
    const descriptor = openSync(file, 'r');
    try {
      return bytes.toString('hex', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return 'unreadable';
  }
}

type StoreAddress =
  /** The project's own file, of a project that no command made yet. */
  | { readonly kind: 'none' }
  /** `isOurs`: the project's own file. */
  | { readonly kind: 'file'; readonly file: string; readonly isOurs: boolean }
  | { readonly kind: 'server'; open(use: ServerRequest['use'], note: ServerRequest['note']): Promise<Stores> };

function addressOf(
  { state, servers, fleets, store }: StoreChoice,
  find: (state: StoreChoice['state']) => StateFiles | undefined,
): StoreAddress {
  if (store === undefined) {
    const found = find(state);
    return found === undefined ? { kind: 'none' } : { kind: 'file', file: found.store, isOurs: true };
  }
  if (!isUrl(store)) return { kind: 'file', file: plainFile(store), isOurs: false };
  const [scheme = ''] = store.split('://');
  const open = new Map(Object.entries(BY_SCHEME)).get(scheme.toLowerCase());
  if (open !== undefined)
    return {
      kind: 'server',
      open: async (use, note) => open(store, { ...servers, fleets: await fleets(), use, note }),
    };
  const known = Object.keys(BY_SCHEME).map((one) => `${one}://`);
  throw new ForewordError('bad-usage', `foreword has no store for ${scheme}:// addresses.`, {
    hint: `Use a file, ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
  });
}

function isFileBehind(link: string): boolean {
  try {
    return statSync(link).isFile();
  } catch {
    // To nothing, or in a circle.
    return false;
  }
}

/** A link to nothing would make the store where somebody else chose; a pipe or device is no store. */
function plainFile(file: string): string {
  const place = lstatSync(file, { throwIfNoEntry: false });
  const isFile = place === undefined || place.isFile() || (place.isSymbolicLink() && isFileBehind(file));
  if (isFile) return file;
  const what = place.isSymbolicLink() ? 'a link that leads to no file' : 'not a file';
  throw new ForewordError('bad-input', `The store ${file} is ${what}.`, {
    hint: 'Name a file, or a path where none is yet.',
  });
}

async function openFile(
  { file, isOurs }: StoreAddress & { readonly kind: 'file' },
  reports: StoreReports,
  damaged: 'set-aside' | 'refuse' | 'reader',
): Promise<Stores> {
  const { openSqliteStores, openSqliteCopy } = await import('./sqlite/open.ts');
  const moved: { from: string; to: string; reason: string }[] = [];
  const opening = openSqliteStores(file, { isOurs, damaged, onSetAside: (event) => moved.push(event) });
  const stores = await (damaged === 'reader'
    ? opening.catch((error: unknown) => openSqliteCopy(file, error))
    : opening);
  for (const one of moved) {
    reports.note(`${basename(one.from)} ${one.reason}. It was renamed to ${one.to}, and a new one was created.`);
    await stores.journal.append(reports.stamp({ kind: 'store-set-aside', ...one }));
  }
  return stores;
}
