import { expect, test } from 'vitest';
import { attemptEvents } from './attempt-records.ts';

const BY = { agent: 'codex', attempt: 'a#1' };
const lines = (...records: readonly object[]) => records.map((record) => `\n${JSON.stringify(record)}\n`).join('');

test('records of hooks become events of the attempt and the agent, whatever they name', () => {
  const gate = {
    kind: 'gate-spoken',
    id: 'evt_1',
    at: 'x',
    session: 's1',
    agent: 'claude',
    context: 'fw_1',
    mode: 'directive',
  };
  const read = {
    kind: 'context-files-read',
    session: 's1',
    read: [{ path: 'a.md', isBeforeOther: true }, 7],
    unread: 'b',
  };
  const base = { agent: 'codex', session: 'a#1 s1', unverified: true };
  const counts = { chars: 3, durationMs: 0 };
  expect(attemptEvents(lines({ ...gate, chars: 3, files: ['x', 1], durationMs: -1 }, read), BY)).toEqual([
    {
      kind: 'gate-spoken',
      ...base,
      context: 'a#1 fw_1',
      mode: 'directive',
      ...counts,
      files: ['x', ''],
      cut: [],
      isSubagent: false,
    },
    { kind: 'context-files-read', ...base, read: [{ path: 'a.md', isBeforeOther: true }], unread: [], otherCalls: 0 },
  ]);
});

test('other kinds, lines that are no record and more than an attempt can have are left out', () => {
  expect(attemptEvents('[\nnull\n"x"\n{"kind":"context-served"}\n', BY)).toEqual([]);
  expect(attemptEvents(lines({ kind: 'task-finished', session: 's', task: 'a', status: 'completed' }), BY)).toEqual([]);
  const many = Array.from({ length: 500 }, () => ({
    kind: 'agent-session-ended',
    session: 's',
    reason: 'x'.repeat(999),
  }));
  const events = attemptEvents(lines(...many), BY);
  expect(events).toHaveLength(200);
  expect(JSON.stringify(events[0]).length).toBeLessThan(400);
});
