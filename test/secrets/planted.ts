// Secrets to plant: values of variables that foreword knows, and tokens that it knows by their format. Made at run time.

import { createHash } from 'node:crypto';
import { SAMPLES } from './samples.ts';

export interface Planted {
  /** Variables for foreword's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Lines of text, one secret in each. */
  readonly texts: readonly string[];
  /** The secrets themselves; nothing of them may leave. */
  readonly secrets: readonly string[];
  /** Known values in the forms that logs have: wrapped, coloured, hidden, encoded, reversed. */
  readonly wrapped: readonly string[];
  /** Known values that can be the name of a file. */
  readonly names: readonly string[];
}

const WORDS = [
  'API_KEY',
  'TOKEN',
  'SECRET',
  'PASS',
  'PASSWD',
  'PWD',
  'CREDENTIALS',
  'DSN',
  'AUTH',
  'COOKIE',
  'PAT',
  'JWT',
];
const KNOWN = 60;

export function plant(): Planted {
  const entries = Array.from({ length: KNOWN }, (_, index): [string, string] => [
    `SERVICE${index}_${WORDS[index % WORDS.length]}`.replace(/\d+/, (digits) =>
      String.fromCharCode(65 + Number(digits) / 26, 65 + (Number(digits) % 26)),
    ),
    plantedValue(index),
  ]);
  const tokens = Object.values(SAMPLES).flat();
  const known = entries.map(([, value]) => value);
  return {
    env: Object.fromEntries([...entries, ['DATABASE_URL', `postgres://me:${plantedValue(KNOWN + 1)}@db.example/x`]]),
    texts: [...known, ...tokens.map(([text]) => text), plantedValue(KNOWN + 1)],
    secrets: [...known, plantedValue(KNOWN + 1), ...tokens.map(([text, left]) => secretIn(text, left))],
    wrapped: known.slice(0, 24).map((value, index) => (FORMS[index % FORMS.length] ?? ((same: string) => same))(value)),
    names: known.filter((value) => /^[\w-]+$/.test(value)).slice(0, 12),
  };
}

/** 16 to 40 characters that no other text has; every third with characters that are escaped somewhere. */
function plantedValue(index: number): string {
  const hash = createHash('sha256').update(`planted ${index}`).digest('base64url');
  const value = hash.slice(0, 16 + (index % 25));
  return index % 3 === 0 ? `${value.slice(0, 8)}/"é &${value.slice(8)}` : value;
}

const FORMS: readonly ((value: string) => string)[] = [
  (value) => `${value.slice(0, 9)}\n${value.slice(9)}`,
  (value) => `\u001b[31m${value.slice(0, 5)}\u001b[0m${value.slice(5)}`,
  (value) => [...value].join('\u200b'),
  (value) => `${value.slice(0, 7)}X\b${value.slice(7)}`,
  (value) => Buffer.from(value).toString('hex'),
  (value) => [...value].reverse().join(''),
  (value) => Buffer.from(`user:${value}`).toString('base64'),
  (value) => encodeURIComponent(value),
];

/** What is taken out of a sample: what is between the beginning and the end that stay. */
function secretIn(text: string, left: string): string {
  const [before = '', after = ''] = left.split('[redacted]');
  return text.slice(before.length, text.length - after.length);
}
