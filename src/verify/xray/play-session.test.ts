import { expect, test } from 'vitest';
import { type AgentDriver, AgentNotReady } from '../agent-driver.ts';
import type { Model } from '../model/server.ts';
import { playSession } from './play-session.ts';

test('an agent that never becomes ready is ended, so that xray ends too', async () => {
  const done: string[] = [];
  const driver = {
    untilReady: () => Promise.reject(new AgentNotReady('showed nothing')),
    end: () => Promise.resolve(void done.push('ended')),
  } as unknown as AgentDriver;
  const model = { standing: () => undefined, requests: () => [] } as unknown as Model;
  const playing = playSession({
    model,
    recipe: { commandCall: (command) => ({ tool: 'bash', input: { command } }) },
    clock: { now: () => 0, wait: () => Promise.resolve() },
    open: () => Promise.resolve(driver),
    playing: () => undefined,
  });
  await expect(playing).rejects.toThrow('showed nothing');
  expect(done).toEqual(['ended']);
});
