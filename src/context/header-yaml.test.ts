import fc from 'fast-check';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Header } from './header.ts';
import { headerYaml } from './header-yaml.ts';

const RUNS = process.env.FOREWORD_TEST_LONG === '1' ? 100_000 : 1000;

function header(more: Partial<Header> = {}): Header {
  return {
    repo: { branch: 'main', head: '57507e3', recent_window: '180s' },
    pending: [],
    backlog: [],
    hotspots: [],
    targets: [],
    policy: ['minimal diff', 'respect targets'],
    next_work: ['noop'],
    mode: 'propose',
    ...more,
  };
}

test('a header is one short readable document', () => {
  const text = headerYaml(
    header({
      pending: [{ id: 'task-217', age: '2d ago', files: ['src/auth.ts'] }],
      backlog: [{ id: 'fact-001', summary: 'Build src/factorial.py' }],
      hotspots: [{ path: 'scratch/2025-10-29__exp.md', age: 'just now' }],
      policy: ['patch-only', 'deny:secrets/**', '+<=800 -<=800 lines, files<=10'],
      more: { pending: 2 },
    }),
  );
  expect(text).toBe(`---
# agent_context
repo: { branch: main, head: "57507e3", recent_window: 180s }
pending:
  - { id: task-217, age: 2d ago, files: [ src/auth.ts ] }
backlog:
  - { id: fact-001, summary: Build src/factorial.py }
hotspots:
  - { path: scratch/2025-10-29__exp.md, age: just now }
targets: []
policy: [ patch-only, "deny:secrets/**", "+<=800 -<=800 lines, files<=10" ]
next_work: [ noop ]
mode: propose
more: { pending: 2 }
...
`);
});

test('where a run knows them, box and network stand before the mode', () => {
  const { mode, ...before } = header();
  const text = headerYaml({ ...before, env: { box: 'bubblewrap', network: 'on' }, mode, more: { pending: 2 } });
  expect(text).toBe(`---
# agent_context
repo: { branch: main, head: "57507e3", recent_window: 180s }
pending: []
backlog: []
hotspots: []
targets: []
policy: [ minimal diff, respect targets ]
next_work: [ noop ]
env: { box: bubblewrap, network: "on" }
mode: propose
more: { pending: 2 }
...
`);
  expect(parse(text)).toMatchObject({ env: { box: 'bubblewrap', network: 'on' } });
});

const HOSTILE = [
  'feat: x #y',
  '1234567',
  '1e10123',
  'e3',
  'E1234567',
  '0x1f',
  '1_000',
  '12:30:45',
  '2020-01-01',
  'yes',
  'NO',
  'on',
  'null',
  '~',
  '',
  ' lead and trail ',
  'a path/with spaces.ts',
  'line\nbreak\r\nand\ttab',
  '\u001b[31mred\u001b[0m',
  '\u202eevil\u2066',
  'a}\n  - {id: EVIL, summary: x',
  '--- # not a document',
  '...',
  '"quoted" \\ back',
  "it's",
  'é 你好 😀',
  '\u0000\u0085\u2028\ufeff\u{e0041}',
  '&anchor',
  '*alias',
  '!tag',
  '%directive',
  '@at',
  '`tick',
  '{context_header}',
  '- item',
  '? key',
  '<<',
  '=',
];

test.each(HOSTILE)('%j parses back to itself with three readers, in printable ASCII', (value) => {
  same(header({ repo: { branch: value, head: value, recent_window: '1s' }, targets: [value], next_work: [value] }));
});

test('any text in any place parses back to itself', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.toWellFormed());
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), fc.option(text), (value, values, head) => {
      same(
        header({
          repo: { branch: value, head, recent_window: '180s' },
          pending: [{ id: value, age: 'just now', files: values }],
          backlog: values.map((id) => ({ id, summary: value })),
          hotspots: [{ path: value, age: '5m ago' }],
          policy: values,
          unavailable: [value],
        }),
      );
    }),
    { numRuns: RUNS },
  );
});

function same(value: Header): void {
  const text = headerYaml(value);
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(parse(text)).toEqual(value);
  expect(parse(text, { version: '1.1' })).toEqual(value);
  expect(load(text)).toEqual(value);
  expect(load(text, { schema: YAML11_SCHEMA })).toEqual(value);
}
