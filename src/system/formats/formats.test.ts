import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Format, formatOf, MAX_DEPTH, readText } from './index.ts';

const FORMATS: readonly Format[] = ['yaml', 'json', 'edn'];
const read = (format: Format, text: string): unknown => {
  const parsed = readText(format, text);
  return parsed.ok ? parsed.value : parsed;
};
const anyValue = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)));

/** Every value on its own line, so that the line of a path can be counted without reading. */
function print(value: unknown, style: 'json' | 'edn', path: (string | number)[], seen: Map<string, number>): string {
  let line = 1;
  let text = '';
  const put = (part: string): void => {
    text += `${part}\n`;
    line += 1;
  };
  const walk = (item: unknown, at: (string | number)[], end: string): void => {
    seen.set(JSON.stringify(at), line);
    if (Array.isArray(item)) {
      put('[');
      for (const [index, inner] of item.entries()) walk(inner, [...at, index], index < item.length - 1 ? ',' : '');
      put(`]${end}`);
    } else if (typeof item === 'object' && item !== null) {
      put('{');
      const keys = Object.keys(item);
      for (const [index, key] of keys.entries()) {
        put(style === 'json' ? `${JSON.stringify(key)}:` : ednText(key));
        walk((item as Record<string, unknown>)[key], [...at, key], index < keys.length - 1 ? ',' : '');
      }
      put(`}${end}`);
    } else put(`${style === 'json' ? JSON.stringify(item) : ednAtom(item)}${end}`);
  };
  walk(value, path, '');
  return text;
}

function ednText(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function ednAtom(value: unknown): string {
  if (value === null) return 'nil';
  return typeof value === 'string' ? ednText(value) : String(value);
}

describe('round trips', () => {
  test.each(['json', 'yaml'] as const)('any JSON value reads back from its JSON text as %s', (format) => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(read(format, JSON.stringify(value))).toEqual(value);
      }),
    );
  });

  test('any value printed as EDN reads back', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(read('edn', print(value, 'edn', [], new Map()))).toEqual(value);
      }),
    );
  });

  test.each(['json', 'edn'] as const)('lineOf knows the line of every value in %s', (style) => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const seen = new Map<string, number>();
        const parsed = readText(style, print(value, style, [], seen));
        if (!parsed.ok) throw new Error(parsed.message);
        for (const [path, line] of seen) expect([path, parsed.lineOf(JSON.parse(path))]).toEqual([path, line]);
      }),
    );
  });
});

describe('lines', () => {
  const texts: Readonly<Record<Format, string>> = {
    yaml: 'project: x\ntasks:\n  - id: a\n    list: [1,\n      2]\n  - id: b\n    note: |\n      two\n      lines\n    empty:\n',
    json: '{"project": "x",\n "tasks":\n [{"id": "a",\n "list": [1,\n 2]}, \n {"id": "b",\n "note":\n "two", "x": {"y": 1},\n\n"empty": null}]}',
    edn: '{:project "x"\n :tasks\n [{:id "a"\n :list [1\n 2]}\n {:id "b" ; c\n :note\n "two" #_ gone :x {:y 1}\n\n:empty nil}]}',
  };
  test.each(FORMATS)('%s: of values, keys and the nearest parent', (format) => {
    const parsed = readText(format, texts[format]);
    if (!parsed.ok) throw new Error(parsed.message);
    const { lineOf, keyLineOf } = parsed;
    expect([lineOf([]), lineOf(['project']), lineOf(['tasks'])]).toEqual([1, 1, 3]);
    expect([keyLineOf(['tasks']), keyLineOf(['tasks', 1, 'note'])]).toEqual([2, 7]);
    expect([lineOf(['tasks', 0, 'list', 0]), lineOf(['tasks', 0, 'list', 1])]).toEqual([4, 5]);
    expect([lineOf(['tasks', 1]), lineOf(['tasks', 1, 'note'])]).toEqual([6, 8]);
    expect(lineOf(['tasks', 1, 'empty'])).toBe(10);
    expect([lineOf(['tasks', 1, 'absent', 'more']), lineOf(['tasks', 9])]).toEqual([6, 3]);
  });

  test.each(FORMATS)('%s: CRLF counts as one line end and a BOM as nothing', (format) => {
    const parsed = readText(format, `\uFEFF${texts[format].replaceAll('\n', '\r\n')}`);
    expect(parsed.ok && parsed.lineOf(['tasks', 1, 'empty'])).toBe(10);
  });

  test('what is not written has the line of its dash or key', () => {
    const parsed = readText('yaml', '-\n- a\n-\n-\n- b:\n');
    expect(parsed.ok && [0, 1, 2, 3, 4].map((index) => parsed.lineOf([index]))).toEqual([1, 2, 3, 4, 5]);
    expect(parsed.ok && parsed.lineOf([4, 'b'])).toBe(5);
  });

  test('a fault of an aliased value is reported at the line that uses it', () => {
    const parsed = readText('yaml', 'a: &a\n  x: 1\nb: *a\nc:\n  <<: *a\n  y: 2\n');
    expect(parsed.ok && [parsed.value, parsed.lineOf(['b', 'x']), parsed.lineOf(['c', 'x'])]).toEqual([
      { a: { x: 1 }, b: { x: 1 }, c: { x: 1, y: 2 } },
      3,
      5,
    ]);
  });
});

describe('syntax faults have the line', () => {
  test.each<[Format, string, number, string]>([
    ['yaml', 'a: 1\nb: [1,\n', 3, ''],
    ['yaml', 'a: 1\n\tb: 2', 2, 'tab'],
    ['yaml', 'a: 1\nb: 2\na: 3', 3, 'duplicated'],
    ['yaml', 'a: 1\n---\nb: 2', 3, 'second YAML document'],
    ['yaml', 'a: !!js/function x', 1, 'tag'],
    ['json', '{"a": 1,\n "b": }', 2, 'found "}" where a value was expected'],
    ['json', '{"a": 1\n "b": 2}', 2, 'a comma or }'],
    ['json', '{"a": 1,\n}', 2, 'a key in double quotes'],
    ['json', '[1, 2\n', 2, 'the file ends'],
    ['json', '{"a": "x\n"}', 1, 'a quote on the same line'],
    ['json', '{"a":\n "\\q"}', 2, 'an escape'],
    ['json', '{}\n\n x', 3, 'nothing more'],
    ['edn', '{:a 1\n :b', 2, 'has no value'],
    ['edn', '{:a 1\n :a 2}', 2, 'occurs twice'],
    ['edn', '[1\n (2]]', 2, 'should close ('],
    ['edn', '\n[1 2', 2, 'never closed'],
    ['edn', '1\n2', 2, 'second form'],
    ['edn', '[1\n "abc]', 2, 'has no end'],
    ['edn', '["a\n\\q"]', 2, 'escape'],
    ['edn', '[\n017]', 2, 'not a value'],
    ['edn', '[\n#"x"]', 2, 'not a tag'],
    ['edn', '{[1]\n 2}', 1, 'cannot be a key'],
    ['edn', '[1 #_]', 1, 'no form to discard'],
    ['edn', '#:a{:b 1}', 1, 'not a tag'],
  ])('%s %j: line %i, %s', (format, text, line, message) => {
    const parsed = readText(format, text);
    expect(parsed).toEqual({ ok: false, line, message: expect.stringContaining(message) });
  });
});

describe('EDN', () => {
  test.each<[string, unknown]>([
    ['{:task/id :a, "b" sym, c nil, 4 true}', { 'task/id': 'a', b: 'sym', c: null, 4: true }],
    [
      '[1 -2 +3 0 1.5 1e3 1.5M 7N 1/2 12345678901234567890 12345678901234567890N]',
      [1, -2, 3, 0, 1.5, 1000, 1.5, 7, '1/2', '12345678901234567890', '12345678901234567890'],
    ],
    ['(a #{:b "c"} [])', ['a', ['b', 'c'], []]],
    ['[\\a \\newline \\space \\u0041 \\( \\, \\o101 \\é \\😀]', ['a', '\n', ' ', 'A', '(', ',', 'A', 'é', '😀']],
    ['"a\\n\\t\\"\\\\ \\u0041 \\101 é\nb"', 'a\n\t"\\ A A é\nb'],
    ['[#inst "2025-01-01" #uuid "x" #my/tag {:a #_ b 1}]', ['2025-01-01', 'x', { a: 1 }]],
    ['[#_ #_ a b c] ; end', ['c']],
    ['[##Inf + - -> a.b/c <= $x]', [Number.POSITIVE_INFINITY, '+', '-', '->', 'a.b/c', '<=', '$x']],
    ['; only a comment', null],
  ])('%s', (text, value) => {
    expect(read('edn', text)).toEqual(value);
  });
});

describe('hostile input', () => {
  const deep = (open: string, close = ''): string => open.repeat(100_000) + close.repeat(100_000);
  test.each<[Format, string, string]>([
    ['yaml', 'open brackets', deep('[')],
    ['yaml', 'closed brackets', deep('[', ']')],
    ['yaml', 'dashes', deep('- ')],
    ['json', 'open brackets', deep('[')],
    ['json', 'closed brackets', deep('[', ']')],
    ['json', 'maps', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['edn', 'open brackets', deep('[')],
    ['edn', 'closed brackets', deep('(', ')')],
    ['edn', 'discards', deep('#_ ')],
    ['edn', 'tags', deep('#a ')],
    ['edn', 'maps', deep('{:a ')],
    ['yaml', 'NUL', 'a: \0'],
    ['json', 'NUL', '{"a": "\0"}'],
    ['edn', 'NUL', '[\0]'],
    ['yaml', 'an endless alias', 'a: &a [*a]'],
    ['json', 'an empty text', ''],
  ])('%s: %s is one fault', (format, _name, text) => {
    expect(read(format, text)).toMatchObject({ ok: false, message: expect.any(String) });
  });

  test('an alias bomb is one fault, a few aliases are none', () => {
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 20; i += 1)
      bomb.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(read('yaml', bomb.join('\n'))).toMatchObject({ ok: false, message: expect.stringContaining('Aliases') });
    expect(read('yaml', bomb.slice(0, 3).join('\n'))).not.toHaveProperty('ok');
    const chain = ['a0: &a0 [x]'];
    for (let i = 1; i < 20_000; i += 1) chain.push(`a${i}: &a${i} [*a${i - 1}]`);
    expect(read('yaml', chain.join('\n'))).toMatchObject({ ok: false });
  });

  test.each(FORMATS)('%s: __proto__ is a key like any other', (format) => {
    const text = format === 'edn' ? '{"__proto__" {"polluted" true}}' : '{"__proto__": {"polluted": true}}';
    const value = read(format, text) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  test.each(FORMATS)('%s: a hundred levels are allowed, one more is not', (format) => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(readText(format, nested(MAX_DEPTH)).ok).toBe(true);
    expect(readText(format, nested(MAX_DEPTH + 1)).ok).toBe(false);
  });

  test.each(FORMATS)('%s: any text gives a value or a fault', (format) => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '"',
      '\\',
      '#',
      '_',
      ':',
      ',',
      '-',
      '&a ',
      '*a',
      '\n',
      ' ',
      '1',
      'x',
      '|',
      '!',
      '\0',
      '\r',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (text) => {
          const parsed = readText(format, text);
          if (parsed.ok) parsed.lineOf(['a', 0]);
          else expect(parsed.message).toMatch(/\S/);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each(FORMATS)('%s: an empty file, and one that is only white space', (format) => {
    const parsed = [readText(format, ''), readText(format, ' \r\n\n')];
    expect(parsed.map((one) => (one.ok ? one.value : 'fault'))).toEqual(
      format === 'json' ? ['fault', 'fault'] : [null, null],
    );
  });
});

test('the ending of a file name decides its format', () => {
  expect(['a.yaml', 'b.YML', 'c.json', 'd.edn', 'yaml', 'e.txt'].map(formatOf)).toEqual([
    'yaml',
    'yaml',
    'json',
    'edn',
    undefined,
    undefined,
  ]);
});
