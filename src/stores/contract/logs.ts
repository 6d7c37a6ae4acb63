// The contract of an append-only log.

import assert from 'node:assert/strict';
import { continuity, contractCase, event, receipt } from './samples.ts';

export const logContract = [
  contractCase('an empty log reads as an empty list', async ({ journal }) => {
    assert.deepEqual(await journal.read(), []);
    assert.deepEqual(await journal.last(5), []);
  }),

  contractCase('a log numbers entries from 1 and gives them back oldest first', async ({ journal }) => {
    assert.equal(await journal.append(event('a')), 1);
    assert.equal(await journal.append(event('b')), 2);
    assert.deepEqual(await journal.read(), [
      { number: 1, value: event('a') },
      { number: 2, value: event('b') },
    ]);
  }),

  contractCase('an entry appended again is kept once, as it was, with the number it has', async ({ journal }) => {
    const first = await journal.append(event('a'));
    await journal.append(event('b'));
    assert.equal(await journal.append({ ...event('a'), at: 'later' }), first);
    assert.deepEqual(await journal.read(), [
      { number: 1, value: event('a') },
      { number: 2, value: event('b') },
    ]);
  }),

  contractCase('an entry appended again leaves no gap in the numbers', async ({ journal }) => {
    for (const id of ['a', 'a', 'b', 'a', 'b', 'c']) await journal.append(event(id));
    assert.deepEqual(
      (await journal.read()).map(({ number }) => number),
      [1, 2, 3],
    );
  }),

  contractCase('a log reads ranges: above a number, at most so many', async ({ journal }) => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await journal.append(event(id));
    const read = async (range: { after?: number; limit?: number }) =>
      (await journal.read(range)).map(({ number, value }) => `${number}${value.id}`).join(' ');
    assert.equal(await read({ after: 2 }), '3c 4d 5e');
    assert.equal(await read({ limit: 2 }), '1a 2b');
    assert.equal(await read({ after: 1, limit: 3 }), '2b 3c 4d');
    assert.equal(await read({ after: 4, limit: 10 }), '5e');
    assert.equal(await read({ after: 5 }), '');
    assert.equal(await read({ after: 99 }), '');
    assert.equal(await read({ limit: 0 }), '');
  }),

  contractCase('a log gives its newest entries, oldest first', async ({ journal }) => {
    for (const id of ['a', 'b', 'c']) await journal.append(event(id));
    const last = async (count: number) =>
      (await journal.last(count)).map(({ number, value }) => `${number}${value.id}`);
    assert.deepEqual(await last(2), ['2b', '3c']);
    assert.deepEqual(await last(3), ['1a', '2b', '3c']);
    assert.deepEqual(await last(9), ['1a', '2b', '3c']);
    assert.deepEqual(await last(0), []);
  }),

  contractCase('the three logs do not mix', async ({ journal, receipts, continuity: saved }) => {
    assert.equal(await journal.append(event('same')), 1);
    assert.equal(await receipts.append(receipt('same')), 1);
    assert.equal(await saved.append(continuity('same')), 1);
    assert.deepEqual(await journal.read(), [{ number: 1, value: event('same') }]);
    assert.deepEqual(await receipts.read(), [{ number: 1, value: receipt('same') }]);
    assert.deepEqual(await saved.read(), [{ number: 1, value: continuity('same') }]);
  }),

  contractCase('200 entries appended at once all get a number of their own', async ({ journal }) => {
    const ids = Array.from({ length: 200 }, (_, index) => `e${index}`);
    const numbers = await Promise.all(ids.map((id) => journal.append(event(id))));
    const stored = await journal.read();
    assert.deepEqual(
      stored.map(({ number }) => number),
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    for (const [index, id] of ids.entries()) assert.equal(stored[(numbers[index] ?? 0) - 1]?.value.id, id);
  }),

  contractCase('one entry appended 50 times at once is there once', async ({ journal }) => {
    const numbers = await Promise.all(Array.from({ length: 50 }, () => journal.append(event('a'))));
    assert.deepEqual([...new Set(numbers)], [1]);
    assert.equal((await journal.read()).length, 1);
  }),

  contractCase('a log longer than one batch reads whole', async ({ journal }) => {
    for (let from = 0; from < 2_500; from += 250) {
      await Promise.all(Array.from({ length: 250 }, (_, index) => journal.append(event(`e${from + index}`))));
    }
    const numbers = (await journal.read()).map(({ number }) => number);
    assert.equal(numbers.length, 2_500);
    assert.equal(numbers.at(-1), 2_500);
    assert.equal((await journal.read({ after: 100, limit: 1_500 })).at(-1)?.number, 1_600);
  }),
];
