import { expect, test } from 'vitest';
import { EMPTY, readContinuity } from '../context/continuity.ts';
import type { Continuity } from '../kernel/continuity.ts';
import { runCommand } from './run-command.ts';

function parts() {
  const typed: string[] = [];
  const saved: Continuity[] = [];
  const given = {
    startupText: async () => 'where it was',
    typeText: async (text: string) => typed.push(text),
    readContinuity,
    newId: (prefix: string) => `${prefix}_1`,
    now: () => Date.UTC(2026, 0, 1, 12),
    saveContinuity: async (record: Continuity) => void saved.push(record),
  };
  return { typed, saved, given };
}

test('load types the startup context', async () => {
  const { typed, saved, given } = parts();
  await runCommand({ kind: 'load' }, given);
  expect({ typed, saved }).toEqual({ typed: ['where it was'], saved: [] });
});

test.each(['save', 'handoff'] as const)('%s leaves word for the next session', async (kind) => {
  const { typed, saved, given } = parts();
  await runCommand({ kind, content: 'half way' }, given);
  const record = { id: 'con_1', savedAt: '2026-01-01T12:00:00.000Z', by: 'agent', summary: 'half way' };
  expect({ typed, saved }).toEqual({ typed: [], saved: [{ ...EMPTY, ...record }] });
});

test('what cannot be read is refused with its place, and nothing is saved', async () => {
  const { saved, given } = parts();
  const work = runCommand({ kind: 'save', content: '{"no_such_field": 1}' }, given);
  await expect(work).rejects.toMatchObject({ code: 'bad-input', faults: [{ where: '->continuity:save' }] });
  expect(saved).toEqual([]);
});
