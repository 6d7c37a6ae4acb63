import { expect, test } from 'vitest';
import { newDeliveryId, newId } from './ids.ts';

test('an id is its prefix and 64 random bits', () => {
  const ids = Array.from({ length: 1000 }, () => newId('evt'));
  expect(ids.filter((id) => !/^evt_[0-9a-f]{16}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(1000);
});

test('the id of a delivery is one that hosts and transcripts accept', () => {
  expect(newDeliveryId()).toMatch(/^fw_[a-z0-9]{4,40}$/);
});
