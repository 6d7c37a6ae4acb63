// The oracle itself: a claim without an answered turn that held the text is untrue.

import { expect, test } from 'vitest';
import type { RecordedRequest } from '../../src/verify/model/record.ts';
import { type Listed, untrueIn } from './oracle.ts';

const receipt = (proof: Listed['proof'], outcome: string): Listed => ({
  id: 'fw_a1',
  moment: 'prompt',
  channel: 'typed',
  proof,
  outcome,
});
const request = (text: string, more: Partial<RecordedRequest> = {}): RecordedRequest => ({
  number: 1,
  at: 0,
  method: 'POST',
  path: '/',
  protocol: 'chat',
  isMain: true,
  texts: [{ role: 'user', text }],
  tools: [],
  status: 200,
  ...more,
});

test.each([
  ['served', receipt('served', 'open')],
  ['acknowledged', receipt('acknowledged', 'delivered')],
  ['delivered with less', receipt('submitted', 'delivered')],
])('%s is true after an answered turn that held it, and after nothing else', (_, claim) => {
  expect(untrueIn([claim], [request('[fw_a1] Go on.')])).toEqual([]);
  for (const others of [
    [],
    [request('[fw_a1] Go on.', { status: 500 })],
    [request('[fw_a1] Go on.', { isMain: false })],
    [request('Go on.')],
    [request('', { texts: [{ role: 'assistant', text: 'fw_a1' }] })],
  ])
    expect(untrueIn([claim], others)).toEqual([claim]);
});

test('what claims nothing is never untrue', () => {
  expect(untrueIn([receipt('submitted', 'open'), receipt('placed', 'uncertain')], [])).toEqual([]);
});
