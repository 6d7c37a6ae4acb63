// Ids of git's objects, as text.

import type { ObjectFormat } from './repository.ts';

/** Of the tree without files: known to every git, stored in no repository. */
export const EMPTY_TREE: Readonly<Record<ObjectFormat, string>> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** For the command line: ids come from a store, and `--end-of-options` is not known to every git. */
export function asId(id: string): string {
  return /^[0-9a-f]{40,64}$/.test(id) ? id : 'not-an-id';
}

/** What `update-ref` takes for "does not exist". */
export function noId(format: ObjectFormat): string {
  return '0'.repeat(format === 'sha256' ? 64 : 40);
}
