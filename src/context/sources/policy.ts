// Policy: the file that limits what a change may touch and how large it may be.

import { byName } from '../../config/schemas/by-name.ts';
import { parsePolicy } from '../../config/schemas/policy.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { Observed } from '../../kernel/source.ts';
import { observeFile } from '../../system/files/observe-file.ts';

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
