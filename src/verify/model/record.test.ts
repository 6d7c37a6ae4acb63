import { expect, test } from 'vitest';
import { RequestLog } from './record.ts';

const REQUEST = { at: 0, method: 'POST', path: '/', protocol: 'chat', isMain: true, texts: [], tools: [] } as const;
const MEGABYTE = 1024 * 1024;

test('large bodies are dropped before there are too many of them, and the newest always stays', () => {
  const log = new RequestLog(100);
  for (let count = 0; count < 4; count++) log.add({ ...REQUEST }, 100 * MEGABYTE);
  expect(log.all().map(({ number }) => number)).toEqual([3, 4]);
  log.add({ ...REQUEST }, 1_000 * MEGABYTE);
  expect(log.all().map(({ number }) => number)).toEqual([5]);
  expect(log.dropped).toBe(4);
  log.clear();
  expect([log.all(), log.dropped, log.add({ ...REQUEST }, 0).number]).toEqual([[], 0, 1]);
});
