import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../kernel/session.ts';
import { memoryStores } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { claimSession, isHostedSoon, type TakeOverParts } from './take-over.ts';

const RECORD: SessionRecord = {
  id: 's1',
  agent: 'mine',
  cwd: '/shop',
  pid: 10,
  startedAt: '2026-05-01T10:00:00.000Z',
  readiness: 'ready',
  paused: false,
};

/** A session whose host is dead, unless `states` and `listening` set something else by process id. */
async function field(more: Partial<SessionRecord> = {}) {
  const { sessions } = memoryStores();
  await sessions.put('s1', { ...RECORD, ...more }, 0);
  const clock = manualClock();
  const states = new Map<number, 'alive' | 'gone' | 'perhaps'>();
  const listening = new Set<number>();
  const parts: TakeOverParts = {
    sessions,
    clock,
    isHosted: async ({ pid }) => listening.has(pid),
    hostState: ({ pid }) => states.get(pid) ?? 'gone',
  };
  /** Lets time pass until the promise is settled or so much has passed. */
  const pass = async (promise: Promise<unknown>, ms: number): Promise<boolean> => {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    promise.then(settled, settled);
    for (let passed = 0; passed < ms && !isSettled; passed += 50) await clock.advance(50);
    return isSettled;
  };
  return { parts, sessions, states, listening, clock, pass };
}

describe('taking a session over', () => {
  it('makes exactly one host of those who try at the same time', async () => {
    const { parts, states, listening, pass, sessions } = await field();
    const tries = [11, 12, 13, 14, 15].map(async (pid) => {
      states.set(pid, 'alive');
      const claim = await claimSession('s1', { pid, owner: `here boot ${pid} 1` }, parts);
      if (claim.kind === 'ours') listening.add(pid);
      return claim;
    });
    await pass(Promise.all(tries), 5000);
    const claims = await Promise.all(tries);
    expect(claims.map(({ kind }) => kind).sort()).toEqual(['hosted', 'hosted', 'hosted', 'hosted', 'ours']);
    const ours = claims.find(({ kind }) => kind === 'ours');
    expect(await sessions.get('s1')).toEqual(ours?.kind === 'ours' ? ours.before : undefined);
  });

  it('waits for a host that lives and does not listen yet, and never replaces it', async () => {
    const { parts, states, listening, pass, sessions } = await field();
    states.set(10, 'alive');
    const claim = claimSession('s1', { pid: 11 }, parts);
    expect(await pass(claim, 20_000)).toBe(false);
    listening.add(10);
    await pass(claim, 100);
    expect(await claim).toEqual({ kind: 'hosted' });
    expect((await sessions.get('s1'))?.value.pid).toBe(10);
  });

  it('follows when the host it waits for dies before it listens', async () => {
    const { parts, states, pass } = await field();
    states.set(10, 'alive');
    const claim = claimSession('s1', { pid: 11 }, parts);
    await pass(claim, 1000);
    states.set(10, 'gone');
    await pass(claim, 100);
    expect(await claim).toMatchObject({ kind: 'ours', before: { version: 2, value: { pid: 11 } } });
  });

  it('names the process to end when a host lives and never listens', async () => {
    const { parts, states, pass, sessions } = await field();
    states.set(10, 'alive');
    const asked = isHostedSoon('s1', parts);
    const settled = expect(asked).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('kill 10') });
    expect(await pass(asked, 60_000)).toBe(true);
    await settled;
    expect((await sessions.get('s1'))?.version).toBe(1);
  });

  it('gives a mere number two seconds: another process may have it by now', async () => {
    const { parts, states, pass } = await field();
    states.set(10, 'perhaps');
    const claim = claimSession('s1', { pid: 11 }, parts);
    expect(await pass(claim, 1900)).toBe(false);
    expect(await pass(claim, 300)).toBe(true);
    expect(await claim).toMatchObject({ kind: 'ours' });
  });

  it('is refused when the session has ended', async () => {
    const { parts } = await field({ endedAt: '2026-05-01T11:00:00.000Z' });
    await expect(claimSession('s1', { pid: 11 }, parts)).rejects.toMatchObject({ code: 'session-gone' });
    await expect(isHostedSoon('s2', parts)).rejects.toMatchObject({ code: 'session-gone' });
  });
});
