import { expect, test } from 'vitest';
import { shortIds } from './short-ids.ts';

const CASES: readonly { readonly name: string; readonly all: readonly string[]; readonly short: readonly string[] }[] =
  [
    { name: 'one alone', all: ['5b1f0c7e-2d94-4a63-9c1e-7f3a60d2b815'], short: ['5b1f0c7e'] },
    {
      name: 'two of the same minute, as Codex numbers them',
      all: ['019a8f1c-aaaa-7000-8000-000000000001', '019a8f1c-aaab-7000-8000-000000000002'],
      short: ['019a8f1c-aaaa', '019a8f1c-aaab'],
    },
    { name: 'no dash at the end', all: ['0123456-8', '01234567-aaaaaaaaaaa'], short: ['0123456-8', '01234567'] },
    { name: 'a short one stays whole', all: ['s1a2b3c4d', 'inline'], short: ['s1a2b3c4d', 'inline'] },
    {
      name: 'the beginning of another one',
      all: ['ses_0123456789', 'ses_0123456789abcdefgh'],
      short: ['ses_0123456789', 'ses_0123456789a'],
    },
  ];

for (const { name, all, short } of CASES)
  test(`an id is as short as it differs from the others: ${name}`, () => {
    expect(all.map(shortIds(all))).toEqual(short);
    expect(new Set(short).size).toBe(all.length);
  });
