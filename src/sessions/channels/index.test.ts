import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../../agents/index.ts';
import type { Channel } from '../../kernel/receipt.ts';
import { CHANNELS, channelRules } from './index.ts';

test('every file of a channel is in the catalog', () => {
  const files = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.replace('.ts', ''))
    .filter((name) => name !== 'index' && name !== 'channel');
  expect(Object.keys(CHANNELS).sort()).toEqual(files.sort());
});

test('every channel is in the ladder of an agent', () => {
  const used = new Set<Channel>(AGENTS.flatMap(({ interactive }) => interactive?.ladder ?? []));
  expect([...used].sort()).toEqual((Object.keys(CHANNELS) as Channel[]).sort());
});

test.each<[Channel, Readonly<Record<string, string>>]>([
  ['hook', { placed: 'the NAME hook printed it', submitted: 'the NAME hook saw it in the prompt' }],
  [
    'mcp',
    { placed: 'the agent called the tool NAME, which returned it', submitted: 'the turn that asked for it is over' },
  ],
  ['flag', { placed: 'the launch carried it as the first prompt', submitted: 'a turn began after the launch' }],
  ['typed', { placed: 'the composer shows it', submitted: 'the composer emptied and a turn began' }],
  ['file', { placed: 'NAME holds it' }],
  ['notice', { placed: 'a notice that context is available was queued' }],
])('the proofs of channel %s, and the sentences that explain them', (name, sentences) => {
  const { evidence } = channelRules(name);
  const explained = Object.entries(evidence).map(([proof, sentence]) => [proof, sentence('NAME')]);
  expect(Object.fromEntries(explained)).toEqual(sentences);
});
