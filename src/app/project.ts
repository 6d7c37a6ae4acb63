// The only place that joins ports to implementations. What is heavy (SQLite, Redis, the search index) is loaded when it
// is first asked for, so that a command pays only for what it uses.

import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, resolve } from 'node:path';
import { agree, agreedText, isAgreed, type Parts, partsText } from '../config/agreed.ts';
import { type Config, checkAgents, loadConfig, type Origin } from '../config/load.ts';
import { keepSessionState } from '../context/session-state.ts';
import { observeDiffstat, observeGit } from '../context/sources/git.ts';
import { observeNotes } from '../context/sources/notes.ts';
import { observePolicy } from '../context/sources/policy.ts';
import type { Sources, TaskFile } from '../context/sources/port.ts';
import { observeTasks } from '../context/sources/tasks.ts';
import { takeSpool } from '../hooks/spool.ts';
import type { Clock } from '../kernel/clock.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { ForewordEvent, NewEvent } from '../kernel/events.ts';
import { makeRedactor } from '../kernel/redact.ts';
import type { CodeSearch } from '../kernel/search.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Patience } from '../stores/patient.ts';
import { systemClock } from '../system/clock.ts';
import { environment, secretsFromEnv } from '../system/environment.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { ensureFolder, findRoot, ownFile } from '../system/files/project.ts';
import { readTextFile, type TextFile } from '../system/files/read-text.ts';
import { stateFolder } from '../system/files/state-folder.ts';
import { openRepository } from '../system/git/repository.ts';
import { newId } from '../system/ids.ts';

export interface ProjectOptions {
  /** Where the person stands; the root is found from here. */
  readonly cwd?: string | undefined;
  /** A file, or redis:// or rediss://; default `.foreword/foreword.db`. */
  readonly store?: string | undefined;
  readonly config?: string | undefined;
  /** Stores of your own, in place of what `store` names; closed by you. */
  readonly stores?: Stores;
  /** What a person should know while work goes on (a store set aside). */
  readonly note?: (text: string) => void;
  readonly clock?: Clock;
}

/** One project, opened: its facts, its settings and its store. */
export interface Project {
  readonly root: string;
  readonly cwd: string;
  readonly config: Config;
  readonly clock: Clock;
  readonly sources: Sources;
  /** A task file named by the person; throws `bad-input` with every fault, also when a task cannot be run. */
  taskFile(path: string): Promise<TaskFile>;
  /** The template a person named, else the one the settings name for the role; `undefined` for the built-in one. */
  template(
    role: 'engineer' | 'reviewer' | 'helper',
    named?: string,
  ): { readonly text: string; readonly where: string } | undefined;
  /** What the repository's own configuration brings that needs a person's agreement. */
  readonly trust: Trust;
  /** Every setting with its value and where it came from; a password in the store's URL is not shown. */
  origins(): Readonly<Record<string, Origin>>;
  /** Throws `bad-config` with every fault in what the settings say of agents. */
  checkAgents(known: Parameters<typeof checkAgents>[1]): void;
  redact(text: string): string;
  /** A text file that a setting of the project names (it must lie in the project) or that a person names. */
  readText(path: string, by: 'project' | 'person'): TextFile;
  newId(prefix: string): string;
  /** The store for reading; a store that was never written reads as empty and is not made. */
  readStores(): Promise<Stores>;
  /** Stores that hold nothing, to go on where the real one cannot be opened. */
  emptyStores(): Promise<Stores>;
  /** The store for writing, made if need be. Everything written passes the redactor. */
  writeStores(): Promise<Stores>;
  /** From now on the store for writing waits while it cannot be reached, until the signal is aborted. */
  bePatient(signal: AbortSignal, giveUpMs: number): void;
  /** `undefined` outside a git repository: only tracked files are searched. */
  codeSearch(): Promise<CodeSearch | undefined>;
  /** Appends to the journal of `writeStores`. */
  emit(event: NewEvent): Promise<void>;
  close(): Promise<void>;
}

export interface Trust {
  /** Empty when there is nothing that needs it. */
  readonly parts: Parts;
  /** As a person reads it. */
  readonly text: string;
  readonly isAgreed: boolean;
  /** What was agreed to last. */
  readonly before: string | undefined;
  agree(): void;
}

export function openProject(options: ProjectOptions = {}): Project {
  const cwd = resolve(options.cwd ?? '.');
  if (!(statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    throw new ForewordError('bad-usage', `There is no folder ${options.cwd}.`, { hint: 'Mend --cwd.' });
  }
  const root = findRoot(cwd);
  const env = environment();
  const asked = { root, env, file: options.config && resolve(cwd, options.config), flags: { store: options.store } };
  const untrusted = loadConfig(asked);
  const state = stateFolder(env, homedir());
  const trustAt = { root, stateFolder: state };
  const { parts } = untrusted.needsTrust;
  const needsAgreement = untrusted.ignored.length > 0;
  const isTrusted = needsAgreement && isAgreed(parts, trustAt);
  const loaded = isTrusted ? loadConfig({ ...asked, isTrusted }) : untrusted;
  const { config } = loaded;
  const clock = options.clock ?? systemClock;
  const redact = makeRedactor(secretsFromEnv(env, config.redact.variables));
  const note = options.note ?? (() => undefined);
  const open: Opened = { closers: [] };
  const given = options.stores && { ...options.stores, close: async () => undefined };
  const at: Place = { root, cwd, config, note, redact, clock, given };
  const project: Project = {
    root,
    cwd,
    config,
    clock,
    redact,
    trust: {
      parts: needsAgreement ? parts : {},
      isAgreed: !needsAgreement || isTrusted,
      text: partsText(parts),
      before: agreedText(trustAt),
      agree: () => agree(parts, trustAt),
    },
    origins: () => ({
      ...loaded.origins,
      store: { value: withoutPassword(config.store), from: loaded.origins.store?.from ?? 'default' },
    }),
    checkAgents: (known) => checkAgents(loaded, known),
    taskFile: async (path) => {
      const { readTaskFile } = await import('../context/sources/tasks.ts');
      const { faultsForRun } = await import('../config/schemas/task-file.ts');
      const read = readTaskFile(resolve(cwd, path), root);
      const faults = read.kind === 'found' ? faultsForRun(read.value.tasks) : read.faults;
      if (read.kind === 'found' && faults.length === 0) return read.value;
      throw new ForewordError('bad-input', `${path} has ${faults.length} fault(s); nothing was run.`, {
        hint: 'Mend these and run it again.',
        faults,
      });
    },
    template: (role, named) => {
      const file = named ?? config.templates[role];
      if (file === undefined) return undefined;
      const read = project.readText(file, named === undefined ? 'project' : 'person');
      if (read.kind === 'text') return { text: read.text, where: file };
      const why = read.kind === 'absent' ? 'There is no such file.' : read.message;
      throw new ForewordError('bad-input', `The template ${file} cannot be used. ${why}`, {
        hint: 'Mend the path or the file.',
      });
    },
    readText: (path, by) =>
      by === 'person'
        ? readTextFile(resolve(cwd, path))
        : readTextFile(resolve(root, path), isAbsolute(path) ? undefined : root),
    newId,
    sources: sourcesOf(at, env.PATH),
    readStores: async () => {
      if (given === undefined) await foldSpool(project, state);
      open.read ??= open.write ?? openStores(at, { isWrite: false });
      const stores = await open.read;
      // A stand-in for a store that is not there yet must not hide the one that is made later.
      if (given === undefined && (await stores.durability()).kind === 'memory') delete open.read;
      return keep(open, stores);
    },
    emptyStores: async () => (await import('../stores/memory.ts')).memoryStores(),
    writeStores: async () => {
      open.write ??= openStores(at, { isWrite: true });
      return keep(open, await open.write);
    },
    bePatient: (signal, giveUpMs) => {
      at.patience = { clock, signal, note, giveUpMs };
    },
    codeSearch: async () => {
      open.search ??= openSearch(at, env.PATH);
      return open.search;
    },
    emit: async (event) => {
      const stores = await project.writeStores();
      await stores.journal.append({
        id: newId('evt'),
        at: new Date(clock.now()).toISOString(),
        ...event,
      } as ForewordEvent);
    },
    close: async () => {
      (await open.search)?.close();
      for (const stores of open.closers.splice(0)) await stores.close();
    },
  };
  return project;
}

function withoutPassword(store: string | undefined): string | undefined {
  return store?.replace(/:\/\/[^@/]*@/, () => '://…@');
}

/** What hooks told since the last command goes into the journal. Reading goes on without it where that cannot be done. */
async function foldSpool(project: Project, state: string): Promise<void> {
  try {
    const { entries, remove } = takeSpool(state, project.root);
    if (entries.length === 0) return;
    const { journal } = await project.writeStores();
    const known = new Set((await journal.last(KNOWN_EVENTS)).map(({ value }) => value.id));
    for (const entry of entries) {
      if (!known.has(entry.id)) await journal.append(entry);
      known.add(entry.id);
    }
    remove();
  } catch {
    // The lines stay where they are; a later command tries again.
    return;
  }
}

/** An entry told twice is told within moments. */
const KNOWN_EVENTS = 2000;

interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly config: Config;
  readonly clock: Clock;
  readonly note: (text: string) => void;
  readonly redact: (text: string) => string;
  patience?: Patience;
  readonly given: Stores | undefined;
}

interface Opened {
  read?: Promise<Stores>;
  write?: Promise<Stores>;
  search?: Promise<CodeSearch | undefined>;
  readonly closers: Stores[];
}

function keep(open: Opened, stores: Stores): Stores {
  if (!open.closers.includes(stores)) open.closers.push(stores);
  return stores;
}

function sourcesOf({ root, config, clock }: Place, path: string | undefined): Sources {
  const { context } = config;
  return {
    git: () => observeGit(root, path),
    changed: () => observeDiffstat(root, path),
    tasks: () => observeTasks(root, { path: context.tasks }),
    notes: () => observeNotes(root, { path: context.notes, now: clock.now(), recentSec: context.recentSec }),
    policy: () => observePolicy(root, { path: context.policy }),
  };
}

async function openStores(at: Place, how: { readonly isWrite: boolean }): Promise<Stores> {
  const stores = await openPlain(at, how);
  if (!how.isWrite) return stores;
  const { redactingStores, watchedStores } = await import('../stores/guard.ts');
  const patient = at.patience && (await import('../stores/patient.ts')).patientStores(stores, at.patience);
  const guarded = redactingStores(patient ?? stores, at.redact);
  if (!at.config.state.dump) return guarded;
  const dump = keepSessionState({
    stores: guarded,
    project: at.config.project,
    historySize: at.config.history.size,
    maxBlockers: at.config.history.maxBlockers,
    now: () => at.clock.now(),
    redact: at.redact,
    write: (text) => {
      ensureFolder(at.root);
      replaceFile(ownFile(at.root, 'session-state.json'), text);
    },
    onFailure: async (reason) => {
      at.note(`session-state.json was not written: ${reason}`);
      const event = {
        id: newId('evt'),
        at: new Date(at.clock.now()).toISOString(),
        kind: 'state-dump-failed',
        reason,
      } as const;
      await guarded.journal.append(event);
    },
  });
  const watched = watchedStores(guarded, dump.changed);
  return {
    ...watched,
    close: async () => {
      await dump.settled();
      await watched.close();
    },
  };
}

async function openPlain(at: Place, how: { readonly isWrite: boolean }): Promise<Stores> {
  if (at.given !== undefined) return at.given;
  const { store } = at.config;
  if (store !== undefined && /^rediss?:\/\//.test(store)) {
    const { openRedisStores } = await import('../stores/redis/open.ts');
    const stores = await openRedisStores(store, { prefix: `foreword:${at.config.project}`, allowVolatile: true });
    if (how.isWrite) {
      const { level, detail } = await stores.durability();
      if (level === 'volatile') at.note(`what is written here may be lost: ${detail}`);
    }
    return stores;
  }
  if (store !== undefined && /^[a-z]+:\/\//i.test(store)) {
    throw new ForewordError('bad-usage', `The store ${store.split('://')[0]}:// is not known.`, {
      hint: 'Use a file, redis:// or rediss://.',
    });
  }
  const file = store === undefined ? ownFile(at.root, 'foreword.db') : resolve(at.cwd, store);
  if (!how.isWrite && !existsSync(file)) return (await import('../stores/memory.ts')).memoryStores();
  if (how.isWrite && store === undefined) ensureFolder(at.root);
  return openFile(file, at, { isOurs: store === undefined, isWrite: how.isWrite });
}

async function openFile(
  file: string,
  at: Place,
  how: { readonly isOurs: boolean; readonly isWrite: boolean },
): Promise<Stores> {
  const { openSqliteStores, openSqliteCopy } = await import('../stores/sqlite/open.ts');
  const moved: { from: string; to: string; reason: string }[] = [];
  const opening = openSqliteStores(file, { isOurs: how.isOurs, onSetAside: (event) => moved.push(event) });
  const stores = await (how.isWrite ? opening : opening.catch((error: unknown) => openSqliteCopy(file, error)));
  for (const { from, to, reason } of moved) {
    at.note(`${basename(from)} ${reason}. It was set aside as ${to}, and a new one begun.`);
    const event = {
      id: newId('evt'),
      at: new Date(at.clock.now()).toISOString(),
      kind: 'store-set-aside',
      from,
      to,
      reason,
    } as const;
    await stores.journal.append(event);
  }
  return stores;
}

async function openSearch(at: Place, path: string | undefined): Promise<CodeSearch | undefined> {
  const repository = openRepository(at.root, path);
  if (repository === undefined) return undefined;
  const { openSearchIndex } = await import('../stores/sqlite/search-index.ts');
  const { openCodeSearch } = await import('../context/sources/code.ts');
  ensureFolder(at.root);
  const index = await openSearchIndex(ownFile(at.root, 'search.db'));
  return openCodeSearch({
    root: at.root,
    repository,
    index,
    redact: at.redact,
    maxFileBytes: at.config.search.maxFileBytes,
    clock: at.clock,
  });
}

/** Everything in a store, as the values of JSON lines; secrets that became known since are taken out. */
export async function* exportLines(stores: Stores, redact: (text: string) => string): AsyncIterable<unknown> {
  const transfer = await import('../stores/transfer.ts');
  for await (const line of transfer.exportLines(stores)) yield transfer.redactLine(JSON.parse(line), redact);
}

/** Adds what the store lacks. The text is checked whole before the store is opened. */
export async function importLines(
  text: string,
  into: {
    readonly stores: () => Promise<Stores>;
    readonly where: string;
    readonly redact: (text: string) => string;
  },
): Promise<{ readonly added: number; readonly kept: number }> {
  const { importLines: take } = await import('../stores/transfer.ts');
  return take(text, into.stores, into);
}
