// The paths of everything that foreword keeps for itself: no other file builds a path to state. Two places: the person's
// state folder (`projects/` by the project's id, `roots/` by the root's path, the rest by person) and the runtime folder
// (sessions). Nothing of it lies in the repository, which a clone brings and an agent can write to; no record is asked for a
// path. open-state.ts opens the state of one project. foreword-hook.sh and foreword-speak.sh know the places of `personState`
// and `rootPlaces` too; project-state.test.ts compares them.

import { lstatSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { ForewordError, isForewordError } from '../../kernel/errors.ts';
import type { SessionPlace } from '../../kernel/session.ts';
import { sha256 } from '../sha256.ts';
import { makeFolder, makeOne } from './make-folder.ts';
import { PROJECT_ID } from './project-identity.ts';

interface Names {
  readonly XDG_STATE_HOME?: string | undefined;
  readonly XDG_RUNTIME_DIR?: string | undefined;
  readonly HOME?: string | undefined;
}

/** By the XDG rules, by which a relative path does not count. `home` is used when HOME is not set; without both it is empty. */
export function stateFolder({ XDG_STATE_HOME: base = '', HOME: known = '' }: Names, home = ''): string {
  if (isAbsolute(base)) return join(base, 'foreword');
  const own = isAbsolute(known) ? known : home;
  return own === '' ? '' : join(own, '.local/state/foreword');
}

/** Where hooks keep what they must remember. A run gives each attempt a folder of its own (FOREWORD_STATE), which the agent
 *  can write to as well. */
export function hookStateFolder(env: Names & { readonly FOREWORD_STATE?: string | undefined }): string {
  return isInRun(env) ? env.FOREWORD_STATE : stateFolder(env);
}

/** Whether this is a process of an agent in a run. */
export function isInRun<T extends { readonly FOREWORD_STATE?: string | undefined }>(
  env: T,
): env is T & { readonly FOREWORD_STATE: string } {
  return env.FOREWORD_STATE?.startsWith('/') === true;
}

/** In the folder of an attempt's hooks: there when the prompt has the rules that the gate would show. */
export function rulesNote(state: string): string {
  return join(state, 'rules-in-prompt');
}

/** Paths that belong to the person and not to a project; `state` is the person's state folder. */
export function personState(state: string) {
  return {
    trust: join(state, 'trust'),
    installed: join(state, 'installed'),
    verify: join(state, 'verify.json'),
    /** What the last xray of each agent and project found, in tokens. */
    xray: join(state, 'xray.json'),
    /** A file for each setting that was created so that a boxed agent cannot create it. */
    placeholders: join(state, 'placeholders'),
    hookLog: join(state, 'hook.log'),
    /** Whether the person agreed that their prompts cross to agents of other vendors: yes or no. */
    across: join(state, 'across'),
    node: join(state, NODE_NOTE),
  } as const;
}

/** What hooks keep for one project, found from its root alone, without a process and without an id: a folder for each folder
 *  of the root's real path, and `.fw` in the last. `realRoot` is absolute and has no links. */
export function rootPlaces(state: string, realRoot: string) {
  const folder = join(rootsFolder(state), realRoot, '.fw');
  return {
    folder,
    /** Holds the project's id, the name of its folder in `projects/`. */
    id: join(folder, 'id'),
    /** There when the project is switched on though it has neither `.foreword/` nor `.context/`. */
    on: join(folder, 'on'),
    gate: join(folder, 'gate'),
    hooks: join(folder, 'hooks'),
    spool: join(folder, 'spool'),
    /** A file for each session: what it did so far. */
    works: join(folder, 'works'),
    swept: join(folder, 'swept'),
  } as const;
}

export type RootPlaces = ReturnType<typeof rootPlaces>;

/** What is kept for one project: `id` is random, and nothing here is read from a record. Throws `internal` for what is not an id. */
export function projectPlaces(state: string, id: string) {
  if (!PROJECT_ID.test(id)) throw new ForewordError('internal', `"${id}" is not the id of a project.`);
  const folder = join(projectsFolder(state).folder, id);
  return {
    folder,
    /** What identifies the project. */
    record: join(folder, 'project.json'),
    store: join(folder, 'foreword.db'),
    /** A note of each process that works there for longer (at-work.ts). */
    atWork: join(folder, 'at-work'),
    /** The id of the project's fleet on that server. */
    fleet: (server: string) => join(folder, 'fleets', hashOf(server).slice(0, 16)),
    /** Every snapshot, attempt and commit of runs: a repository of ours. Its objects are read beside those of the
     *  project's own, which `baseObjects` links to. */
    work: {
      directory: join(folder, 'work.git'),
      baseObjects: join(folder, 'base-objects'),
      /** For snapshots of the person's own tree. */
      snapshots: join(folder, 'work-snapshots'),
    },
    ...checkoutsIn(join(folder, 'checkouts')),
    /** What belongs to one working tree. */
    tree: (name: string) => {
      const tree = join(folder, 'trees', name);
      // Two working trees may run the same tasks in place.
      return { folder: tree, index: join(tree, 'search.db'), runs: join(name === 'main' ? folder : tree, 'runs') };
    },
  } as const;
}

export interface CheckoutPlaces {
  readonly folder: string;
  /** The work tree that the agent gets, with the agent's own git directory in it. */
  readonly tree: string;
  /** Our index of it. */
  readonly index: string;
  /** What was last put into the tree. */
  readonly record: string;
  readonly observer: string;
  /** Manifests of the shared folders. */
  readonly shared: string;
  /** What `run.prepare` made in it, as it was then. */
  readonly prepared: string;
  /** One folder per submodule: its index and a git directory of ours. */
  readonly submodules: string;
  /** For what is being made or removed; on the same disk as the tree. */
  readonly scratch: string;
  /** Who uses it, and for which task. */
  readonly lease: string;
  /** What was seen in it since it was last reset. */
  readonly observations: string;
  /** The index of the code search in it. */
  readonly search: string;
  /** What a box around it has for itself while a program runs in it. */
  readonly box: string;
}

/** The usual place is in the project's state; checkouts-place.ts decides about the true one. */
function checkoutsIn(checkouts: string) {
  /** Where an agent works; `number` counts from 1. */
  const checkout = (number: number) => checkoutPlaces(join(checkouts, String(number)));
  return { checkouts, checkout } as const;
}

function checkoutPlaces(folder: string): CheckoutPlaces {
  return {
    folder,
    tree: join(folder, 'tree'),
    index: join(folder, 'index'),
    record: join(folder, 'checkout.json'),
    observer: join(folder, 'observer'),
    shared: join(folder, 'shared'),
    prepared: join(folder, 'prepared'),
    submodules: join(folder, 'submodules'),
    scratch: join(folder, 'scratch'),
    lease: join(folder, 'lease.json'),
    observations: join(folder, 'observations'),
    search: join(folder, 'search.db'),
    box: join(folder, 'box'),
  };
}

/** The lock is held while a project is made or moved. */
export function projectsFolder(state: string) {
  const folder = join(state, 'projects');
  return { folder, lock: join(folder, 'lock') } as const;
}

/** Has a folder for each root, see `rootPlaces`. */
export function rootsFolder(state: string): string {
  return join(state, 'roots');
}

/** A project that has one of these is one of ours. */
export const CONTEXT_FOLDERS = ['.foreword', '.context'] as const;

/** The same name is used beside the hook program. */
export const NODE_NOTE = 'node-path';

/** The folder for what people write: configuration, tasks, policy, notes, templates. */
export function projectFolder(root: string): string {
  return join(root, '.foreword');
}

export interface RunPlaces
  extends Pick<ReturnType<typeof projectPlaces>, 'work' | 'checkout' | 'checkouts' | 'atWork'> {
  /** Of the project. */
  readonly folder: string;
  /** For who takes a checkout, one process at a time. */
  readonly turns: string;
  /** Results that a store which is away has not got yet. */
  readonly spool: string;
  /** Not made. */
  task(id: string): TaskPlaces;
  /** All of ours, which never counts as observed where it lies in a work tree. */
  readonly ours: string;
}

export interface TaskPlaces {
  readonly folder: string;
  log(attempt: number): string;
  /** Of an agent that could not resume its session; the attempt went on in a new one. */
  resumeLog(attempt: number): string;
  prompt(attempt: number): string;
  helper(name: string): string;
}

/** `runs` is the folder for runs of one working tree, `ours` all that is ours. */
export function runPlaces(
  places: Pick<ReturnType<typeof projectPlaces>, 'folder' | 'work' | 'checkouts' | 'atWork'>,
  runs: string,
  ours: string,
): RunPlaces {
  const { folder: project, work, checkouts, atWork } = places;
  return {
    folder: project,
    work,
    atWork,
    ...checkoutsIn(checkouts),
    ours,
    turns: join(checkouts, 'turns'),
    spool: join(project, 'spool'),
    task: (id) => {
      const folder = join(runs, taskName(id));
      return {
        folder,
        log: (attempt) => join(folder, `attempt-${attempt}.log`),
        resumeLog: (attempt) => join(folder, `attempt-${attempt}-resume.log`),
        prompt: (attempt) => join(folder, `attempt-${attempt}-prompt.md`),
        helper: (name) => join(folder, `helper-${name}`),
      };
    },
  };
}

/** A task's id may hold anything; a file name may not. */
function taskName(id: string): string {
  return `${id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)}-${hashOf(id).slice(0, 8)}`;
}

/** Of `.foreword/`. Throws `bad-input` when it, or the folder, is a link or something else than it should be. */
export function ownFile(root: string, name: string): string {
  const folder = projectFolder(root);
  const place = lstatSync(folder, { throwIfNoEntry: false });
  if (place !== undefined && !place.isDirectory()) throw notOurs(folder, place.isSymbolicLink());
  const file = join(folder, name);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) throw notOurs(file, stat.isSymbolicLink());
  return file;
}

/** Where an earlier version kept the store. */
export function oldStore(root: string): string {
  return join(projectFolder(root), 'foreword.db');
}

function notOurs(path: string, isLink: boolean): ForewordError {
  const what = isLink ? 'a link' : 'not a plain file or folder';
  return new ForewordError('bad-input', `${path} is ${what}, so foreword does not write there.`, {
    hint: isLink ? 'A repository could redirect what is written anywhere with it. Remove the link.' : 'Move it away.',
  });
}

export const SESSION_ID = /^s[0-9a-f]{8}$/;

/** The system's limit for the path of a socket is 104 bytes or 108; a name comes behind the folder. */
const MOST_PATH_BYTES = 80;

/** Where sessions are kept; `temporary` is used when the path would be too long. */
export interface SessionBase extends Names {
  readonly home: string;
  readonly temporary: string;
}

/** Throws `bad-usage` for what is not a session id. */
export function sessionPlace(id: string, names: SessionBase) {
  if (!SESSION_ID.test(id)) throw new ForewordError('bad-usage', `"${id}" is not a session id.`);
  const { XDG_RUNTIME_DIR: runtime = '', home, temporary } = names;
  const usual = isAbsolute(runtime) ? join(runtime, 'foreword') : stateFolder(names, home);
  const isShort = Buffer.byteLength(join(usual, 's', id)) <= MOST_PATH_BYTES;
  const base = isShort ? usual : join(temporary, `foreword-${process.getuid?.() ?? 0}`);
  const folder = join(base, 's', id);
  const place: SessionPlace = {
    id,
    folder,
    socket: join(folder, 'socket'),
    tmux: { socket: join(folder, 'tmux'), session: id },
    log: join(folder, 'log'),
    context: join(folder, 'context.json'),
    note: join(folder, 'session.json'),
  };
  return { ...place, base };
}

/** Makes `path` below `base` with mode 0700, and `base` where it is missing. Throws `store-unreachable` when `base` or a
 *  folder on the way cannot be made, is a link, belongs to another user, or others can write to it: they could replace what
 *  is in it. */
export function makePrivateFolder(base: string, path = ''): string {
  return inState(base, () => {
    makeFolder(base);
    checkPrivate(base);
    let folder = base;
    for (const part of path.split(sep).filter(Boolean)) {
      folder = join(folder, part);
      if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) makeOne(folder);
      checkPrivate(folder);
    }
    return folder;
  });
}

/** What the file system refuses is turned into a `disk-full` or `store-unreachable` that names `folder` and a fix. */
export function inState<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || isForewordError(error)) throw error;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new ForewordError('disk-full', `The disk of ${folder} is full: ${message}.`, {
        hint: 'Free some space, or set XDG_STATE_HOME to a folder on another disk.',
        cause: error,
      });
    }
    throw new ForewordError('store-unreachable', `foreword cannot use its state folder ${folder}: ${message}.`, {
      hint: 'Make it a folder that you can write to, or set XDG_STATE_HOME to one.',
      cause: error,
    });
  }
}

/** Whether `folder` is private: ours, and no other user can write to it. */
export function isPrivate(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  const isOwn = process.getuid === undefined || stat?.uid === process.getuid();
  return stat?.isDirectory() === true && isOwn && (stat.mode & 0o022) === 0;
}

/** Throws `store-unreachable` as `makePrivateFolder`. */
export function checkPrivate(folder: string): void {
  if (!isPrivate(folder)) throw notPrivate(folder);
}

export function notPrivate(folder: string): ForewordError {
  return new ForewordError(
    'store-unreachable',
    `${folder} is not a private folder of yours, so foreword does not write there.`,
    {
      hint: 'Make it private (chmod 700), or set XDG_STATE_HOME or XDG_RUNTIME_DIR to a private folder.',
    },
  );
}

function hashOf(text: string): string {
  return sha256(text).slice(0, 32);
}
