import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitSections, type Section } from './budget.ts';

function section(name: string, lines: readonly string[], more: Partial<Section> = {}): Section {
  return {
    name,
    source: 'test',
    heading: `## ${name}`,
    groups: [{ name: `${name} lines`, lines }],
    share: 0.25,
    ...more,
  };
}

test('what fits is shown whole, without a word about room', () => {
  expect(fitSections([section('a', ['one', 'two']), section('b', ['three'])], 1000)).toEqual({
    text: '## a\none\ntwo\n\n## b\nthree\n\n',
    parts: [
      { name: 'a', source: 'test', text: '## a\none\ntwo\n\n' },
      { name: 'b', source: 'test', text: '## b\nthree\n\n' },
    ],
    omitted: [],
  });
});

test('a long section never pushes a short one out', () => {
  const long = Array.from({ length: 500 }, (_, index) => `line ${index} of a long section`);
  const fitted = fitSections([section('long', long), section('short', ['kept'])], 1000);
  expect(fitted.text).toContain('kept');
  expect(fitted.text).toMatch(/Left out for room: long lines \(\d+\)\.\n$/);
  expect(fitted.omitted).toEqual([{ name: 'long lines', count: 500 - (fitted.text.match(/^line /gm)?.length ?? 0) }]);
});

test('a whole group is left out rather than cut', () => {
  const lines = Array.from({ length: 60 }, (_, index) => `yaml ${index}: ${'x'.repeat(20)}`);
  const fitted = fitSections(
    [section('header', [], { groups: [{ name: 'header', lines, isWhole: true }] }), section('b', ['x'])],
    1000,
  );
  expect(fitted.text).toBe('## b\nx\n\nLeft out for room: header (1).\n');
});

test('a title is shown only with at least one line', () => {
  const group = (lines: string[]) => section('s', [], { groups: [{ name: 'files', title: 'Files:', lines }] });
  expect(fitSections([group(['a'])], 1000).text).toBe('## s\nFiles:\na\n\n');
  expect(fitSections([group([])], 1000).text).toBe('');
});

test('any sections stay within any budget, and every line is shown or counted', () => {
  const lines = fc.array(fc.string({ maxLength: 80 }), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, fc.integer({ min: 0, max: 4000 }), (a, b, budget) => {
      const fitted = fitSections([section('a', a), section('b', b)], budget);
      expect(fitted.text.length).toBeLessThanOrEqual(budget);
      const cut = fitted.omitted.reduce((sum, part) => sum + part.count, 0);
      const shown = fitted.parts.reduce((sum, part) => sum + part.text.split('\n').length - 3, 0);
      expect(cut + shown).toBe(a.length + b.length);
    }),
    { numRuns: 500 },
  );
});
