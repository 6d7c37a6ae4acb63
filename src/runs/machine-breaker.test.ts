import { expect, test } from 'vitest';
import type { NewEvent } from '../kernel/events.ts';
import { memoryStores } from '../stores/memory.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { availability, DEFAULT_BREAKER_RULES, isSetup } from './breaker.ts';
import { readBreakers, reportToBreaker } from './breakers.ts';

function machines() {
  const [stores, clock] = [memoryStores(), manualClock()];
  const events: NewEvent[] = [];
  const on = (machine: string | undefined) => {
    const ports = { stores, clock, machine, emit: async (event: NewEvent) => void events.push(event) };
    return {
      report: (event: Parameters<typeof reportToBreaker>[2]['event']) =>
        reportToBreaker(ports, DEFAULT_BREAKER_RULES, { agent: 'codex', event }),
      sees: async () => availability((await readBreakers(ports)).get('codex'), clock.now()),
    };
  };
  return { on, clock, events, stores };
}

test('an agent that is not signed in on one machine works on the others', async () => {
  const { on, events } = machines();
  const [one, two] = [on('one'), on('two')];
  await one.report({ kind: 'failed', class: 'auth' });
  expect(await one.sees()).toMatchObject({ kind: 'no', reason: 'auth' });
  expect(await two.sees()).toEqual({ kind: 'yes' });
  expect(events).toMatchObject([{ kind: 'breaker-opened', agent: 'codex on one', reason: 'auth' }]);
});

test('a limit is known on all machines', async () => {
  const { on } = machines();
  await on('one').report({ kind: 'failed', class: 'quota' });
  expect(await on('two').sees()).toMatchObject({ kind: 'no', reason: 'quota' });
});

test('a machine tries its own again when it is due, and a success there ends it', async () => {
  const { on, clock } = machines();
  const one = on('one');
  await one.report({ kind: 'failed', class: 'auth' });
  await clock.advance(DEFAULT_BREAKER_RULES.authMs);
  expect(await one.sees()).toEqual({ kind: 'trial' });
  const trial = { kind: 'trial-begun', owner: 'me', leaseUntil: clock.now() + 60_000 } as const;
  expect(await one.report(trial)).toMatchObject({ state: 'trial', owner: 'me' });
  expect(await on('two').sees()).toEqual({ kind: 'yes' });
  await one.report({ kind: 'succeeded' });
  expect(await one.sees()).toEqual({ kind: 'yes' });
});

test('where both are out, the limit counts until it is over, then the sign-in', async () => {
  const { on, clock } = machines();
  const one = on('one');
  await one.report({ kind: 'failed', class: 'auth' });
  await on('two').report({ kind: 'failed', class: 'quota', resetAt: clock.now() + 60_000 });
  expect(await one.sees()).toMatchObject({ reason: 'quota' });
  await clock.advance(60_000);
  const seen = await one.sees();
  expect(seen.kind === 'no' && isSetup(seen.reason)).toBe(true);
  expect(await on('two').sees()).toEqual({ kind: 'trial' });
});

test('on a store of one machine there is one record', async () => {
  const { on, stores } = machines();
  await on(undefined).report({ kind: 'failed', class: 'auth' });
  expect((await stores.breakers.list()).map(({ id }) => id)).toEqual(['codex']);
});
