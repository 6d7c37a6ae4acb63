// `foreword clean`: blocks out of instruction files, and the folders of sessions that are gone.

import { blockPaths } from '../channels/file/instruction-file.ts';
import { removePlace } from '../places.ts';
import { isHosted } from '../presence.ts';
import { listSessions } from './list.ts';
import type { ClientParts } from './parts.ts';

export interface Cleaned {
  readonly removed: readonly { readonly path: string; readonly isDeleted: boolean }[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  readonly folders: readonly string[];
}

export async function cleanProject(parts: ClientParts, how: { readonly isOnlyExpired: boolean }): Promise<Cleaned> {
  const { project, owners, places } = parts;
  const { removeBlocks } = await import('../channels/file/managed-block-file.ts');
  const now = new Date(project.clock.now()).toISOString();
  const { deliveries } = await project.readStores();
  const written = (await deliveries.list()).flatMap(({ value: { file } }) => (file === undefined ? [] : [file]));
  const paths = new Set([...blockPaths(project.config.agents), ...written]);
  const blocks = removeBlocks(project.root, how.isOnlyExpired ? { expiredBefore: now } : undefined, [...paths]);
  const gone = (await listSessions(parts, { isAll: true })).filter((one) => one.readiness === 'gone');
  // The record alone is not enough: a host that replies lives.
  const isHostless = await Promise.all(gone.map(async (record) => !(await isHosted(record, owners))));
  const removable = gone.flatMap((record, index) => (isHostless[index] ? (places.of(project, record) ?? []) : []));
  for (const place of removable) removePlace(place);
  return {
    removed: blocks.flatMap((one) => (one.kind === 'removed' ? [one] : [])),
    refused: blocks.flatMap((one) => (one.kind === 'refused' ? [one] : [])),
    folders: removable.map(({ folder }) => folder),
  };
}
