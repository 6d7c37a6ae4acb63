import { expect, test } from 'vitest';
import type { Interactive } from '../kernel/agent.ts';
import type { SessionStartup } from './prepared.ts';
import { deliverStartup, startupDelivery, typedLine } from './startup.ts';

const AGENT: Interactive = {
  command: ['agent'],
  screens: [],
  composer: { line: '^> (.*)$' },
  submit: { key: 'enter', delayMs: 0 },
  proofs: ['served'],
  ladder: ['hook', 'typed'],
  launch: { prompt: ['{text}'], hook: { firesAt: 'first-prompt' } },
};
const STARTUP: SessionStartup = {
  id: 'fw_1',
  text: 'read this',
  code: '7QX4',
  ladder: ['hook', 'typed'],
  launched: 'hook',
  required: 'served',
};

async function delivered(startup: SessionStartup | undefined): Promise<readonly unknown[]> {
  const calls: unknown[] = [];
  const session = {
    deliver: async (given: unknown) => {
      calls.push(['deliver', given]);
      return undefined as never;
    },
    placed: async (...given: readonly unknown[]) => void calls.push(['placed', ...given]),
  };
  await deliverStartup(session, startup, AGENT);
  return calls;
}

test('a context that a launch hook will print knows when the hook should run', async () => {
  const { launched: _, ...rest } = STARTUP;
  const given = { ...rest, moment: 'session-start', priority: 'startup', hookFiresAt: 'first-prompt' };
  expect(await delivered(STARTUP)).toEqual([['deliver', given]]);
});

test('a context that the launch carried as the first prompt is placed at once', async () => {
  const calls = await delivered({ ...STARTUP, ladder: ['flag', 'typed'], launched: 'flag' });
  expect(calls).toMatchObject([
    ['deliver', { id: 'fw_1', ladder: ['flag', 'typed'] }],
    ['placed', 'fw_1', 'flag', { evidence: 'the launch carried it as the first prompt' }],
  ]);
});

test('a context that is typed waits for no hook', () => {
  expect(startupDelivery({ ...STARTUP, ladder: ['typed'], launched: undefined }, AGENT)).not.toHaveProperty(
    'hookFiresAt',
  );
});

test('a session without a context is given nothing', async () => {
  expect(await delivered(undefined)).toEqual([]);
});

test('a line of ours is only ever typed', () => {
  expect(typedLine('fw_2', 'look', 'served')).toEqual({
    id: 'fw_2',
    moment: 'session-start',
    priority: 'normal',
    text: 'look',
    ladder: ['typed'],
    required: 'served',
  });
});
