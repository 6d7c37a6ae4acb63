// A glob as steps, each with a number; the last one is followed by the end. What the signs mean: glob.ts.

export type GlobStep =
  /** Exactly this character. */
  | { readonly kind: 'one'; readonly character: string }
  /** One character of a part. */
  | { readonly kind: 'any'; readonly accepts: (character: string) => boolean }
  /** Any number of characters of a part. */
  | { readonly kind: 'star' }
  /** A whole number of parts. It is entered by a fork, where a part begins, and left where one ends; `isSlash`: each
   *  part with the slash behind it, so that it is left where one begins. */
  | { readonly kind: 'parts'; readonly isSlash: boolean }
  /** No character; goes on at each of `to`. */
  | { readonly kind: 'fork'; readonly to: readonly number[] };

export function compileSteps(glob: readonly string[]): GlobStep[] {
  const classes = classEnds(glob);
  const signs = braceSigns(glob, classes);
  const steps: GlobStep[] = [];
  const open: Group[] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] as string;
    const sign = signs.get(at);
    if (sign !== undefined) compileBrace(sign, steps, open);
    else if (character === '\\' && at + 1 < glob.length) steps.push({ kind: 'one', character: glob[++at] as string });
    else if (character === '?') steps.push({ kind: 'any', accepts: () => true });
    else if (character === '*') at = compileStars(glob, at, steps);
    else if (classes.has(at)) {
      const end = classes.get(at) as number;
      steps.push({ kind: 'any', accepts: readClass(glob.slice(at + 1, end)) });
      at = end;
    } else steps.push({ kind: 'one', character });
  }
  return steps;
}

interface Group {
  readonly fork: number;
  /** Where each alternative begins. */
  readonly starts: number[];
  /** Steps at the end of an alternative; they go on behind the group. */
  readonly ends: number[];
}

type BraceSign = 'open' | 'comma' | 'close';

function compileBrace(sign: BraceSign, steps: GlobStep[], open: Group[]): void {
  if (sign === 'open') {
    open.push({ fork: steps.length, starts: [steps.length + 1], ends: [] });
    steps.push(OPEN_END);
    return;
  }
  const group = open.at(-1) as Group;
  if (sign === 'comma') {
    group.ends.push(steps.length);
    group.starts.push(steps.length + 1);
    steps.push(OPEN_END);
    return;
  }
  open.pop();
  steps[group.fork] = { kind: 'fork', to: group.starts };
  for (const end of group.ends) steps[end] = { kind: 'fork', to: [steps.length] };
}

/** Filled in when the group closes. */
const OPEN_END: GlobStep = { kind: 'fork', to: [] };

/** Returns the index of the last character that was used. Stars with something else in their part are one star. */
function compileStars(glob: readonly string[], start: number, steps: GlobStep[]): number {
  let end = start;
  while (glob[end + 1] === '*') end++;
  const next = glob[end + 1];
  if (end === start || !(next === undefined || next === '/' || next === ',' || next === '}')) {
    steps.push({ kind: 'star' });
    return end;
  }
  // Whether a part begins here is known only on the path (`{a/,b}**`); if not, the stars are one star.
  const isSlash = next === '/';
  const single: GlobStep[] = isSlash ? [{ kind: 'star' }, { kind: 'one', character: '/' }] : [{ kind: 'star' }];
  const fork = steps.length;
  const behind = fork + 3 + single.length;
  steps.push({ kind: 'fork', to: [fork + 1, fork + 3] }, { kind: 'parts', isSlash });
  steps.push({ kind: 'fork', to: [behind] }, ...single);
  return isSlash ? end + 1 : end;
}

/** Braces that are closed and hold a comma, with their commas. One without a comma is text, as in a shell. */
function braceSigns(glob: readonly string[], classes: ReadonlyMap<number, number>): ReadonlyMap<number, BraceSign> {
  const signs = new Map<number, BraceSign>();
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at];
    if (character === '\\') at++;
    else if (classes.has(at)) at = classes.get(at) as number;
    else if (character === '{') open.push({ at, commas: [] });
    else if (character === ',') open.at(-1)?.commas.push(at);
    else if (character === '}') {
      const group = open.pop();
      if (group === undefined || group.commas.length === 0) continue;
      signs.set(group.at, 'open').set(at, 'close');
      for (const comma of group.commas) signs.set(comma, 'comma');
    }
  }
  return signs;
}

/** Where each class `[…]` begins and ends. It lies within one part; a bracket right at its beginning belongs to it. */
export function classEnds(glob: readonly string[]): ReadonlyMap<number, number> {
  const nextClose: (number | undefined)[] = [];
  for (let at = glob.length - 1; at >= 0; at--) {
    nextClose[at] = glob[at] === ']' ? at : glob[at] === '/' ? undefined : nextClose[at + 1];
  }
  const ends = new Map<number, number>();
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] === '\\') at++;
    else if (glob[at] === '[') {
      const first = isNegation(glob[at + 1]) ? at + 2 : at + 1;
      const end = glob[first] === '/' ? undefined : nextClose[first + 1];
      if (end === undefined) continue;
      ends.set(at, end);
      at = end;
    }
  }
  return ends;
}

function readClass(inside: readonly string[]): (character: string) => boolean {
  const isNegated = isNegation(inside[0]);
  const body = isNegated ? inside.slice(1) : inside;
  const ranges: { readonly from: number; readonly to: number }[] = [];
  for (let at = 0; at < body.length; at++) {
    const isRange = body[at + 1] === '-' && at + 2 < body.length;
    ranges.push({ from: code(body[at]), to: code(isRange ? body[at + 2] : body[at]) });
    if (isRange) at += 2;
  }
  return (character) => ranges.some(({ from, to }) => from <= code(character) && code(character) <= to) !== isNegated;
}

function isNegation(character: string | undefined): boolean {
  return character === '!' || character === '^';
}

function code(character: string | undefined): number {
  return character?.codePointAt(0) ?? -1;
}
