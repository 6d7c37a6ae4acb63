// What a reviewer answered, and what follows from it for the attempt. The answer is an agent's text: it is read strictly where it
// decides, and bounded and made safe where it is shown. A file that a finding names need not exist.

import { oneLine } from '../../kernel/safe-text.ts';
import {
  type CriterionResult,
  type Finding,
  findingLine,
  type ReviewTalk,
  type Verdict,
  verdictOf,
} from '../../kernel/verdict.ts';
import { isObject, lastObjectWith } from './last-object.ts';

export type ReviewAnswer =
  | (Pick<ReviewTalk, 'findings' | 'more'> & { readonly verdict: 'approve' | 'reject' })
  | { readonly fault: string };

/** More than an agent fixes in one attempt. */
const MOST_FINDINGS = 20;
const MAX_TEXT = 500;
const MAX_FILE = 200;

/** Takes the last JSON object with `verdict` in the text, whatever is around it. Wrong in one place is wrong as a whole; further
 *  keys of a finding, such as a severity, are ignored. */
export function readReviewAnswer(text: string): ReviewAnswer {
  const found = lastObjectWith(text, 'verdict');
  if (found === undefined) return { fault: 'there is no JSON object with "verdict" in it' };
  const { verdict, findings = [] } = found;
  if (verdict !== 'approve' && verdict !== 'reject') return { fault: '"verdict" must be "approve" or "reject"' };
  if (!Array.isArray(findings)) return { fault: '"findings" must be a list' };
  const faults = findings.flatMap((entry: unknown, index) => {
    const fault = faultOf(entry);
    return fault === undefined ? [] : [`findings[${index}]: ${fault}`];
  });
  if (faults.length > 0) return { fault: faults.slice(0, 5).join('; ') };
  if (verdict === 'reject' && findings.length === 0) return { fault: '"reject" needs at least one finding' };
  const more = findings.length - MOST_FINDINGS;
  return {
    verdict,
    findings: findings.slice(0, MOST_FINDINGS).map(findingOf),
    ...(more > 0 ? { more } : {}),
  };
}

/** The verdict on work whose checks passed, with its review: each finding of a rejection is an error of the attempt. `because` is
 *  why there is no verdict. */
export function withReview(passed: Verdict, review: ReviewTalk | undefined, because = 'nobody reviewed it'): Verdict {
  const results = [...passed.results, ...resultsOf(review, because)];
  return verdictOf(results, { ...passed, ...(review === undefined ? {} : { review }) });
}

function resultsOf(review: ReviewTalk | undefined, because: string): readonly CriterionResult[] {
  const common = { criterion: 'review', by: 'review' } as const;
  if (review?.verdict === 'approve') return [{ ...common, outcome: 'passed' }];
  if (review?.verdict !== 'reject') return [{ ...common, outcome: 'not-run', detail: because }];
  const lines = [
    ...review.findings.map(findingLine),
    ...(review.more === undefined ? [] : [`and ${review.more} more finding(s)`]),
  ];
  return lines.map((detail) => ({ ...common, outcome: 'failed', detail }));
}

function faultOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'must be an object';
  const { file, line, text } = entry;
  if (typeof text !== 'string' || oneLine(text.slice(0, MAX_READ), MAX_TEXT) === '') return '"text" must be a text';
  if (file !== undefined && file !== null && typeof file !== 'string') return '"file" must be a path';
  if (line !== undefined && line !== null && lineOf(line) === undefined) return '"line" must be a number';
  return undefined;
}

/** Enough for what is shown of it, which loses its middle. */
const MAX_READ = 10_000;

/** The entry has no fault. */
function findingOf(entry: unknown): Finding {
  const { file, line, text } = entry as { readonly file?: unknown; readonly line?: unknown; readonly text: string };
  const path = typeof file === 'string' ? oneLine(file.slice(0, MAX_READ), MAX_FILE) : '';
  const number = lineOf(line);
  return {
    ...(path === '' ? {} : { file: path }),
    ...(path === '' || number === undefined || number === 0 ? {} : { line: number }),
    text: oneLine(text.slice(0, MAX_READ).toWellFormed(), MAX_TEXT),
  };
}

function lineOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
