// What a hook says of the project, composed from its files and its store. Heavy: hooks load it only at the start of a
// session and at a prompt.

import { existsSync } from 'node:fs';
import { composeContext } from '../context/compose-context.ts';
import { composeStartupContext } from '../context/compose-startup.ts';
import { type HeaderDelta, headerDelta, type ToldHeader, toldOf } from '../context/header-delta.ts';
import { headerYaml } from '../context/header-yaml.ts';
import type { CodeSearch, IndexReport } from '../kernel/search.ts';
import type { Stores } from '../kernel/stores.ts';
import { blockPaths } from '../sessions/instruction-block/instruction-file.ts';
import { removeExpired } from '../sessions/instruction-block/managed-block-file.ts';
import { openToLook } from '../stores/open.ts';
import { environment } from '../system/environment.ts';
import { ownFile } from '../system/files/project.ts';
import { openRepository } from '../system/git/repository.ts';
import { openProject, type Project } from './project.ts';

/** How long a statement waits for the lock of another process, and all that is asked of a store may take: an agent waits,
 *  and what the files say must still be said before the deadline. */
const LOCK_MS = 150;
const STORE_MS = 500;

/** `faults` are for the log. */
export async function startupText(
  root: string,
  maxChars: number,
): Promise<{ readonly text: string; readonly told: ToldHeader; readonly faults: readonly string[] }> {
  return withProject(root, async (project) => {
    removeExpired(root, new Date(project.clock.now()).toISOString(), blockPaths(project.config.agents));
    const compose = async (stores: Stores, unavailable: readonly string[]) => {
      const { maxHits, budgetChars } = project.config.startup;
      const { text, context } = await composeStartupContext({
        ...askOf(project, stores),
        unavailable,
        budgetChars: Math.min(budgetChars, maxChars),
        maxHits,
        search: maxHits > 0 && existsSync(ownFile(root, 'search.db')) ? () => searchOf(project) : undefined,
      });
      return { text, told: toldOf(context.header) };
    };
    const read = await fromStore(project, (stores) => compose(stores, []));
    if (read.kind === 'read') return { ...read.value, faults: [] };
    const composed = await compose(await project.emptyStores(), [`the store (${read.why})`]);
    return { ...composed, faults: [`the store could not be read: ${read.why}`] };
  });
}

/** Without the store nothing is news: tasks that were done long ago would look new. */
export async function changedHeader(
  root: string,
  before: ToldHeader | undefined,
  maxChars: number,
): Promise<HeaderDelta & { readonly faults: readonly string[] }> {
  return withProject(root, async (project) => {
    const read = await fromStore(project, (stores) => composeContext(askOf(project, stores)));
    if (read.kind === 'unread') {
      return { text: '', told: before ?? {}, faults: [`the store could not be read: ${read.why}`] };
    }
    const { header } = read.value;
    return { ...headerDelta(header, before, { maxChars, render: headerYaml }), faults: [] };
  });
}

async function withProject<T>(root: string, work: (project: Project) => Promise<T>): Promise<T> {
  const project = openProject({ cwd: root });
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

function askOf(project: Project, stores: Stores) {
  const { sources, redact, clock, config } = project;
  return { sources, redact, stores, now: clock.now(), recentSec: config.context.recentSec, mode: 'propose' };
}

type Read<T> = { readonly kind: 'read'; readonly value: T } | { readonly kind: 'unread'; readonly why: string };

async function fromStore<T>(project: Project, work: (stores: Stores) => Promise<T>): Promise<Read<T>> {
  const opening = storesOf(project);
  try {
    return { kind: 'read', value: await within(STORE_MS, opening.then(work)) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'unread', why: why.replaceAll(`${project.root}/`, () => '').replace(/\.$/, '') };
  } finally {
    // Not waited for: a server that does not answer may not answer to this either.
    opening.then((stores) => stores.close()).catch(() => undefined);
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Not those of the project, which first take over what hooks told: a hook writes nothing into a store. */
function storesOf({ root, config: { project, store } }: Project): Promise<Stores> {
  return openToLook({ root, project, store }, LOCK_MS);
}

/** The index as some command left it: bringing it up to date may take longer than a hook has. What it finds is read anew
 *  from the files all the same. */
async function searchOf({ root, redact, clock, config }: Project): Promise<CodeSearch | undefined> {
  const repository = openRepository(root, environment().PATH);
  if (repository === undefined) return undefined;
  const { readSearchIndex } = await import('../stores/sqlite/search-index.ts');
  const { openCodeSearch } = await import('../context/sources/code.ts');
  const index = await readSearchIndex(ownFile(root, 'search.db'), LOCK_MS);
  const { maxFileBytes } = config.search;
  const search = openCodeSearch({ root, repository, index, redact, maxFileBytes, clock });
  return { ...search, refresh: async () => NO_REPORT };
}

const NO_REPORT: IndexReport = { files: 0, updated: 0, removed: 0, read: 0, leftOut: {} };
