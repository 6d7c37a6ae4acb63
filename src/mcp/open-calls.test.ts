import { expect, test } from 'vitest';
import type { ForewordEvent } from '../kernel/events.ts';
import type { TranscriptText } from '../kernel/transcript.ts';
import { openCalls } from './open-calls.ts';
import { settleCalls } from './settle-calls.ts';

const AT = Date.parse('2026-11-18T00:00:00Z');
const asked = (context: string, session: string, more: object = {}) =>
  ({
    kind: 'context-asked',
    id: 'e',
    at: new Date(AT).toISOString(),
    agent: 'one',
    session,
    context,
    ...more,
  }) as unknown as ForewordEvent;
const served = (context: string) => ({ ...asked(context, 's'), kind: 'context-served' }) as unknown as ForewordEvent;

test('calls without a served answer are open, by server, for a day; those of a run are not believed', () => {
  const events = [
    asked('a', 'm1'),
    asked('b', 'm1'),
    served('a'),
    asked('c', 'm2'),
    asked('d', 'm3', { unverified: true }),
  ];
  expect(openCalls(events, AT + 1000)).toEqual([
    { agent: 'one', session: 'm2', startedAt: AT, ids: ['c'] },
    { agent: 'one', session: 'm1', startedAt: AT, ids: ['b'] },
  ]);
  expect(openCalls([...events, served('b'), served('c')], AT)).toEqual([]);
  expect(openCalls(events, AT + 25 * 3_600_000)).toEqual([]);
});

const ID = 'fw_0123456789ab';
const given: TranscriptText = { kind: 'given', role: 'tool', text: ID, sessionId: 's1', log: 'l', evidence: 'l:1' };
const reply: TranscriptText = { kind: 'reply', role: '', text: '', sessionId: 's1', log: 'l', evidence: 'l:2' };

test.each([
  ['the model went on', [[given], [reply]], ['served']],
  ['the model did not answer', [[given]], []],
  ['the answer is not in it', [[reply]], []],
])('a server that was ended too early: %s', async (_, polls, proofs) => {
  const left = [...polls];
  const recorded: unknown[] = [];
  const found = await settleCalls([{ agent: 'one', session: 'm1', startedAt: AT, ids: [ID] }], {
    root: '/shop',
    openTranscript: () => ({ poll: async () => left.shift() ?? [], close: () => undefined }),
    recordProof: (entry, proof) => recorded.push({ ...entry, ...proof }),
  });
  expect(found.map(({ proof }) => proof)).toEqual(proofs);
  expect(recorded).toEqual(
    proofs.map((proof) => ({ root: '/shop', agent: 'one', session: 's1', context: ID, id: ID, proof })),
  );
});

test('an agent whose transcript nobody knows is left alone', async () => {
  const calls = [{ agent: 'two', session: 'm', startedAt: AT, ids: [ID] }];
  const parts = { root: '/', openTranscript: () => undefined, recordProof: () => expect.fail() };
  expect(await settleCalls(calls, parts)).toEqual([]);
});
