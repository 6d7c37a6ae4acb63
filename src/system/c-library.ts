// Which C library this system has, by its loader: a look at two files.

import { existsSync } from 'node:fs';
import { type Platform, platform } from './platform.ts';

/** `undefined` where the files do not decide: another system, or both libraries. */
export function cLibrary(
  { loaders }: Pick<Platform, 'loaders'> = platform,
  exists: (file: string) => boolean = existsSync,
): 'glibc' | 'musl' | undefined {
  if (loaders === undefined) return undefined;
  const [isGlibc, isMusl] = [exists(loaders.glibc), exists(loaders.musl)];
  if (isGlibc === isMusl) return undefined;
  return isGlibc ? 'glibc' : 'musl';
}
