// A stand-in: an entry in a tree for a file whose content git does not get. Such a file counts by its size and time, so a
// change is still seen, and its lines are not counted.

import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { readHead } from './head.ts';
import { openRepository, type Repository } from './repository.ts';

/** Mode and id as an index has them. */
export interface StandIn {
  readonly mode: string;
  readonly id: string;
}

/** Writes a blob into `objects` that names the file's size and time. The null byte makes git take it for binary. */
export function fileStandIn(stat: BigIntStats, objects: string, repository: Repository): StandIn {
  const content = Buffer.from(`stands in for a file\0${stat.size} bytes of ${stat.mtimeNs}\n`);
  const object = Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]);
  const id = createHash(repository.objectFormat).update(object).digest('hex');
  const [folder, path] = [join(objects, id.slice(0, 2)), join(objects, id.slice(0, 2), id.slice(2))];
  if (!fs.existsSync(path)) {
    fs.mkdirSync(folder, { recursive: true });
    // By a rename: half an object under its name would stay broken for good.
    fs.writeFileSync(`${path}.new`, deflateSync(object));
    fs.renameSync(`${path}.new`, path);
  }
  return { mode: (stat.mode & 0o111n) === 0n ? '100644' : '100755', id };
}

/** A repository inside the work tree, as the commit it is at, like a submodule. One without a commit or of the other
 *  object format has an id of our making: it still shows that it is there. */
export async function repositoryStandIn(path: string, repository: Repository): Promise<StandIn> {
  const commit = await commitAt(path);
  const width = repository.objectFormat === 'sha256' ? 64 : 40;
  const id =
    commit?.length === width ? commit : createHash(repository.objectFormat).update(String(commit)).digest('hex');
  return { mode: '160000', id };
}

async function commitAt(path: string): Promise<string | null> {
  try {
    const inner = openRepository(path);
    return inner?.root === fs.realpathSync(path) ? (await readHead(inner)).commit : null;
  } catch {
    // Broken: it only counts as present.
    return null;
  }
}
