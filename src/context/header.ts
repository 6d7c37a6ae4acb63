// Header: the repository, the queue and the rules in a few lines, for a prompt. Pure: the same facts and the same clock
// give the same bytes. Every list is capped and the cut entries are counted, so that an agent never takes a part for the
// whole. It is a value; header-yaml.ts writes it.

import { formatAge } from '../kernel/age.ts';
import type { Policy } from '../kernel/policy.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { Task } from '../kernel/task.ts';
import { policyEntries } from './policy-lines.ts';

export type Mode = 'propose' | 'review';

/** Where the agent works, as far as a run knows it. */
export interface HeaderEnv {
  readonly box: string;
  readonly network: 'on';
}

export interface Header {
  readonly repo: { readonly branch: string | null; readonly head: string | null; readonly recent_window: string };
  readonly pending: readonly { readonly id: string; readonly age: string; readonly files: readonly string[] }[];
  readonly backlog: readonly { readonly id: string; readonly summary: string }[];
  readonly hotspots: readonly { readonly path: string; readonly age: string }[];
  readonly targets: readonly string[];
  readonly policy: readonly string[];
  readonly next_work: readonly string[];
  readonly env?: HeaderEnv;
  readonly mode: Mode;
  /** How many entries were cut from each list; absent when nothing was. */
  readonly more?: Readonly<Record<string, number>>;
  /** Sources that could not be read, where the header is composed anyway (hooks, session start). */
  readonly unavailable?: readonly string[];
}

/** A note that waits for review. Paths are relative to the notes folder. */
export interface PendingNote {
  readonly id: string;
  readonly path: string;
  readonly modifiedAt: number;
  readonly targets: readonly string[];
}

export interface RecentNote {
  readonly path: string;
  readonly modifiedAt: number;
}

/** The source opens only the notes that can be shown, and counts the rest. */
export interface NoteFacts {
  readonly pending: readonly PendingNote[];
  readonly pendingTotal: number;
  readonly recent: readonly RecentNote[];
}

export interface HeaderFacts {
  readonly now: number;
  readonly recentSec: number;
  readonly repo: { readonly branch: string | null; readonly head: string | null };
  readonly notes: NoteFacts;
  readonly tasks: readonly Task[];
  /** Tasks that are not to be picked: finished, blocked or running. */
  readonly taken: ReadonlySet<string>;
  /** Tasks that are completed: what `depends_on` waits for. */
  readonly completed: ReadonlySet<string>;
  readonly policy: Policy | undefined;
  readonly targets: readonly string[];
  /** Anything but `review` becomes `propose`. */
  readonly mode: string;
  readonly env?: HeaderEnv | undefined;
  readonly unavailable?: readonly string[];
}

export const MAX_ENTRIES = 7;
const MAX_FILES = 3;
/** A task with more targets than this should name a folder; the header counts the rest. */
const MAX_TARGETS = 12;
/** Longer ids, paths and summaries are shortened in the middle: a header is read on every prompt. */
const MAX_ID = 80;
const MAX_PATH = 200;
const MAX_SUMMARY = 120;

export function buildHeader(facts: HeaderFacts): Header {
  const pending = [...facts.notes.pending].sort((a, b) => a.modifiedAt - b.modifiedAt || order(a.path, b.path));
  const backlog = facts.tasks.filter((task) => !facts.taken.has(task.task_id)).sort(byPriorityThenId);
  const hotspots = recentNotes(facts);
  const policy = policyEntries(facts.policy, MAX_ENTRIES);
  const shown: Omit<Header, 'more' | 'unavailable' | 'next_work' | 'env' | 'mode'> = {
    repo: {
      branch: facts.repo.branch === null ? null : exact(facts.repo.branch, MAX_PATH),
      head: facts.repo.head,
      recent_window: `${facts.recentSec}s`,
    },
    pending: pending.slice(0, MAX_ENTRIES).map((note) => ({
      id: exact(note.id, MAX_ID),
      age: formatAge(facts.now - note.modifiedAt),
      files: cutFiles(note.targets.length > 0 ? note.targets : [note.path]),
    })),
    backlog: backlog
      .slice(0, MAX_ENTRIES)
      .map((task) => ({ id: exact(task.task_id, MAX_ID), summary: summaryOf(task) })),
    hotspots: hotspots.slice(0, MAX_ENTRIES).map((note) => ({
      path: exact(note.path, MAX_PATH),
      age: formatAge(facts.now - note.modifiedAt),
    })),
    targets: facts.targets.slice(0, MAX_TARGETS).map((target) => exact(target, MAX_PATH)),
    policy: policy.entries,
  };
  const more = counts({
    pending: facts.notes.pendingTotal - shown.pending.length,
    backlog: backlog.length - shown.backlog.length,
    hotspots: hotspots.length - shown.hotspots.length,
    targets: facts.targets.length - shown.targets.length,
    policy: policy.cut,
  });
  const pick = backlog.find((task) => task.depends_on.every((id) => facts.completed.has(id))) ?? backlog[0];
  return {
    ...shown,
    next_work: nextWork(shown, pick),
    ...(facts.env === undefined ? {} : { env: facts.env }),
    mode: facts.mode === 'review' ? 'review' : 'propose',
    ...(more === undefined ? {} : { more }),
    ...(facts.unavailable === undefined || facts.unavailable.length === 0 ? {} : { unavailable: facts.unavailable }),
  };
}

function recentNotes(facts: HeaderFacts): readonly RecentNote[] {
  const newest = new Map<string, RecentNote>();
  for (const note of facts.notes.recent) {
    if (facts.now - note.modifiedAt > facts.recentSec * 1000) continue;
    const known = newest.get(note.path);
    if (known === undefined || known.modifiedAt < note.modifiedAt) newest.set(note.path, note);
  }
  return [...newest.values()].sort((a, b) => b.modifiedAt - a.modifiedAt || order(a.path, b.path));
}

/** Always in this order and never empty: an agent that finds no work must be told so. */
function nextWork(shown: Pick<Header, 'pending' | 'hotspots'>, pick: Task | undefined): readonly string[] {
  const [note] = shown.pending;
  const [hotspot] = shown.hotspots;
  const work = [
    ...(note === undefined ? [] : [`review ${note.id} (${note.age})`]),
    ...(pick === undefined ? [] : [`pick ${exact(pick.task_id, MAX_ID)}: ${summaryOf(pick)}`]),
    ...(hotspot === undefined ? [] : [`look at ${hotspot.path}`]),
  ];
  return work.length > 0 ? work : ['noop'];
}

function cutFiles(files: readonly string[]): readonly string[] {
  const shown = files.slice(0, MAX_FILES).map((file) => exact(file, MAX_PATH));
  return files.length > MAX_FILES ? [...shown, `+${files.length - MAX_FILES} more`] : shown;
}

function summaryOf(task: Task): string {
  return oneLine(task.intent || task.instructions, MAX_SUMMARY);
}

/** Names stay as they are, character for character (the serialiser escapes what is not printable), up to a length. */
function exact(text: string, max: number): string {
  const name = text.toWellFormed();
  if (name.length <= max) return name;
  const half = Math.floor((max - 3) / 2);
  return `${name.slice(0, half)}...${name.slice(-half)}`.toWellFormed();
}

function counts(cut: Readonly<Record<string, number>>): Readonly<Record<string, number>> | undefined {
  const positive = Object.entries(cut).filter(([, count]) => count > 0);
  return positive.length > 0 ? Object.fromEntries(positive) : undefined;
}

function byPriorityThenId(a: Task, b: Task): number {
  return a.priority - b.priority || order(a.task_id, b.task_id);
}

/** By code unit, so that the order does not depend on the machine's locale. */
export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
