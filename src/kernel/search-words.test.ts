import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bestLine, identifierParts, snippetOf, withIdentifierParts, wordsOf } from './search-words.ts';

describe('words of a task', () => {
  test('are identifiers whole and in parts, in lower case, without small talk', () => {
    expect(wordsOf('Fix the retry in parseHTTPReply(), see src/core/task-file.ts and MAX_RETRY_COUNT.')).toEqual([
      'retry',
      'parsehttpreply',
      'parse',
      'http',
      'reply',
      'src/core/task-file.ts',
      'src',
      'core',
      'max_retry_count',
      'max',
      'count',
    ]);
  });

  test('are none in small talk, signs and short words', () => {
    expect(wordsOf("We don't do it: a, an; the — and/or … 12 ok !!! --- ../")).toEqual([]);
    expect(wordsOf('')).toEqual([]);
  });

  test('keep accents, other scripts and numbers', () => {
    expect(wordsOf('Größe prüfen: настройки 日本語 error 404')).toEqual([
      'größe',
      'prüfen',
      'настройки',
      '日本語',
      'error',
      '404',
    ]);
  });

  test('are at most 24, each once, at least three characters long, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        const words = wordsOf(text);
        expect(words.length).toBeLessThanOrEqual(24);
        expect(new Set(words).size).toBe(words.length);
        for (const word of words) expect([word.length >= 3, word]).toEqual([true, word.toLowerCase()]);
      }),
    );
  });

  test('of a long text without spaces cost no more than reading it', () => {
    const started = performance.now();
    for (const unit of ['a', 'A', 'aA', 'a.', 'é', '0']) {
      wordsOf(unit.repeat(500_000));
      withIdentifierParts(unit.repeat(500_000));
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test('an identifier falls into its parts', () => {
  expect(identifierParts('parseHTTPReply_v2/xY.ts')).toEqual(['parse', 'http', 'reply', 'v', '2', 'x', 'y', 'ts']);
});

test('the parts of camel case identifiers follow the text, once', () => {
  expect(withIdentifierParts('openDatabase(openDatabase, HTTPServer)')).toBe(
    'openDatabase(openDatabase, HTTPServer)\nopen database http server',
  );
  expect(withIdentifierParts('plain snake_case')).toBe('plain snake_case');
});

describe('the line that is shown', () => {
  const text = 'first\n\n  const retries = 3;\n  retry(delivery, retries); // deliver again\nend';

  test('has the most words, also in other endings', () => {
    expect(bestLine(text, ['retry', 'deliveries'])).toMatchObject({ index: 3, words: 2, at: 2 });
    expect(bestLine(text, ['nothing'])).toMatchObject({ index: 0, words: 0, at: 0 });
    expect(bestLine('\n \n', ['x'])).toBeUndefined();
  });

  test('is cut around the first word', () => {
    const line = bestLine(`    ${'x '.repeat(200)}needle ${'y '.repeat(200)}`, ['needle'])!;
    const snippet = snippetOf(line, 160);
    expect(snippet).toContain('needle');
    expect(snippet.length).toBeLessThanOrEqual(160);
    expect(snippetOf({ index: 0, text: '  short  ', words: 0, at: 0 }, 160)).toBe('short');
  });

  test('is never longer than asked, whatever the line, and ends in no half character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(300), (unit, at) => {
        const snippet = snippetOf({ index: 0, text: unit.repeat(100), words: 1, at }, 40);
        expect(snippet.length).toBeLessThanOrEqual(40);
        expect(encodeURIComponent(snippet)).toBeTypeOf('string');
      }),
    );
  });
});
