// What differs between two trees of our repository: as text for people, and as a list. No program of the repository runs, and
// no attribute of it hides a line.

import { asId } from './object-id.ts';
import type { OwnRepository } from './own-repository.ts';
import { DIFF_TREE, parseTreeDiff, type TreeChange } from './tree-diff.ts';

/** Unified, with renames. Bytes of files are as they are: who prints it to a terminal takes escape sequences out first,
 *  and for that asks without colour. */
export async function diffText(
  own: OwnRepository,
  [before, after]: readonly [string, string],
  how: {
    readonly hasColour?: boolean;
    readonly paths?: readonly string[];
    /** Files above this many bytes are shown as binary ones. */
    readonly biggest?: number;
  } = {},
): Promise<string> {
  const big = how.biggest === undefined ? [] : ['-c', `core.bigFileThreshold=${how.biggest}`];
  const args = ['-c', 'core.quotePath=false', ...big, 'diff-tree', '-r', '-p', '-M', '--no-ext-diff', '--no-textconv'];
  const colour = how.hasColour === true ? '--color=always' : '--color=never';
  const paths = (how.paths ?? []).map((path) => `:(literal)${path}`);
  return (await own.run([...args, colour, asId(before), asId(after), '--', ...paths])).toString('utf8');
}

/** In git's order; a renamed file is two entries. */
export async function changedPaths(own: OwnRepository, before: string, after: string): Promise<readonly TreeChange[]> {
  return before === after ? [] : parseTreeDiff(await treeDiff(own, before, after));
}

/** The last few, since each step after an attempt asks for the same one. What two ids stand for never changes. */
const known = new Map<string, Buffer>();
const MOST_KNOWN = 8;
const MOST_BYTES = 256 * 1024;

/** As tree-diff.ts reads it. */
export async function treeDiff(own: OwnRepository, before: string, after: string): Promise<Buffer> {
  const key = `${own.directory} ${before} ${after}`;
  const output = known.get(key) ?? (await own.run([...DIFF_TREE, asId(before), asId(after), '--']));
  if (output.length > MOST_BYTES) return output;
  known.delete(key);
  known.set(key, output);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return output;
}
