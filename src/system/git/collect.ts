// Collects our repository: what no ref reaches goes, the rest becomes one pack. `git gc` is not for it: it would either copy all of
// the person's history here or drop what they have too, and then their own `git gc` could take the only copy (keep-objects.ts).
// No run may be going on. What somebody wrote in the last hour stays: a person's command may be about to name it.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { text } from './commits.ts';
import { asId } from './object-id.ts';
import type { OwnRepository } from './own-repository.ts';

export interface Collection {
  /** Kept beside what refs reach. Those that are not here do not matter. */
  readonly keep: readonly string[];
  /** Commits that a ref in the person's repository keeps: what they reach is not ours to have. */
  readonly theirs: readonly string[];
  /** Milliseconds. */
  readonly now: number;
}

const YOUNG_MS = 60 * 60 * 1000;
/** With so few files there is nothing to gain by another pack. */
const FEW_LOOSE = 1000;
const FEW_PACKS = 10;

/** The number of bytes that are free now. Throws `bad-input` when git fails; nothing was removed then. */
export async function collectObjects(own: OwnRepository, { keep, theirs, now }: Collection): Promise<number> {
  const isOld = (path: string) => now - (fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > YOUNG_MS;
  const [loose, packs] = [looseObjects(own), packFiles(own)];
  const packed = await packedObjects(own);
  const needed = await reachable(own, { keep, theirs });
  const wanted = [...new Set([...loose.keys(), ...packed])].filter((id) => needed.has(id));
  const unneeded = [...loose].filter(([id, path]) => !needed.has(id) && isOld(path)).map(([, path]) => path);
  const isTidy = loose.size - unneeded.length <= FEW_LOOSE && packs.size <= FEW_PACKS;
  const stray = strayFiles(own).filter(isOld);
  const hasDead = packed.some((id) => !needed.has(id)) && [...packs.values()].some((files) => files.some(isOld));
  if (isTidy && !hasDead) return remove([...unneeded, ...stray]);
  const made = wanted.length === 0 ? '' : `pack-${await makePack(own, wanted)}`;
  const inPack = [...loose].filter(([id]) => needed.has(id)).map(([, path]) => path);
  const old = [...packs].filter(([name, files]) => name !== made && files.every(isOld)).flatMap(([, files]) => files);
  const size = made === '' || packs.has(made) ? 0 : sizeOf(packFiles(own).get(made) ?? []);
  return Math.max(0, remove([...unneeded, ...stray, ...old, ...inPack]) - size);
}

function looseObjects({ objects }: OwnRepository): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of fs.readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    for (const name of fs.readdirSync(join(objects, folder)))
      if (/^[0-9a-f]{38,62}$/.test(name)) found.set(folder + name, join(objects, folder, name));
  }
  return found;
}

/** By name, without ending; the index first, since a pack without one is not read. */
function packFiles({ objects }: OwnRepository): ReadonlyMap<string, readonly string[]> {
  const names = fs.readdirSync(join(objects, 'pack'));
  const packs = names.flatMap((name) => /^(pack-[0-9a-f]+)\.idx$/.exec(name)?.[1] ?? []);
  return new Map(
    packs.map((pack) => {
      const rest = names.filter((name) => name.startsWith(`${pack}.`) && !name.endsWith('.idx'));
      return [pack, [`${pack}.idx`, ...rest].map((name) => join(objects, 'pack', name))];
    }),
  );
}

/** Of a git that was killed: files that it was writing, and packs without an index. */
function strayFiles(own: OwnRepository): string[] {
  const whole = new Set([...packFiles(own).values()].flat());
  const packs = fs.readdirSync(join(own.objects, 'pack')).map((name) => join(own.objects, 'pack', name));
  const folders = fs.readdirSync(own.objects).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const writing = ['', ...folders].flatMap((folder) =>
    fs
      .readdirSync(join(own.objects, folder))
      .filter((name) => /^tmp_obj_|^incoming-/.test(name))
      .map((name) => join(own.objects, folder, name)),
  );
  return [...packs.filter((path) => !whole.has(path)), ...writing];
}

async function packedObjects(own: OwnRepository): Promise<readonly string[]> {
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'];
  const output = await own.run(args, { env: { GIT_OBJECT_DIRECTORY: own.packsAlone } });
  return output.toString('latin1').split('\n').filter(Boolean);
}

async function reachable(
  own: OwnRepository,
  { keep, theirs }: Pick<Collection, 'keep' | 'theirs'>,
): Promise<ReadonlySet<string>> {
  const here = await known(own, [...keep, ...theirs]);
  const kept = keep.filter((id) => here.has(id)).map((id) => `${id}\n`);
  const without = theirs.filter((id) => here.has(id)).map((id) => `^${id}\n`);
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=allow-any', '--all', '--stdin'];
  const output = await own.run(args, { input: [...kept, ...without].join('') });
  return new Set(output.toString('latin1').split('\n').filter(Boolean));
}

async function known(own: OwnRepository, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const input = ids.map((id) => `${asId(id)}\n`).join('');
  const output = (await own.run(['cat-file', '--batch-check=%(objectname)'], { input })).toString('latin1');
  return new Set(output.split('\n').filter((line) => /^[0-9a-f]+$/.test(line)));
}

/** Whole by itself: nothing in it leans on the person's packs. */
async function makePack(own: OwnRepository, ids: readonly string[]): Promise<string> {
  const args = ['pack-objects', '--quiet', '--delta-base-offset', join(own.objects, 'pack/pack')];
  return text(await own.run(args, { input: `${ids.join('\n')}\n` }));
}

/** What a file takes on the disk is counted in blocks of so many bytes. */
const BLOCK = 512;

function sizeOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (fs.statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK, 0);
}

function remove(paths: readonly string[]): number {
  const size = sizeOf(paths);
  for (const path of paths) fs.rmSync(path, { recursive: true, force: true });
  return size;
}
