// What differs between two trees, as `git diff-tree` prints it.

/** The command whose output is read here; the two trees come behind it. */
export const DIFF_TREE = [
  'diff-tree',
  '-r',
  '-t',
  '-z',
  '--no-renames',
  '--no-abbrev',
  '--raw',
  '--numstat',
  '--no-ext-diff',
  '--no-textconv',
] as const;

export interface TreeChange {
  readonly path: string;
  readonly kind: 'created' | 'updated' | 'deleted';
  /** 0 for binary files, links and submodules. */
  readonly added: number;
  readonly removed: number;
}

/** In git's order. A changed mode or type is an update. */
export function parseTreeDiff(output: Buffer): TreeChange[] {
  const fields = output.toString('utf8').split('\0');
  const changes = new Map<string, TreeChange & { readonly isFile: boolean }>();
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    // First all the entries, each with its path in the field behind it; then the lines, each with its path inside.
    const entry = /^:(\d+) (\d+) \S+ \S+ ([A-Z])/.exec(field);
    if (entry !== null) {
      const path = fields[++at] ?? '';
      if ([entry[1], entry[2]].every((mode) => mode === FOLDER || mode === NOTHING)) continue;
      const isFile = entry[1]?.startsWith('100') === true || entry[2]?.startsWith('100') === true;
      changes.set(path, { path, kind: KINDS[entry[3] ?? ''] ?? 'updated', added: 0, removed: 0, isFile });
      continue;
    }
    const lines = /^(\d+)\t(\d+)\t(.+)$/s.exec(field);
    const change = changes.get(lines?.[3] ?? '');
    if (lines === null || change?.isFile !== true) continue;
    changes.set(change.path, { ...change, added: Number(lines[1]), removed: Number(lines[2]) });
  }
  return [...changes.values()].map(({ isFile: _, ...change }) => change);
}

/** The ids of everything in the second tree that the first has not: folders too, submodules not. */
export function newObjects(output: Buffer): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [, mode, id = ''] of output
    .toString('latin1')
    .matchAll(/(?:^|\0):\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) [A-Z]/g)) {
    if (mode !== '160000' && !/^0+$/.test(id)) ids.add(id);
  }
  return ids;
}

const FOLDER = '040000';
const NOTHING = '000000';
const KINDS: Readonly<Record<string, TreeChange['kind']>> = { A: 'created', D: 'deleted', M: 'updated', T: 'updated' };
