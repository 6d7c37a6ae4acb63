// Where hooks keep what they must remember: a private folder of the person, never one under a name that others can guess
// and make first. A hook writes here and nowhere else. Their places are of system/files/project-state.ts.

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { oneLine } from '../kernel/safe-text.ts';
import type { Environment } from '../system/environment.ts';
import { makeFolder } from '../system/files/make-folder.ts';
import { hookStateFolder, personState, type RootPlaces, rootPlaces } from '../system/files/project-state.ts';
import { sha256 } from '../system/sha256.ts';

export type HookFolder =
  | { readonly kind: 'open'; readonly folder: string }
  /** Nothing may be kept there; `why` is a sentence. */
  | { readonly kind: 'refused'; readonly folder: string; readonly why: string };

/** Makes the folder where it is missing. A link in its place, or a folder of somebody else, is refused. Never throws. */
export function openState(env: Environment): HookFolder {
  const folder = hookStateFolder(env);
  if (folder === '') return { kind: 'refused', folder, why: 'HOME is not set.' };
  try {
    // Looked at first: a refusal that is thrown takes longer than all the rest.
    const stat = lstatSync(folder, { throwIfNoEntry: false }) ?? made(folder);
    if (!stat.isDirectory()) return { kind: 'refused', folder, why: `${folder} is a link.` };
    if (stat.uid !== process.getuid?.()) return { kind: 'refused', folder, why: `${folder} belongs to somebody else.` };
    if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return { kind: 'open', folder };
  } catch (error) {
    return { kind: 'refused', folder, why: `${folder} cannot be used: ${reasonOf(error)}.` };
  }
}

/** The same for one project. */
export type KeptPlaces =
  | (HookFolder & { readonly kind: 'open'; readonly places: RootPlaces })
  | (HookFolder & { readonly kind: 'refused'; readonly places: RootPlaces });

/** What hooks keep for the project at `realRoot`, which is absolute and has no links. Makes nothing. A link in the place of
 *  its folder, or a folder of somebody else, is refused. Never throws. */
export function openPlaces(state: HookFolder, realRoot: string): KeptPlaces {
  // Without a home there is no folder, and a relative path would lead into the project.
  const places = rootPlaces(state.folder === '' ? '/dev/null' : state.folder, realRoot);
  const own = places.folder;
  const refused = (why: string): KeptPlaces => ({ kind: 'refused', folder: state.folder, places, why });
  if (state.kind === 'refused') return refused(state.why);
  // It would lie among the markers of the project above it.
  if (realRoot.split('/').includes(basename(own))) return refused(`The project lies in a folder ${basename(own)}.`);
  try {
    const stat = lstatSync(own, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) return refused(`${own} is a link.`);
    if (stat !== undefined && stat.uid !== process.getuid?.()) return refused(`${own} belongs to somebody else.`);
    return { ...state, places };
  } catch (error) {
    return refused(`${own} cannot be used: ${reasonOf(error)}.`);
  }
}

function made(folder: string): Stats {
  makeFolder(folder);
  return lstatSync(folder);
}

const NAME = /^[A-Za-z0-9_-]{1,80}$/;

/** How what belongs to a session is named. Ids that are not plain words are named by their hash; no plain word begins
 *  with a tilde or holds a dot, so names of different sessions differ. */
export function sessionName(session: string, subagent: string | undefined): string {
  return subagent === undefined ? nameOf(session) : `${nameOf(session)}.${nameOf(subagent)}`;
}

function nameOf(id: string): string {
  return NAME.test(id) ? id : `~${hashOf(id)}`;
}

/** Short, for names. */
export function hashOf(text: string): string {
  return sha256(text).slice(0, 32);
}

export function sessionFolder({ hooks }: RootPlaces, name: string): string {
  return join(hooks, name);
}

/** Apart from the rest, because foreword-hook.sh makes it and looks into it at every use of a tool. */
export function gateFolder({ gate }: RootPlaces, name: string, epoch: number): string {
  return join(gate, `${name}@${epoch}`);
}

const MOST_LOG_BYTES = 1024 * 1024;

/** One line in hook.log; false when it could not be written. A log over 1 MB becomes hook.log.1, in place of the last. */
export function log(state: string, line: string, now: number): boolean {
  const file = personState(state).hookLog;
  try {
    const size = appendLine(file, `${new Date(now).toISOString()} ${oneLine(line, 500)}`);
    if (size > MOST_LOG_BYTES) renameSync(file, `${file}.1`);
    return true;
  } catch {
    return false;
  }
}

/** One write at the end of the file, so that lines of several processes never mix. Returns the file's size after it. */
function appendLine(file: string, line: string): number {
  const descriptor = openSync(
    file,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    writeSync(descriptor, `${line}\n`);
    return fstatSync(descriptor).size;
  } finally {
    closeSync(descriptor);
  }
}

/** `ENOSPC` and the like, or the message. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code ?? (error instanceof Error ? error.message : String(error));
}
