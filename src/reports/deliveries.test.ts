import { expect, test } from 'vitest';
import type { ForewordEvent, NewEvent } from '../kernel/events.ts';
import type { Receipt } from '../kernel/receipt.ts';
import { listDeliveries, type OpenDelivery } from './deliveries.ts';

const NOW = Date.parse('2026-11-17T12:00:00Z');
const at = (second: number) => new Date(NOW + second * 1000).toISOString();
let count = 0;
const event = (second: number, given: NewEvent): ForewordEvent => ({ id: `evt_${++count}`, at: at(second), ...given });
const OF = { session: 'a1', agent: 'claude' };
const printed = (context: string, second = 0) =>
  event(second, { kind: 'context-printed', moment: 'session-start', context, chars: 9, durationMs: 1, ...OF });
const listed = (events: readonly ForewordEvent[]) =>
  listDeliveries({ receipts: [], open: [], events, now: NOW }).map(({ id, proof, outcome, reason }) =>
    [id, proof, outcome, reason ?? ''].join(' ').trim(),
  );

test('what a hook printed is listed from then on, and rises as the transcript shows it', () => {
  const events = [printed('fw_1')];
  expect(listed(events)).toEqual(['fw_1 placed open printed, looked for in the transcript when the turn ends']);
  events.push(event(1, { kind: 'context-submitted', context: 'fw_1', ...OF }));
  expect(listed(events)).toEqual(['fw_1 submitted open no answer of the model yet']);
  events.push(event(2, { kind: 'context-submitted', context: 'fw_1', reason: 'refused: 401', ...OF }));
  expect(listed(events)).toEqual(['fw_1 submitted open refused: 401']);
  events.push(event(3, { kind: 'context-served', context: 'fw_1', ...OF }));
  expect(listed(events)).toEqual(['fw_1 served delivered']);
  events.push(event(4, { kind: 'agent-session-ended', reason: 'quit', ...OF }));
  expect(listed(events)).toEqual(['fw_1 served delivered']);
});

test('a session that ended leaves what was not served uncertain, and a proof that comes late still counts', () => {
  const events = [printed('fw_1'), event(1, { kind: 'agent-session-ended', reason: 'quit', ...OF })];
  expect(listed(events)).toEqual(['fw_1 placed uncertain the session ended before the proof']);
  events.push(event(2, { kind: 'context-served', context: 'fw_1', ...OF }));
  expect(listed(events)).toEqual(['fw_1 served delivered']);
});

test('the first proof of its own session stays: neither a second hook nor a session that lists receipts changes it', () => {
  const events = [
    printed('fw_1'),
    event(1, { kind: 'context-served', context: 'fw_1', ...OF, session: 'b2' }),
    event(3, { kind: 'context-served', context: 'fw_1', ...OF }),
    event(3, { kind: 'context-served', context: 'fw_1', ...OF }),
    event(190, { kind: 'context-served', context: 'fw_1', ...OF, session: 'b2' }),
    event(191, { kind: 'context-submitted', context: 'fw_1', ...OF, session: 'b2' }),
  ];
  for (const [count, proof] of [
    [2, 'placed'],
    [3, 'served'],
    [6, 'served'],
  ] as const) {
    const [one] = listDeliveries({ receipts: [], open: [], events: events.slice(0, count), now: NOW });
    expect(one).toMatchObject({ session: 'a1', proof, durationMs: proof === 'served' ? 3000 : 0 });
  }
});

test('what our MCP server returned belongs to the session of its first proof', () => {
  const asked = { kind: 'context-asked', context: 'fw_1', tool: 'context', chars: 9, durationMs: 1, ...OF } as const;
  const events = [
    event(0, { ...asked, session: 'mcp_1' }),
    event(1, { kind: 'context-submitted', context: 'fw_1', ...OF }),
    event(2, { kind: 'context-served', context: 'fw_1', ...OF, session: 'b2' }),
    event(4, { kind: 'context-served', context: 'fw_1', ...OF }),
  ];
  const [one] = listDeliveries({ receipts: [], open: [], events, now: NOW });
  expect(one).toMatchObject({ session: 'a1', proof: 'served', durationMs: 4000 });
});

test('a gate is listed at the first tool, an id that nobody printed and what a run reports are not', () => {
  const gate = { mode: 'inline', chars: 9, files: [], cut: [], isSubagent: false, durationMs: 1 } as const;
  const events = [
    event(0, { kind: 'gate-spoken', context: 'fw_1', ...gate, ...OF }),
    event(1, { kind: 'context-served', context: 'fw_9', ...OF }),
    event(2, { kind: 'gate-spoken', context: 'task#1 fw_2', ...gate, ...OF, unverified: true }),
  ];
  const [only, ...others] = listDeliveries({ receipts: [], open: [], events, now: NOW });
  expect(only).toMatchObject({ id: 'fw_1', moment: 'first-tool', channel: 'hook' });
  expect(others).toEqual([]);
});

test('what follows a compaction and what a sub-agent gets are moments of their own', () => {
  const gate = { mode: 'inline', chars: 9, files: [], cut: [], isSubagent: true, durationMs: 1 } as const;
  const printed = { kind: 'context-printed', chars: 9, durationMs: 1, ...OF } as const;
  const events = [
    event(0, { ...printed, moment: 'compaction', context: 'fw_1' }),
    event(1, { kind: 'gate-spoken', context: 'fw_2', ...gate, ...OF }),
    event(2, { ...printed, moment: 'sub-agent', context: 'fw_3' }),
  ];
  const listed = listDeliveries({ receipts: [], open: [], events, now: NOW });
  expect(listed.map(({ moment }) => moment)).toEqual(['compaction', 'sub-agent', 'sub-agent']);
});

test('all ways in are one list, oldest first; of several receipts the last counts, and an ended delivery is not open', () => {
  const receipt = (id: string, second: number, more: Partial<Receipt> = {}): Receipt => ({
    id: `rcp_${second}`,
    delivery: id,
    session: 's1',
    moment: 'prompt',
    channel: 'typed',
    proof: 'submitted',
    outcome: 'uncertain',
    at: at(second),
    attempts: 1,
    durationMs: 5,
    ...more,
  });
  const open = (id: string, second: number): OpenDelivery => ({
    id,
    session: 's1',
    moment: 'session-start',
    proof: 'placed',
    attempts: 1,
    reason: 'first prompt',
    queuedAt: at(second),
  });
  const all = listDeliveries({
    receipts: [receipt('fw_2', 1), receipt('fw_2', 5, { proof: 'served', outcome: 'delivered' })],
    open: [open('fw_1', -10), open('fw_2', 0)],
    events: [printed('fw_3', 2)],
    now: NOW,
  });
  expect(all.map(({ id, outcome, durationMs }) => [id, outcome, durationMs])).toEqual([
    ['fw_1', 'open', 10_000],
    ['fw_3', 'open', 0],
    ['fw_2', 'delivered', 5],
  ]);
  expect(all.at(-1)?.receipt).toBe('rcp_5');
});
