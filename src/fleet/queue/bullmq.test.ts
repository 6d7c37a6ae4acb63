import { expect, test, vi } from 'vitest';

test('a machine without the package of the queue is asked for it by name', async () => {
  vi.doMock('bullmq', () => {
    throw new Error("Cannot find package 'bullmq'");
  });
  vi.resetModules();
  try {
    const { openBells } = await import('./bullmq.ts');
    const rules = { lockMs: 1_000, stalledMs: 1_000 };
    await expect(openBells({ connection: {}, fleet: 'f1', rules, concurrency: 1 })).rejects.toMatchObject({
      code: 'missing-program',
      message: expect.stringContaining('the package bullmq (6.7 or newer)'),
      hint: expect.stringContaining('npm install --global bullmq@6 ioredis@6'),
    });
  } finally {
    vi.doUnmock('bullmq');
    vi.resetModules();
  }
});
