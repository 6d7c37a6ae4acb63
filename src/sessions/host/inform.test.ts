import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DeliveryRecord } from '../../kernel/delivery.ts';
import { temporaryFolder } from '../../testing/fake-session.ts';
import type { NewDelivery } from '../delivery/record.ts';
import { makeInformer } from './inform.ts';

function field(hasHooks: boolean) {
  const folder = temporaryFolder();
  const delivered: NewDelivery[] = [];
  const state = { isTaken: false };
  const session = {
    deliver: async (given: NewDelivery) => {
      delivered.push(given);
      return given as unknown as DeliveryRecord;
    },
    reword: async (id: string, text: string) => {
      const given = delivered.find((one) => one.id === id);
      if (state.isTaken || given === undefined) return undefined;
      delivered[delivered.indexOf(given)] = { ...given, text };
      return { ...given, text } as unknown as DeliveryRecord;
    },
  };
  const inform = makeInformer(session, { folder, hasHooks, required: 'served' });
  const written = () => JSON.parse(readFileSync(join(folder, 'meanwhile.json'), 'utf8'));
  return { inform, delivered, state, written };
}

test('what an agent should know comes with its next prompt, where our hooks run in it', async () => {
  const { inform, delivered, written } = field(true);
  await inform('codex did a');
  expect(delivered).toMatchObject([{ moment: 'switch', ladder: ['hook'], text: 'codex did a', required: 'served' }]);
  expect(written()).toEqual({ id: delivered[0]?.id, text: `[foreword ${delivered[0]?.id}] codex did a` });
});

test('what it was not given yet is replaced by what is newer, and what it has is not given again', async () => {
  const { inform, delivered, state, written } = field(true);
  await inform('codex did a');
  await inform('codex did a and b');
  expect(delivered.map(({ text }) => text)).toEqual(['codex did a and b']);
  expect(written().text).toContain('a and b');
  state.isTaken = true;
  await inform('codex did a and b');
  expect(delivered).toHaveLength(1);
  await inform('codex did a, b and c');
  expect(delivered.map(({ text }) => text)).toEqual(['codex did a and b', 'codex did a, b and c']);
  expect(written().id).toBe(delivered[1]?.id);
});

test('an agent without our hooks is typed to', async () => {
  const { inform, delivered } = field(false);
  await inform('codex did a');
  expect(delivered).toMatchObject([{ ladder: ['typed'], text: 'codex did a' }]);
});
