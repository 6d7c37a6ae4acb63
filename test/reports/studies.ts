// Simulated studies: two groups in which chance draws values, looked at again and again. Whoever looks stops at the first difference.

import { excludes } from '../../src/reports/sequence.ts';
import type { Interval, Values } from '../../src/reports/statistics.ts';
import { IS_LONG } from '../scale.ts';
import { randomFrom } from '../stores/random.ts';

export const LOOKS = 100;
const FEWEST = 20;

/** `at` counts the cases of the study. */
export type Draw = (random: () => number, at: number) => number;

export interface Study {
  readonly given: Draw;
  readonly without: Draw;
  readonly range: Interval;
  /** The share of cases in the control group. */
  readonly held: number;
  readonly perLook?: number;
  /** Each look sees the cases of so many looks only. */
  readonly window?: number;
}

/** After how many cases each of so many studies first showed a difference, fewest first; infinite where none of 100 looks did. */
export function found(studies: number, study: Study): readonly number[] {
  const random = randomFrom(7);
  return Array.from({ length: studies }, () => firstFound(random, study)).sort((one, other) => one - other);
}

export function shareFound(studies: number, study: Study): number {
  return found(studies, study).filter(Number.isFinite).length / studies;
}

/** In the long run, for who writes figures into the documentation. */
export function show(name: string, rate: number): void {
  if (IS_LONG) console.log(`${(rate * 100).toFixed(2)} %: ${name}`);
}

function firstFound(random: () => number, { given, without, range, held, perLook = 8, window = LOOKS }: Study): number {
  const groups = [new Group(range), new Group(range)] as const;
  for (let look = 1; look <= LOOKS; look += 1) {
    for (let each = 0; each < perLook; each += 1) {
      const isHeld = random() < held;
      groups[isHeld ? 1 : 0].add((isHeld ? without : given)(random, (look - 1) * perLook + each));
    }
    for (const group of groups) group.look(window);
    if (groups.some(({ total }) => total < FEWEST)) continue;
    if (excludes(groups[0], groups[1], 0)) return look * perLook;
  }
  return Infinity;
}

class Group implements Values {
  total = 0;
  readonly times = new Map<number, number>();
  readonly range: Interval;
  readonly #looks: number[][] = [[]];

  constructor(range: Interval) {
    this.range = range;
  }

  add(value: number): void {
    const near = Math.min(this.range.high, Math.max(this.range.low, value));
    this.#count(near, 1);
    this.#looks.at(-1)?.push(near);
  }

  look(window: number): void {
    if (this.#looks.length > window) for (const value of this.#looks.shift() ?? []) this.#count(value, -1);
    this.#looks.push([]);
  }

  #count(value: number, by: number): void {
    this.total += by;
    this.times.set(value, (this.times.get(value) ?? 0) + by);
  }
}
