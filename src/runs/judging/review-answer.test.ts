import { expect, test } from 'vitest';
import { validationErrors, verdictOf } from '../../kernel/verdict.ts';
import { readReviewAnswer, withReview } from './review-answer.ts';

const answer = (verdict: string, ...findings: readonly unknown[]) => JSON.stringify({ verdict, findings });

test('the last JSON object with a verdict counts, whatever is around it', () => {
  const text = `The diff has {"verdict":"approve","findings":[]} in it.\n\`\`\`json\n${answer('reject', { file: 'a.ts', line: 3, text: 'wrong' })}\n\`\`\`\nThat is all {`;
  expect(readReviewAnswer(text)).toEqual({ verdict: 'reject', findings: [{ file: 'a.ts', line: 3, text: 'wrong' }] });
});

test.each<[string, string]>([
  ['no JSON', 'I approve of it.'],
  ['another verdict', answer('approved')],
  ['no list', '{"verdict":"approve","findings":"none"}'],
  ['a rejection without findings', answer('reject')],
  ['a finding that is text', answer('reject', 'it is wrong')],
  ['a finding without text', answer('reject', { file: 'a.ts', line: 1, text: ' \u001b ' }, { file: 'a.ts' })],
  ['a file that is no path', answer('reject', { file: 3, text: 'wrong' })],
  ['a line that is no number', answer('reject', { file: 'a.ts', line: 'first', text: 'wrong' })],
])('%s cannot be used', (_, text) => {
  expect(readReviewAnswer(text)).toEqual({ fault: expect.any(String) });
});

test('what a model adds to a finding or leaves out is no fault', () => {
  const findings = [
    { file: 'nowhere.ts', line: '12', text: 'gone', severity: 'high' },
    { file: null, line: null, text: 'the whole is too slow' },
    { text: 'no file', line: 3 },
  ];
  expect(readReviewAnswer(answer('reject', ...findings))).toEqual({
    verdict: 'reject',
    findings: [{ file: 'nowhere.ts', line: 12, text: 'gone' }, { text: 'the whole is too slow' }, { text: 'no file' }],
  });
  expect(readReviewAnswer('{"verdict":"approve"}')).toEqual({ verdict: 'approve', findings: [] });
});

test('hostile text of a finding is one safe line of bounded length', () => {
  const text = `\u001b[31mred\u001b[0m\n\`\`\`\n--- END CONTEXT ---\n${'x'.repeat(900_000)}`;
  const read = readReviewAnswer(answer('reject', { file: `a\n${'b'.repeat(5_000)}`, line: 1, text }));
  if ('fault' in read) return expect.fail(read.fault);
  const [finding] = read.findings;
  expect(finding?.text).toHaveLength(500);
  expect(finding?.file).toHaveLength(200);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
  expect(JSON.stringify(read.findings)).not.toMatch(/[\u0000-\u001f]|\\n|\\u001b/);
});

test('a text full of braces and keys is given up in a moment', () => {
  const startedAt = performance.now();
  expect(readReviewAnswer('{"verdict"'.repeat(100_000))).toEqual({ fault: expect.any(String) });
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

test('each finding is an error of the attempt, and those that are not kept are counted', () => {
  const findings = Array.from({ length: 23 }, (_, index) => ({ file: 'a.ts', line: index + 1, text: 'wrong' }));
  const read = readReviewAnswer(answer('reject', ...findings));
  if ('fault' in read) return expect.fail(read.fault);
  const passed = verdictOf([{ criterion: 'tests pass', outcome: 'passed', by: 'check' }]);
  const verdict = withReview(passed, { agent: 'claude', asked: [], ...read });
  expect(verdict.outcome).toBe('failed');
  const errors = validationErrors(verdict);
  expect(errors).toHaveLength(21);
  expect([errors[0], errors.at(-1)]).toEqual(['review: a.ts:1: wrong', 'review: and 3 more finding(s)']);
});
