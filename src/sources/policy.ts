// Policy: the file that says what a change may touch and how large it may be.

import type { Policy } from '../core/policy.ts';
import type { Observed } from '../core/source.ts';
import { observeFile } from '../files/observe-file.ts';
import { byName } from '../schemas/by-name.ts';
import { parsePolicy } from '../schemas/policy.ts';

const PLACES = [
  '.foreword/policy.yaml',
  '.foreword/policy.yml',
  '.foreword/policy.json',
  '.foreword/policy.edn',
  'config/policy.edn',
];

/** The first of the usual places that exists, or `path` (`context.policy` of the configuration), which must exist. */
export function observePolicy(root: string, { path }: { readonly path?: string | undefined } = {}): Observed<Policy> {
  return observeFile(root, { path, places: PLACES }, byName(parsePolicy));
}
