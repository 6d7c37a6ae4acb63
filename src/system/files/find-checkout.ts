// The checkout of a run that a folder lies in, by its path in our own state folder. What is asked there is asked of the project
// that the run belongs to; whoever asks may be the agent that works there.

import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { findProject } from './project.ts';
import { readRecord } from './project-records.ts';
import { projectPlaces } from './project-state.ts';

export interface FoundCheckout {
  /** Its part of the project: what `root` is in the person's tree. */
  readonly work: string;
  /** The index of the code search in it. */
  readonly index: string;
  /** Names the task that is worked on there, where notes for the next session are kept apart. */
  readonly tree: string;
}

export interface FoundProject {
  readonly cwd: string;
  /** The project, also for a folder in one of its checkouts. */
  readonly root: string;
  /** Where git and the code search look: the root, or the checkout. */
  readonly work: string;
  readonly checkout: FoundCheckout | undefined;
}

/** `state` is the person's state folder. Throws as `findProject`. */
export function findProjectOrCheckout(named: string | undefined, state: string): FoundProject {
  const { cwd, root } = findProject(named);
  const found = findCheckout(cwd, state);
  if (found === undefined) return { cwd, root, work: root, checkout: undefined };
  return { cwd, root: found.root, work: found.checkout.work, checkout: found.checkout };
}

/** Checkouts lie in the state folder, or where it has a link to (checkouts-place.ts). */
const CHECKOUT = /^(.*\/(p[0-9a-f]{16})(?:\/checkouts)?)\/([1-9]\d{0,5})\/tree(?:\/|$)/;

/** Whether a path looks like one in a checkout; quick, and the same as in foreword-hook.sh. */
export function isCheckoutPath(path: string): boolean {
  return CHECKOUT.test(path);
}

/** `undefined` too for a checkout whose project is gone. */
export function findCheckout(
  cwd: string,
  state: string,
): { readonly root: string; readonly checkout: FoundCheckout } | undefined {
  // Most folders are none, and this is asked at the start of every command.
  if (state === '' || !isCheckoutPath(cwd)) return undefined;
  const [, folder = '', id = '', number] = CHECKOUT.exec(realOrSame(cwd)) ?? [];
  if (id === '' || realOrSame(projectPlaces(state, id).checkouts) !== folder) return undefined;
  const record = readRecord(state, id);
  if (typeof record === 'string') return undefined;
  const places = projectPlaces(state, id).checkout(Number(number));
  const work = realOrSame(join(places.tree, record.relativeRoot));
  return { root: record.root, checkout: { work, index: places.search, tree: taskIn(places.lease) } };
}

/** Names what belongs to one task of a run. */
export function taskTree(run: string, task: string): string {
  return `task ${run} ${task}`;
}

/** The lease lies beside the tree, where only foreword writes. */
function taskIn(lease: string): string {
  try {
    const { work } = JSON.parse(readFileSync(lease, 'utf8')) as { work?: { run?: unknown; task?: unknown } };
    return work === undefined ? NO_TASK : taskTree(String(work.run), String(work.task));
  } catch {
    return NO_TASK;
  }
}

const NO_TASK = 'task ';

function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
