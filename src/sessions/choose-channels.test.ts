import { expect, test } from 'vitest';
import type { Interactive } from '../kernel/agent.ts';
import type { LaunchSituation } from './channels/channel.ts';
import { chooseChannels } from './choose-channels.ts';

const AGENT: Interactive = {
  command: ['mine'],
  screens: [],
  composer: { line: '^> ?(.*)$' },
  submit: { key: 'enter', delayMs: 100 },
  proofs: ['queued', 'placed', 'submitted', 'served', 'acknowledged'],
  ladder: ['hook', 'flag', 'typed', 'file', 'notice'],
  launch: { prompt: ['{text}'] },
};
const SEATED: LaunchSituation = { isUnattended: false, hasHooks: true, needsReply: false };
const ways = (more: Partial<LaunchSituation>, agent = AGENT) => {
  const { ladder, launched, required } = chooseChannels(agent, { ...SEATED, ...more }) ?? { ladder: [] };
  return `${launched ?? 'plain'}: ${ladder.join(' ')} (${required})`;
};

test.each([
  ['the best way first where a person sits', {}, 'hook: hook typed file notice (served)'],
  ['no hook where nobody gives a first prompt', { isUnattended: true }, 'flag: flag typed file notice (served)'],
  [
    'a hook all the same when it is asked for',
    { isUnattended: true, first: 'hook' },
    'hook: hook typed file notice (served)',
  ],
  ['no hook where ours do not come in', { hasHooks: false }, 'flag: flag typed file notice (served)'],
  ['what is asked for and what follows it', { first: 'typed' }, 'plain: typed file notice (served)'],
  ['no hook where a reply is needed', { needsReply: true }, 'flag: flag typed file notice (acknowledged)'],
  ['nor where one is waited for', { wait: 'acknowledged' }, 'flag: flag typed file notice (acknowledged)'],
  ['no less than usual where less is waited for', { wait: 'placed' }, 'hook: hook typed file notice (served)'],
] as const)('takes %s', (_, more, expected) => {
  expect(ways(more)).toBe(expected);
});

test('an agent that shows less is asked for less', () => {
  expect(ways({}, { ...AGENT, proofs: ['queued', 'placed', 'submitted'], launch: {} })).toBe(
    'hook: hook typed file notice (submitted)',
  );
});

test('a channel that shows less is asked for less, unless somebody waits for more', () => {
  const agent: Interactive = { ...AGENT, proofsOn: { hook: ['queued', 'placed', 'submitted'] } };
  expect(chooseChannels(agent, SEATED)).toMatchObject({ required: 'served', requiredOn: { hook: 'submitted' } });
  expect(chooseChannels(agent, { ...SEATED, wait: 'served' })).not.toHaveProperty('requiredOn');
  expect(chooseChannels(agent, { ...SEATED, wait: 'served' })).toMatchObject({ required: 'served' });
  expect(chooseChannels(AGENT, SEATED)).not.toHaveProperty('requiredOn');
});

test('there is no channel that the agent does not have', () => {
  expect(chooseChannels({ ...AGENT, ladder: ['typed'] }, { ...SEATED, first: 'hook' })).toBeUndefined();
});
