import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCycles } from './cycles.ts';

const cycles = (edges: Readonly<Record<string, readonly string[]>>) => findCycles(new Map(Object.entries(edges)));

test('each knot is named once, by its shortest way around', () => {
  expect(cycles({ a: ['c', 'b'], b: ['a'], c: ['d'], d: ['c'], e: ['a', 'e', 'ghost'] })).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  expect(cycles({ x: ['y'], y: ['z', 'x'], z: ['x'] })).toEqual([['x', 'y']]);
  expect(cycles({ a: ['b'], b: ['c'], c: [] })).toEqual([]);
});

test('what is named is a cycle, and without its members none is left', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 16 }),
      (pairs) => {
        const edges = new Map(names.map((name) => [name, pairs.filter(([from]) => from === name).map(([, to]) => to)]));
        for (const cycle of findCycles(edges))
          for (const [index, key] of cycle.entries())
            expect(edges.get(key)).toContain(cycle[(index + 1) % cycle.length]);
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          (edges.get(from) ?? []).some(
            (next) => next !== from && (next === to || (!seen.has(next) && reaches(next, to, seen.add(next)))),
          );
        const found = new Set(findCycles(edges).flat());
        for (const name of names)
          if (reaches(name, name))
            expect(
              [...found].some((member) => member === name || (reaches(name, member) && reaches(member, name))),
            ).toBe(true);
      },
    ),
  );
});
