// Places: the offsets of the values in a text. The tree is built only when a line is needed, because a valid file, the
// usual case, never needs one.

export interface TextPlace {
  /** Offset of the value. */
  readonly at: number;
  /** Offset of its key; absent for list items and the root. */
  readonly keyAt?: number;
  readonly items?: readonly TextPlace[];
  readonly entries?: ReadonlyMap<string, TextPlace>;
}

export type Path = readonly (string | number)[];

export interface Lines {
  /** 1-based line of the value at a path, or of its nearest parent that exists. */
  lineOf(path: Path): number | undefined;
  /** The same for the key of the value: a fault in a key is shown there. */
  keyLineOf(path: Path): number | undefined;
}

/** `build` is called at most once; undefined means a text without any value. */
export function linesOf(text: string, build: () => TextPlace | undefined): Lines {
  let tree: { readonly root: TextPlace | undefined; readonly starts: readonly number[] } | undefined;
  const line = (path: Path, offset: (place: TextPlace) => number): number | undefined => {
    tree ??= { root: build(), starts: lineStarts(text) };
    return tree.root === undefined ? undefined : lineAt(tree.starts, find(tree.root, path, offset));
  };
  return {
    lineOf: (path) => line(path, (place) => place.at),
    keyLineOf: (path) => line(path, (place) => place.keyAt ?? place.at),
  };
}

/** `offset` of the place at a path; of its nearest parent when the path does not exist. */
function find(root: TextPlace, path: Path, offset: (place: TextPlace) => number): number {
  let place = root;
  for (const step of path) {
    const next = typeof step === 'number' ? place.items?.[step] : place.entries?.get(step);
    if (next === undefined) return place.at;
    place = next;
  }
  return offset(place);
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** How many of `starts` are not after the offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 1-based line of one offset, for the single line that a syntax error needs. */
export function lineOfOffset(text: string, offset: number): number {
  return lineAt(lineStarts(text), offset);
}
