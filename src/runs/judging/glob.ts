// Globs of targets, policies and ignored files, on paths from the top of the work tree. Run as the set of places in the
// glob that a path may have reached (glob-steps.ts), so the time is at most the glob's length times the path's.

import { classEnds, compileSteps, type GlobStep } from './glob-steps.ts';

/** `*` is any characters of one part, a leading dot included; `?` one character; `[a-z]`, `[!a-z]` one of them; `**` as
 *  a whole part any number of parts, before a slash also zero; `{a,b}` one of them; `\` takes the next character as
 *  it is. A slash at the start changes nothing: every glob begins at the top. `src/`, and a name without wildcards,
 *  `src`, cover the folder and all below; `/` and `.` cover everything. What is not closed (`[`, `{`) stands for itself.
 *  Case counts. An empty glob matches nothing. */
export function compileGlob(glob: string): (path: string) => boolean {
  const fromTop = glob.replace(/^(?:\.\/|\/)+/, '');
  if (glob === '') return () => false;
  if (fromTop === '' || fromTop === '.') return () => true;
  const characters = [...fromTop];
  let end = characters.length;
  while (characters[end - 1] === '/' && characters[end - 2] !== '\\') end--;
  const isFolder = end < characters.length;
  const steps = compileSteps(characters.slice(0, end));
  const coversBelow = isFolder || steps.every((step) => step.kind === 'one' || step.kind === 'fork');
  return (path) => walk(steps, [...path], coversBelow);
}

/** What is surely a mistake in a glob that a person wrote, behind its name; `undefined` when nothing is. */
export function globFault(glob: string): string | undefined {
  const characters = [...glob];
  const classes = classEnds(characters);
  let open = 0;
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at];
    if (character === '\\' && at + 1 === characters.length)
      return 'ends with a \\, which takes the next character as it is';
    if (character === '\\') at++;
    else if (classes.has(at)) at = classes.get(at) as number;
    else if (character === '[') return 'has a [ that is not closed; \\[ is the character itself';
    else if (character === '{') open++;
    else if (character === '}') open--;
  }
  if (open > 0) return 'has a { that is not closed; \\{ is the character itself';
  const isUp = glob
    .replace(/^(?:\.\.\/)*/, '')
    .split('/')
    .includes('..');
  return isUp && glob !== '..' ? 'has a .. that is not at its start, so it matches nothing' : undefined;
}

function walk(steps: readonly GlobStep[], path: readonly string[], coversBelow: boolean): boolean {
  /** For each place the round in which it was last reached: a set that is emptied by counting on. */
  const reachedIn = new Int32Array(steps.length + 1).fill(-1);
  let arrived = [0];
  for (let at = 0; arrived.length > 0; at++) {
    const isStart = at === 0 || path[at - 1] === '/';
    const isEnd = at === path.length || path[at] === '/';
    const places: number[] = [];
    for (const place of arrived) {
      if (reachedIn[place] !== at) places.push(place);
      reachedIn[place] = at;
    }
    // Grows while it is gone through: every place that can be got to without a character.
    for (const place of places) {
      for (const to of onward(steps[place], place, { isStart, isEnd })) {
        if (reachedIn[to] === at || (steps[to]?.kind === 'parts' && !isStart)) continue;
        reachedIn[to] = at;
        places.push(to);
      }
    }
    if (reachedIn[steps.length] === at && (at === path.length || (coversBelow && isEnd))) return true;
    if (at === path.length) return false;
    arrived = advance(steps, places, path[at] as string);
  }
  return false;
}

const NOWHERE: readonly number[] = [];

function onward(
  step: GlobStep | undefined,
  place: number,
  on: { readonly isStart: boolean; readonly isEnd: boolean },
): readonly number[] {
  if (step?.kind === 'fork') return step.to;
  if (step?.kind === 'star') return [place + 1];
  if (step?.kind === 'parts' && (step.isSlash ? on.isStart : on.isEnd)) return [place + 1];
  return NOWHERE;
}

function advance(steps: readonly GlobStep[], places: readonly number[], character: string): number[] {
  const arrived: number[] = [];
  for (const at of places) {
    const step = steps[at];
    if (step?.kind === 'parts' || (step?.kind === 'star' && character !== '/')) arrived.push(at);
    else if (step?.kind === 'one' && step.character === character) arrived.push(at + 1);
    else if (step?.kind === 'any' && character !== '/' && step.accepts(character)) arrived.push(at + 1);
  }
  return arrived;
}
