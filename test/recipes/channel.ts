import { newFile, type Recipe, replaceIn } from './recipe.ts';

export const channel: Recipe = {
  heading: 'Add a channel',
  changes: [
    newFile(
      'src/sessions/channels/letter.ts',
      `// Channel \`letter\`: the text lies in a letter beside the agent. Proof: \`placed\` when it lies there.

import { rests, withoutWaiting } from '../delivery/step.ts';
import type { ChannelRules } from './channel.ts';

export const letter = {
  placedBy: 'session',
  carriesText: true,
  worksLate: true,
  isServedAs: (role: string) => role === 'tool',
  evidence: { placed: (name: string) => \`the letter \${name} lies there\` },
  isUsable: () => true,
  whenQueued: (delivery) => ({ delivery: withoutWaiting(delivery), action: 'place' }),
  whenPlaced: (delivery) => rests(delivery),
} as const satisfies ChannelRules;
`,
    ),
    replaceIn('src/kernel/receipt.ts', [["'file', 'notice'] as const", "'file', 'letter', 'notice'] as const"]]),
    replaceIn('src/sessions/channels/index.ts', [
      [
        "import { notice } from './notice.ts';",
        "import { letter } from './letter.ts';\nimport { notice } from './notice.ts';",
      ],
      ['file, notice } as const', 'file, letter, notice } as const'],
    ]),
  ],
  test: {
    path: 'src/sessions/channels/letter.test.ts',
    text: `import { expect, test } from 'vitest';
import { AGENTS } from '../../agents/index.ts';
import { acceptedDelivery } from '../delivery/record.ts';
import { advance } from '../delivery/machine.ts';
import { CHANNELS } from './index.ts';

test('it is a channel, and on the ladder of every agent that has them all', () => {
  expect(Object.keys(CHANNELS)).toContain('letter');
  const having = AGENTS.filter(({ interactive }) => interactive?.ladder.includes('letter'));
  expect(having.map(({ name }) => name)).toEqual(expect.arrayContaining(['claude', 'codex', 'pi']));
});

test('a delivery that has come to it is placed by it', () => {
  const delivery = acceptedDelivery(
    {
      id: 'fw_abcd',
      moment: 'session-start',
      priority: 'startup',
      text: 'read this',
      ladder: ['letter', 'notice'],
      required: 'served',
    },
    's1',
    0,
  );
  const readiness = { state: 'ready', evidence: '> ', composer: { kind: 'empty' } } as const;
  const seen = { isOursShown: false, hasWorked: false, isIdShown: false, canType: true, hasHadTurn: false };
  const rules = {
    stableMs: 300,
    personMs: 3000,
    submitDelayMs: 100,
    readinessTimeoutMs: 30_000,
    retryBackoffs: [1000],
    fileFallbackAfterAttempts: 3,
    sendNotificationOnFailure: true,
  };
  const rest = { restInMs: 0, isMoving: false, hasBeenUsed: false, isQueued: false, isTall: false };
  const view = { now: 1000, readiness, stableMs: 1000, unknownMs: 0, ...seen, ...rest };
  expect(advance(delivery, { kind: 'looked', view }, rules).action).toBe('place');
});
`,
  },
  watchers: [
    'src/sessions/channels/index.test.ts',
    'src/config/schemas/agents.test.ts',
    'src/sessions/delivery',
    'src/sessions/choose-channels.test.ts',
    'src/reports',
  ],
  forgotten: { path: 'src/sessions/channels/index.ts', found: { types: 'src/sessions/channels/index.ts' } },
};
