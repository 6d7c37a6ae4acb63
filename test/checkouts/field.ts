// A person's repository, our state beside it, and a checkout of it, for tests on real git.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CheckoutSource,
  type CheckoutTarget,
  commitTree,
  emptyTree,
  openCheckouts,
  resetCheckout,
  treeOf,
} from '../../src/runs/checkouts/index.ts';
import { projectPlaces } from '../../src/system/files/project-state.ts';
import { GIT_PATH, initialised, type RealGit, realGit } from '../git/real-git.ts';

export const PROJECT = `p${'0'.repeat(16)}`;

export interface Field {
  readonly folder: string;
  readonly person: RealGit;
  readonly places: ReturnType<typeof projectPlaces>;
  /** As a shell of the person would have it. */
  readonly env: Record<string, string>;
  open(root?: string): Promise<CheckoutSource>;
  /** The person's HEAD unless another is named. */
  target(source: CheckoutSource, commit?: string): Promise<CheckoutTarget>;
  /** Git in checkout 1, as the agent would run it. */
  agent(): RealGit;
  write(path: string, content: string | Uint8Array): void;
  read(path: string): string;
}

export function makeField(folder: string, ...options: string[]): Field {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const person = initialised(join(folder, 'person'), ...options);
  const places = projectPlaces(join(folder, 'state'), PROJECT);
  const env = { PATH: GIT_PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const { tree } = places.checkout(1);
  const agent = () =>
    realGit(tree, { ...env, GIT_AUTHOR_DATE: '@1700000000 +0000', GIT_COMMITTER_DATE: '@1700000000 +0000' });
  return {
    folder,
    person,
    places,
    env,
    open: (root = person.root) => openCheckouts({ root, work: places.work, env }),
    target: async (source, commit) => {
      const id = commit ?? person.run('rev-parse', 'HEAD');
      return { commit: id, tree: await treeOf(source.own, id), branch: 'refs/heads/foreword/r1', shared: [] };
    },
    agent,
    write: (path, content) => {
      mkdirSync(join(tree, path, '..'), { recursive: true });
      writeFileSync(join(tree, path), content);
    },
    read: (path) => readFileSync(join(tree, path), 'utf8'),
  };
}

/** Opens the field and fills checkout 1 with the person's HEAD. */
export async function checkedOut(field: Field, more: Partial<CheckoutTarget> = {}) {
  const source = await field.open();
  const target = { ...(await field.target(source)), ...more };
  const result = await resetCheckout(source, field.places.checkout(1), target);
  return { source, target, result };
}

export async function unbornTarget(source: CheckoutSource): Promise<CheckoutTarget> {
  return { commit: null, tree: await emptyTree(source.own), branch: 'refs/heads/foreword/r1', shared: [] };
}

export function commitOf(source: CheckoutSource, tree: string, ...parents: string[]): Promise<string> {
  const at = new Date(1_700_000_000_000);
  return commitTree(source.own, { tree, parents, message: 'a task\n', identity: source.identity, at });
}

/** Path → type, mode and content of everything in a folder, except what `without` matches. */
export function everything(folder: string, without = /^$/): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string) => {
    for (const name of readdirSync(join(folder, path), { encoding: 'latin1' })) {
      const inner = path === '' ? name : `${path}/${name}`;
      if (without.test(inner)) continue;
      const full = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(inner, 'latin1')]);
      const stat = lstatSync(full);
      if (stat.isDirectory()) {
        found[`${inner}/`] = 'folder';
        walk(inner);
      } else if (stat.isSymbolicLink()) found[inner] = `link ${readlinkSync(full, 'latin1')}`;
      else found[inner] = `${(stat.mode & 0o111) === 0 ? 'file' : 'program'} ${hashOf(full)}`;
    }
  };
  walk('');
  return found;
}

function hashOf(path: Buffer): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}
