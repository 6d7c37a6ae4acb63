// What is rendered is read back by a parser of the exposition format that shares no code with the renderer and refuses
// whatever a scrape would refuse, and more: families apart, series twice, buckets that do not grow.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ForewordEvent } from '../kernel/events.ts';
import { collectMetrics, type Family, foldEvents, MOST_SERIES, newMetrics } from './metrics.ts';
import { renderPrometheus } from './prometheus.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 150 };
/** A long run takes its time. */
const TIMEOUT_MS = 120_000;

interface Series {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

interface Parsed {
  readonly help: string;
  readonly type: string;
  readonly series: readonly Series[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*/;
const VALUE = /^(?:[+-]Inf|NaN|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;

/** Throws at the first line that is not as the format wants it. */
function parse(text: string): ReadonlyMap<string, Parsed> {
  if (text === '') return new Map();
  if (!text.endsWith('\n')) throw new Error('the last line must end');
  const families = new Map<string, Parsed & { readonly series: Series[] }>();
  const seen = new Set<string>();
  let current: { name: string; help: string; hasType: boolean } | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([^ ]+) (.*)$/.exec(line);
    const type = /^# TYPE ([^ ]+) (counter|gauge|histogram)$/.exec(line);
    if (help !== null) {
      const name = help[1]!;
      if (NAME.exec(name)?.[0] !== name) throw new Error(`bad name ${name}`);
      if (families.has(name) || current?.hasType === false) throw new Error(`HELP out of place: ${line}`);
      current = { name, help: unescaped(help[2]!, '\\n'), hasType: false };
    } else if (type !== null) {
      if (current?.name !== type[1] || current!.hasType) throw new Error(`TYPE out of place: ${line}`);
      current!.hasType = true;
      families.set(current!.name, { help: current!.help, type: type[2]!, series: [] });
    } else {
      const series = parseSeries(line);
      const family = current === undefined ? undefined : families.get(current.name);
      if (family === undefined || current === undefined) throw new Error(`sample without a family: ${line}`);
      const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      if (!suffixes.some((suffix) => series.name === `${current!.name}${suffix}`)) {
        throw new Error(`sample of another family: ${line}`);
      }
      const key = JSON.stringify([series.name, ...[...series.labels].sort()]);
      if (seen.has(key)) throw new Error(`series twice: ${line}`);
      seen.add(key);
      family.series.push(series);
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family.series);
  return families;
}

function parseSeries(line: string): Series {
  const name = NAME.exec(line)?.[0];
  if (name === undefined) throw new Error(`not a sample: ${JSON.stringify(line)}`);
  let rest = line.slice(name.length);
  const labels = new Map<string, string>();
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    for (;;) {
      const label = LABEL.exec(rest)?.[0];
      if (label === undefined || labels.has(label)) throw new Error(`bad label in ${line}`);
      const value = /^="((?:[^"\\]|\\["\\n])*)"/.exec(rest.slice(label.length));
      if (value === null) throw new Error(`bad label value in ${line}`);
      labels.set(label, unescaped(value[1]!, '\\n"'));
      rest = rest.slice(label.length + value[0].length);
      const next = rest[0];
      rest = rest.slice(1);
      if (next === '}') break;
      if (next !== ',') throw new Error(`labels not closed in ${line}`);
    }
  }
  if (!rest.startsWith(' ') || !VALUE.test(rest.slice(1))) throw new Error(`bad value in ${line}`);
  const number = rest.slice(1);
  return { name, labels, value: number.endsWith('Inf') ? Number(number.replace('Inf', 'Infinity')) : Number(number) };
}

function unescaped(text: string, allowed: string): string {
  return text.replace(/\\(.?)/g, (_whole, next: string) => {
    if (next === '' || !allowed.includes(next)) throw new Error(`bad escape in ${text}`);
    return next === 'n' ? '\n' : next;
  });
}

function checkHistogram(name: string, series: readonly Series[]): void {
  const groups = new Map<string, Series[]>();
  for (const each of series) {
    const key = JSON.stringify([...each.labels].filter(([label]) => label !== 'le').sort());
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  for (const group of groups.values()) {
    const buckets = group.filter((each) => each.name === `${name}_bucket`);
    const bounds = buckets.map((each) => {
      const bound = each.labels.get('le');
      if (bound === undefined || !VALUE.test(bound)) throw new Error(`bucket of ${name} without a bound`);
      return bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    });
    const one = (suffix: string): Series => {
      const found = group.filter((each) => each.name === `${name}${suffix}`);
      if (found.length !== 1) throw new Error(`${found.length} times ${name}${suffix}`);
      return found[0]!;
    };
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} lacks the infinite bucket`);
    if (bounds.some((bound, index) => index > 0 && bound <= bounds[index - 1]!)) throw new Error(`${name}: bounds`);
    if (buckets.some(({ value }, index) => index > 0 && value < buckets[index - 1]!.value)) {
      throw new Error(`${name}: buckets do not grow`);
    }
    if (one('_count').value !== buckets.at(-1)!.value) throw new Error(`${name}: count differs from the last bucket`);
    if (one('_sum').value < 0) throw new Error(`${name}: sum`);
  }
}

describe('the parser of this test refuses', () => {
  const head = '# HELP a b\n# TYPE a counter\n';
  const histogram = '# HELP a b\n# TYPE a histogram\n';
  test.each([
    ['a last line without an end', `${head}a 1`],
    ['a series twice', `${head}a{x="1",y="2"} 1\na{y="2",x="1"} 2\n`],
    ['a family twice', `${head}a 1\n${head}a{x="1"} 1\n`],
    ['a type twice', `${head}# TYPE a counter\na 1\n`],
    ['a sample of no family', 'a 1\n'],
    ['a sample of another family', `${head}b 1\n`],
    ['a type without help', '# TYPE a counter\na 1\n'],
    ['a quotation mark in a label', `${head}a{x="""} 1\n`],
    ['an unknown escape', `${head}a{x="\\t"} 1\n`],
    ['a word as value', `${head}a many\n`],
    ['an empty line', `${head}\na 1\n`],
    ['buckets that shrink', `${histogram}a_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n`],
    ['no infinite bucket', `${histogram}a_bucket{le="1"} 2\na_sum 1\na_count 2\n`],
    ['a count that differs', `${histogram}a_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n`],
  ])('%s', (_what, text) => {
    expect(() => parse(text)).toThrow();
  });
});

test('a family of each type looks like this', () => {
  const families: readonly Family[] = [
    { name: 'a_total', help: 'Back\\slash\nand line.', type: 'counter', samples: [{ labels: {}, value: 3 }] },
    { name: 'b', help: 'B.', type: 'gauge', samples: [{ labels: { x: 'a "q" \\ \n é', y: '' }, value: 0.5 }] },
    {
      name: 'c',
      help: 'C.',
      type: 'histogram',
      samples: [{ labels: { x: '1' }, value: { bounds: [0.5, 1], counts: [2, 0, 1], sum: 2.75 } }],
    },
  ];
  const text = renderPrometheus(families);
  expect(text).toBe(
    [
      '# HELP a_total Back\\\\slash\\nand line.',
      '# TYPE a_total counter',
      'a_total 3',
      '# HELP b B.',
      '# TYPE b gauge',
      'b{x="a \\"q\\" \\\\ \\n é",y=""} 0.5',
      '# HELP c C.',
      '# TYPE c histogram',
      'c_bucket{x="1",le="0.5"} 2',
      'c_bucket{x="1",le="1"} 2',
      'c_bucket{x="1",le="+Inf"} 3',
      'c_sum{x="1"} 2.75',
      'c_count{x="1"} 3',
      '',
    ].join('\n'),
  );
  const parsed = parse(text);
  expect(parsed.get('a_total')?.help).toBe('Back\\slash\nand line.');
  expect(parsed.get('b')?.series[0]?.labels.get('x')).toBe('a "q" \\ \n é');
});

test('numbers that JavaScript writes in its own way are read back', () => {
  const values = [1e21, 1e-7, 123456789012345680000, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const samples = values.map((value, index) => ({ labels: { at: `${index}` }, value }));
  const text = renderPrometheus([{ name: 'a', help: 'A.', type: 'gauge', samples }]);
  expect(
    parse(text)
      .get('a')
      ?.series.map(({ value }) => value),
  ).toEqual(values);
});

test('the same events give the same bytes', () => {
  const event = { id: 'e', at: '2026-01-01T00:00:00.000Z', kind: 'breaker-opened', agent: 'b', reason: 'x', until: '' };
  const render = () => renderPrometheus(collectMetrics(foldEvents(newMetrics(['b', 'a']), event as ForewordEvent)));
  expect(render()).toBe(render());
});

/** The kinds there are, read from the union itself, so that none is forgotten here. */
const KINDS = [
  ...readFileSync(new URL('../kernel/events.ts', import.meta.url), 'utf8').matchAll(/kind: '([a-z-]+)'/g),
].map((match) => match[1]!);

test(
  'any events at all give text that parses, in a bounded number of series',
  () => {
    const text = fc.oneof(
      fc.constantFrom(
        'codex',
        'retry',
        'switch',
        'completed',
        'failed',
        'needs-review',
        'passed',
        'none',
        '__proto__',
        'a"\\\n',
      ),
      fc.string({ unit: 'binary', maxLength: 10 }),
    );
    const number = fc.oneof(fc.nat({ max: 2000 }), fc.double(), fc.constantFrom(-1, Number.NaN));
    const wild = fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.anything({ maxDepth: 1 }) });
    const texts = fc.record({
      task: wild,
      agent: wild,
      status: wild,
      outcome: wild,
      reason: wild,
      type: wild,
      handover: wild,
    });
    const event = fc
      .tuple(
        fc.constantFrom(...KINDS, 'event-of-tomorrow'),
        texts,
        fc.record({
          attempt: number,
          attempts: number,
          tokens: number,
          buildMs: number,
          commands: number,
          decided: number,
        }),
        fc.record({ hadContext: fc.boolean(), isHeldOut: fc.boolean(), occasion: wild, exitReason: wild }),
      )
      .map(([kind, ...parts]) => Object.assign({ id: 'e', at: 'x', kind }, ...parts) as ForewordEvent);
    const agents = fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 60 });
    fc.assert(
      fc.property(agents, fc.array(event, { maxLength: 60 }), (names, events) => {
        const families = parse(renderPrometheus(collectMetrics(events.reduce(foldEvents, newMetrics(names)))));
        const series = [...families.values()].reduce((sum, family) => sum + family.series.length, 0);
        expect(series).toBeLessThanOrEqual(MOST_SERIES);
        const values = [...families.values()].flatMap((family) => family.series.map(({ value }) => value));
        expect(values.filter((value) => !(value >= 0))).toEqual([]);
      }),
      RUNS,
    );
  },
  TIMEOUT_MS,
);

test('thirty agents fill the metrics and stay within the bound', () => {
  const names = Array.from({ length: 30 }, (_, index) => `agent-${index}`);
  const series = collectMetrics(newMetrics(names)).flatMap(({ samples }) =>
    samples.map(({ value }) => (typeof value === 'number' ? 1 : value.counts.length + 2)),
  );
  expect(series.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(MOST_SERIES);
});
