import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../../agents/index.ts';
import type { Channel } from '../../kernel/receipt.ts';
import { CHANNELS } from './index.ts';

test('every file of a channel is in the catalog', () => {
  const files = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.replace('.ts', ''))
    .filter((name) => name !== 'index' && name !== 'channel');
  expect(Object.keys(CHANNELS).sort()).toEqual(files.sort());
});

test('every channel stands in the ladder of an agent', () => {
  const used = new Set<Channel>(AGENTS.flatMap(({ interactive }) => interactive?.ladder ?? []));
  expect([...used].sort()).toEqual((Object.keys(CHANNELS) as Channel[]).sort());
});

test('the proofs of each channel, and the sentences that explain them', () => {
  const rows = Object.entries(CHANNELS).flatMap(([name, { evidence }]) =>
    Object.entries(evidence).map(([proof, sentence]) => `${name} ${proof}: ${sentence('NAME')}`),
  );
  expect(rows).toEqual([
    'hook placed: the NAME hook printed it',
    'hook submitted: the NAME hook saw it in the prompt',
    'flag placed: the launch carried it as the first prompt',
    'flag submitted: a turn began after the launch',
    'typed placed: the composer shows it',
    'typed submitted: the composer emptied and a turn began',
    'file placed: NAME holds it',
    'notice placed: a line tells that context is there',
  ]);
});
