// Composes what a hook prints of the project, from its files and its store. Heavy: the hook program loads it only at the
// start of a session and at a prompt. The store is only read, and never waited for longer than STORE_MS: the agent waits,
// and what the files hold must be printed before the deadline.

import type { Header } from '../context/header.ts';
import { type HeaderDelta, headerDelta, type ShownHeader, shownOf } from '../context/header-delta.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Stores } from '../kernel/stores.ts';

/** One project, opened for one hook. */
export interface ComposerProject {
  readonly root: string;
  readonly clock: Clock;
  /** The most characters of a startup text that the settings allow. */
  readonly budgetChars: number;
  /** May throw, and may never settle. */
  openStores(): Promise<Stores>;
  emptyStores(): Promise<Stores>;
  /** `unavailable` is named in the text. */
  composeStartup(
    stores: Stores,
    how: { readonly budgetChars: number; readonly unavailable: readonly string[] },
  ): Promise<{ readonly text: string; readonly header: Header }>;
  composeHeader(stores: Stores): Promise<Header>;
  renderHeader(part: Partial<Header>): string;
  /** Removes blocks of sessions that ended without removing theirs. */
  removeExpiredBlocks(): void;
  close(): Promise<void>;
}

export interface StartupText {
  readonly text: string;
  /** The header in it. */
  readonly shown: ShownHeader;
  /** For the log. */
  readonly faults: readonly string[];
}

/** Everything that is asked of a store may take this long. */
const STORE_MS = 500;

/** Without the store the text is composed from the files alone, and names the store. */
export function startupText(open: () => ComposerProject, maxChars: number): Promise<StartupText> {
  return withProject(open, async (project) => {
    project.removeExpiredBlocks();
    const budgetChars = Math.min(project.budgetChars, maxChars);
    const compose = async (stores: Stores, unavailable: readonly string[]) => {
      const { text, header } = await project.composeStartup(stores, { budgetChars, unavailable });
      return { text, shown: shownOf(header) };
    };
    const read = await fromStore(project, (stores) => compose(stores, []));
    if (read.kind === 'read') return { ...read.value, faults: [] };
    const composed = await compose(await project.emptyStores(), [`the store (${read.why})`]);
    return { ...composed, faults: [faultOf(read.why)] };
  });
}

/** Without the store nothing counts as changed: tasks that were done long ago would look new. */
export function changedHeader(
  open: () => ComposerProject,
  before: ShownHeader | undefined,
  maxChars: number,
): Promise<HeaderDelta & { readonly faults: readonly string[] }> {
  return withProject(open, async (project) => {
    const read = await fromStore(project, (stores) => project.composeHeader(stores));
    if (read.kind === 'unread') return { text: '', shown: before ?? {}, faults: [faultOf(read.why)] };
    const render = (part: Partial<Header>) => project.renderHeader(part);
    return { ...headerDelta(read.value, before, { maxChars, render }), faults: [] };
  });
}

async function withProject<T>(open: () => ComposerProject, work: (project: ComposerProject) => Promise<T>): Promise<T> {
  const project = open();
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

type StoreRead<T> = { readonly kind: 'read'; readonly value: T } | { readonly kind: 'unread'; readonly why: string };

async function fromStore<T>(project: ComposerProject, work: (stores: Stores) => Promise<T>): Promise<StoreRead<T>> {
  const opening = project.openStores();
  try {
    return { kind: 'read', value: await within(STORE_MS, opening.then(work), project.clock) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'unread', why: why.replaceAll(`${project.root}/`, () => '').replace(/\.$/, '') };
  } finally {
    // Not waited for: a server that does not reply may not reply to this either.
    opening.then((stores) => stores.close()).catch(() => undefined);
  }
}

async function within<T>(ms: number, work: Promise<T>, clock: Clock): Promise<T> {
  const done = new AbortController();
  const late = clock.wait(ms, done.signal).then((): never => {
    throw new Error(`no answer within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

function faultOf(why: string): string {
  return `the store could not be read: ${why}`;
}
