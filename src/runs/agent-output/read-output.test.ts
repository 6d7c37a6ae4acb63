import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutputRule } from '../../kernel/agent.ts';
import { readOutput } from './read-output.ts';

const RULES: readonly OutputRule[] = [
  { when: { type: 'say' }, answer: 'message.content[].text' },
  { when: { type: 'piece' }, answer: 'text', isPiece: true },
  {
    when: { type: 'error', fatal: true },
    error: { message: 'error.data.message', code: 'error.name', status: 'error.status', resetsAt: 'error.resetsAt' },
  },
  { when: { type: 'error', fatal: false }, error: { message: 'error.data.message', isNotice: true } },
  { when: { limit: '*' }, error: { resetsAt: 'limit', isNotice: true } },
];
const jsonl = (...values: unknown[]) =>
  readOutput({ format: 'jsonl', rules: RULES }, values.map((value) => JSON.stringify(value)).join('\n'));
const error = (message: string, fatal = true) => ({ type: 'error', fatal, error: { data: { message } } });

test('text is the answer', () => {
  expect(readOutput({ format: 'text' }, '\n Done.\n\n')).toEqual({ answer: 'Done.', errors: [] });
});

describe('lines of JSON', () => {
  test('the last answer counts, joined from the parts of its list', () => {
    const say = (...texts: string[]) => ({ type: 'say', message: { content: texts.map((text) => ({ text })) } });
    expect(jsonl(say('one'), say('two ', 'three'), { type: 'say', message: { content: [{ image: 1 }] } }).answer).toBe(
      'two three',
    );
  });

  test('pieces that follow each other are one answer', () => {
    const piece = (text: string) => ({ type: 'piece', text });
    expect(jsonl(piece('a'), piece('b'), { type: 'tool' }, piece('c'), piece('d')).answer).toBe('cd');
  });

  test('an error has the values of its fields', () => {
    const value = { type: 'error', fatal: true, error: { name: 'Limit', status: '429', resetsAt: 17, data: {} } };
    expect(jsonl(value).errors).toEqual([{ code: 'Limit', status: 429, resetsAt: 17 }]);
  });

  test('an answer makes up for the errors before it, not for those after; notices stay', () => {
    const answer = { type: 'piece', text: 'x' };
    expect(jsonl(error('one'), error('seen', false), answer, error('two')).errors).toEqual([
      { message: 'seen', isNotice: true },
      { message: 'two' },
    ]);
  });

  test('a star wants any value but null', () => {
    expect(jsonl({ limit: null }, { limit: 'soon' }, {}).errors).toEqual([{ resetsAt: 'soon', isNotice: true }]);
  });

  test('other lines, cut ones and inherited names are passed over', () => {
    const text = `warning\n{"type":"piece","text":"a"}\r\n{"type":"pie\nlog: {"type":"piece","text":"b"}\n[1]\n{"__proto__":{"type":"piece"}}`;
    expect(readOutput({ format: 'jsonl', rules: RULES }, text).answer).toBe('ab');
    expect(
      readOutput({ format: 'jsonl', rules: [{ when: { 'constructor.name': '*' }, answer: 'toString' }] }, '{}'),
    ).toEqual({ answer: '', errors: [] });
  });
});

describe('one JSON value', () => {
  const rules: readonly OutputRule[] = [{ when: { ok: true }, answer: 'text' }];
  test.each([
    ['{"ok":true,"text":"x"}', 'x'],
    ['Loading...\n{\n  "ok": true,\n  "text": "x"\n}\nbye', 'x'],
    ['[{"ok":false,"text":"y"},{"ok":true,"text":"x"}]', 'x'],
    ['not json', ''],
    ['', ''],
  ])('%j', (stdout, answer) => {
    expect(readOutput({ format: 'json', rules }, stdout)).toEqual({ answer, errors: [] });
  });
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.json()),
      fc.constantFrom('json', 'jsonl'),
      (text, format) => {
        readOutput({ format, rules: RULES }, text);
      },
    ),
  );
  expect(readOutput({ format: 'jsonl', rules: RULES }, '{"a":'.repeat(200_000)).answer).toBe('');
});
