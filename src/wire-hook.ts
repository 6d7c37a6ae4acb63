// What a hook says of the project, composed from its files and its store. Heavy: hooks load it only at the start of a
// session and at a prompt.

import { closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Context, composeContext } from './composer/context.ts';
import { composeStartupContext } from './composer/startup.ts';
import { ForewordError } from './core/errors.ts';
import type { Header } from './core/header.ts';
import { type HeaderDelta, headerDelta, type ToldHeader, toldOf } from './core/header-delta.ts';
import { blockPaths } from './core/instruction-file.ts';
import type { CodeSearch, IndexReport } from './core/search.ts';
import type { Stores } from './core/stores.ts';
import { removeExpired } from './files/managed-block-file.ts';
import { ownFile } from './files/project.ts';
import { nameInProject } from './files/read-text.ts';
import { headerYaml } from './formats/header-yaml.ts';
import { openProject, type Project } from './wire.ts';

export async function startupText(
  root: string,
  maxChars: number,
): Promise<{ readonly text: string; readonly told: ToldHeader }> {
  return withProject(root, async (project, ask) => {
    const { config } = project;
    removeExpired(root, new Date(ask.now).toISOString(), blockPaths(config.agents));
    const { text, context } = await composeStartupContext({
      ...ask,
      budgetChars: Math.min(config.startup.budgetChars, maxChars),
      maxHits: config.startup.maxHits,
      search: config.startup.maxHits > 0 && hasIndex(root) ? async () => asItIs(await project.codeSearch()) : undefined,
    });
    return { text, told: toldOf(context.header) };
  });
}

export async function changedHeader(
  root: string,
  before: ToldHeader | undefined,
  maxChars: number,
): Promise<HeaderDelta> {
  return withProject(root, async (_, ask) => {
    const { header }: Context = await composeContext(ask);
    return headerDelta(header, before, { maxChars, render: (part) => headerYaml(part as Header) });
  });
}

type Ask = Awaited<ReturnType<typeof askOf>>;

async function withProject<T>(root: string, work: (project: Project, ask: Ask) => Promise<T>): Promise<T> {
  const project = openProject({ cwd: root });
  const ask = await askOf(project);
  try {
    return await work(project, ask);
  } finally {
    await ask.stores.close();
    await project.close();
  }
}

/** A store that cannot be opened is named in the text, and the rest is told. */
async function askOf(project: Project) {
  const ask = {
    sources: project.sources,
    redact: project.redact,
    now: project.clock.now(),
    recentSec: project.config.context.recentSec,
    mode: 'propose',
  };
  try {
    return { ...ask, stores: await storesOf(project) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...ask, stores: await project.emptyStores(), unavailable: [`the store (${reason})`] };
  }
}

/** Not those of the project, which first take over what hooks told: a hook writes nothing into a store. */
async function storesOf(project: Project): Promise<Stores> {
  const { store, project: name } = project.config;
  if (store !== undefined && /^rediss?:\/\//.test(store)) {
    const { openRedisStores } = await import('./stores/redis/open.ts');
    return openRedisStores(store, { prefix: `foreword:${name}`, allowVolatile: true });
  }
  const file = store === undefined ? ownFile(project.root, 'foreword.db') : resolve(project.root, store);
  if (!existsSync(file)) return project.emptyStores();
  // Opened, it would be moved out of the way, which is for a command to do, where a person sees it.
  if (!isDatabase(file)) throw new ForewordError('store-damaged', `${nameInProject(project.root, file)} is damaged`);
  const { openSqliteStores } = await import('./stores/sqlite/open.ts');
  return openSqliteStores(file, { isOurs: store === undefined });
}

function isDatabase(file: string): boolean {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const start = Buffer.alloc(16);
    const length = readSync(descriptor, start, 0, start.length, 0);
    // An empty one is a store in which nothing was written yet.
    return length === 0 || start.toString('latin1') === 'SQLite format 3\0';
  } finally {
    closeSync(descriptor);
  }
}

function hasIndex(root: string): boolean {
  return existsSync(ownFile(root, 'search.db'));
}

const NO_REPORT: IndexReport = { files: 0, updated: 0, removed: 0, read: 0, leftOut: {} };

/** The index as some command left it: bringing it up to date may take longer than a hook has. What it finds is read anew
 *  from the files all the same. */
function asItIs(search: CodeSearch | undefined): CodeSearch | undefined {
  return search && { ...search, refresh: async () => NO_REPORT };
}
