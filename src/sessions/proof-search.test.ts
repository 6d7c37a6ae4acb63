import { expect, test } from 'vitest';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import type { TranscriptText } from '../kernel/transcript.ts';
import { acceptedDelivery } from './delivery/record.ts';
import { acknowledgedOn, holdsId, proofIn, searchProofs } from './proof-search.ts';

const text = (kind: TranscriptText['kind'], content: string, more: Partial<TranscriptText> = {}): TranscriptText => ({
  kind,
  role: kind === 'answer' ? 'assistant' : 'user',
  text: content,
  evidence: `${kind}:${content.length}`,
  ...more,
});
const match = { test: (pattern: string, line: string) => line.includes(pattern) };

test('the highest proof wins, with its own place', () => {
  const texts = [
    text('printed', '{"additionalContext":"[fw_a1] x"}'),
    text('given', '[fw_a1] x', { evidence: 'file:7' }),
    text('reply', '', { evidence: 'file:9' }),
    text('answer', 'ACK: context received 7QX4', { evidence: 'file:9' }),
  ];
  expect(proofIn(texts, { id: 'fw_a1', replyCode: '7QX4' })).toEqual({ proof: 'acknowledged', evidence: 'file:9' });
  expect(proofIn(texts, { id: 'fw_a1' })).toEqual({ proof: 'served', evidence: 'file:7, answered in line 9' });
  expect(proofIn(texts.slice(0, 2), { id: 'fw_a1' })).toEqual({ proof: 'submitted', evidence: 'file:7' });
  expect(proofIn(texts.slice(0, 1), { id: 'fw_a1' })).toMatchObject({ proof: 'placed' });
  const taken = text('taken', 'of others\n\n[fw_a1] x', { evidence: 'file:3' });
  expect(proofIn([...texts.slice(0, 1), taken], { id: 'fw_a1' })).toEqual({ proof: 'submitted', evidence: 'file:3' });
  expect(proofIn(texts, { id: 'fw_b2' })).toBeUndefined();
  expect(proofIn([], { id: 'fw_a1' })).toBeUndefined();
});

test('an id is a word of its own', () => {
  expect(['fw_a1', '[fw_a1]', 'x fw_a1.', '"fw_a1"'].map((said) => holdsId(said, 'fw_a1'))).not.toContain(false);
  expect(['fw_a12', 'xfw_a1', 'fw_a1-b', '', 'FW_A1'].map((said) => holdsId(said, 'fw_a1'))).not.toContain(true);
  expect(holdsId('anything', '')).toBe(false);
});

test('the id in a reply proves nothing by itself', () => {
  expect(proofIn([text('answer', 'I saw fw_a1')], { id: 'fw_a1' })).toBeUndefined();
});

test('what was only typed is served as the words of a user; a launch argument also as part of the system', () => {
  const texts = [
    text('given', 'fw_a1', { role: 'tool' }),
    text('given', 'fw_b2', { role: 'system' }),
    text('reply', ''),
  ];
  expect(proofIn(texts, { id: 'fw_a1', channels: ['typed'] })).toBeUndefined();
  expect(proofIn(texts, { id: 'fw_a1', channels: ['typed', 'file'] })).toMatchObject({ proof: 'served' });
  expect(proofIn(texts, { id: 'fw_b2', channels: ['notice'] })).toBeUndefined();
  expect(proofIn(texts, { id: 'fw_b2', channels: ['flag', 'typed'] })).toMatchObject({ proof: 'served' });
  expect(proofIn(texts, { id: 'fw_a1', channels: ['flag'] })).toBeUndefined();
});

test('a configured pattern counts behind the delivery, not before it', () => {
  const delivery = { id: 'fw_a1', ackPatterns: ['understood'], match };
  const before = [text('answer', 'understood'), text('given', 'fw_a1')];
  const behind = [text('given', 'fw_a1'), text('answer', 'understood')];
  expect(proofIn(before, delivery)).toMatchObject({ proof: 'submitted' });
  expect(proofIn(behind, delivery)).toMatchObject({ proof: 'acknowledged' });
  expect(proofIn(before.slice(0, 1), delivery)).toBeUndefined();
  expect(proofIn(before.slice(0, 1), { ...delivery, wasGiven: true })).toMatchObject({ proof: 'acknowledged' });
});

test('what a sub-agent got or wrote is not the agent’s', () => {
  const texts = [text('given', 'fw_a1', { isSubagent: true }), text('answer', 'ACK 7QX4', { isSubagent: true })];
  expect(proofIn(texts, { id: 'fw_a1', replyCode: '7QX4' })).toBeUndefined();
});

function delivery(part: Partial<DeliveryRecord> & { readonly id: string }): DeliveryRecord {
  const usual = {
    moment: 'prompt',
    priority: 'normal',
    text: 'read this',
    ladder: ['typed'],
    required: 'served',
  } as const;
  const record = acceptedDelivery({ ...usual, id: part.id }, 's1', 0);
  return { ...record, placedOn: ['typed'], proof: 'submitted', ...part } as DeliveryRecord;
}

test('a transcript proves only what was placed and is not proved as well already', () => {
  const texts = ['fw_a1', 'fw_b2', 'fw_c3', 'fw_d4'].map((id) => text('given', id));
  const records = [
    delivery({ id: 'fw_a1' }),
    delivery({ id: 'fw_b2', placedOn: [] }),
    delivery({ id: 'fw_c3', proof: 'served' }),
    delivery({ id: 'fw_d4', proof: 'acknowledged' }),
  ];
  const given = { before: {}, ackPatterns: [], match };
  const first = searchProofs(records, texts, given);
  expect(first.proofs).toEqual([]);
  const before = first.conversations;
  expect(searchProofs(records, [text('reply', '')], { ...given, before }).proofs).toEqual([
    { id: 'fw_a1', proof: 'served', evidence: 'given:5, answered in reply:0' },
  ]);
});

test('a fault is the reason of what was given before it, until a model answers', () => {
  const records = [delivery({ id: 'fw_a1' }), delivery({ id: 'fw_b2' }), delivery({ id: 'fw_c3', proof: 'served' })];
  const given = { before: {}, ackPatterns: [], match };
  const texts = [text('given', 'fw_a1 fw_c3'), text('fault', 'no way', { status: 401 }), text('given', 'fw_b2')];
  const first = searchProofs(records, texts, given);
  expect(first).toMatchObject({ proofs: [], faults: [{ id: 'fw_a1', reason: 'refused: 401' }] });
  const later = searchProofs(records, [text('reply', '')], { ...given, before: first.conversations });
  expect(later.proofs.map(({ id, proof }) => [id, proof])).toEqual([
    ['fw_a1', 'served'],
    ['fw_b2', 'served'],
  ]);
  expect(later.faults).toEqual([]);
});

test('a screen proves a reply code, however it is wrapped and framed, and nothing else', () => {
  const records = [
    delivery({ id: 'fw_a1', code: '7QX4' }),
    delivery({ id: 'fw_b2' }),
    delivery({ id: 'fw_c3', code: 'K2M9' }),
  ];
  const found = { id: 'fw_a1', proof: 'acknowledged', evidence: 'the reply code is on the screen' };
  expect(acknowledgedOn('│ ACK: context\n│ received 7QX4 │', records)).toEqual([found]);
  expect(acknowledgedOn('fw_b2 fw_c3 K2M9', records)).toEqual([]);
});
