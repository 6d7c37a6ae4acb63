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
const SEATED: LaunchSituation = {
  isUnattended: false,
  own: 'nothing',
  isTrusted: false,
  takesHistory: false,
  takesMcp: false,
  hasHooks: true,
  needsReply: false,
};
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
  ['no flag beside a prompt of the person', { hasHooks: false, own: 'prompt' }, 'plain: typed file notice (served)'],
  ['no flag in an older session', { hasHooks: false, own: 'older-session' }, 'plain: typed file notice (served)'],
  ['no flag where it is unclear', { hasHooks: false, own: 'unclear' }, 'plain: typed file notice (served)'],
  [
    'nor where it is asked for all the same',
    { first: 'flag', hasHooks: false, own: 'prompt' },
    'plain: typed file notice (served)',
  ],
  [
    'a hook where the launch brings the first prompt',
    { isUnattended: true, own: 'prompt' },
    'hook: hook typed file notice (served)',
  ],
  [
    'no hook where nobody prompts in an older session',
    { isUnattended: true, own: 'older-session' },
    'plain: typed file notice (served)',
  ],
] as const)('takes %s', (_, more, expected) => {
  expect(ways(more)).toBe(expected);
});

test('no turn is spent on it where the launch can put it before the first prompt', () => {
  const told = (more: Partial<LaunchSituation>) => {
    const agent: Interactive = { ...AGENT, launch: { prompt: ['{text}'], promptNeedsTrust: { args: ['--trusted'] } } };
    const given = { ...SEATED, hasHooks: false, takesHistory: true, ...more };
    const { launched, awaitsPrompt = false } = chooseChannels(agent, given) ?? expect.fail();
    return `${launched ?? 'plain'} ${awaitsPrompt ? 'without' : 'with'} a turn`;
  };
  expect(told({})).toBe('flag without a turn');
  expect(told({ own: 'prompt' })).toBe('flag without a turn');
  expect(told({ own: 'prompt', isUnattended: true })).toBe('flag without a turn');
  expect(told({ isTrusted: true, isUnattended: true })).toBe('flag with a turn');
  expect(told({ isTrusted: true, needsReply: true })).toBe('flag with a turn');
  expect(told({ isTrusted: true, wait: 'acknowledged' })).toBe('flag with a turn');
  expect(told({ isUnattended: true })).toBe('plain with a turn');
  expect(told({ own: 'older-session' })).toBe('plain with a turn');
  expect(told({ own: 'unclear' })).toBe('plain with a turn');
  expect(told({ hasHooks: true })).toBe('hook with a turn');
});

test('no model is given a prompt of ours before a question about trust is answered', () => {
  const hasty: Interactive = { ...AGENT, launch: { prompt: ['{text}'], promptNeedsTrust: { args: ['--trusted'] } } };
  expect(ways({ hasHooks: false }, hasty)).toBe('plain: typed file notice (served)');
  expect(ways({ hasHooks: false, isUnattended: true }, hasty)).toBe('plain: typed file notice (served)');
  expect(ways({ hasHooks: false, isTrusted: true }, hasty)).toBe('flag: flag typed file notice (served)');
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

test('an agent without hooks begins with our server, where a person gives the first prompt and nothing is in its way', () => {
  const ladder = ['hook', 'mcp', 'flag', 'typed', 'file', 'notice'] as const;
  const asking: Interactive = { ...AGENT, ladder, launch: { prompt: ['{text}'], mcp: { args: ['{server}'] } } };
  const bare = { hasHooks: false, takesMcp: true };
  expect(ways(bare, asking)).toBe('mcp: mcp typed file notice (served)');
  expect(ways({ ...bare, takesMcp: false }, asking)).toBe('flag: flag typed file notice (served)');
  expect(ways({ ...bare, isUnattended: true }, asking)).toBe('flag: flag typed file notice (served)');
  expect(ways({ ...bare, needsReply: true }, asking)).toBe('flag: flag typed file notice (acknowledged)');
  const hooked: Interactive = { ...asking, launch: { ...asking.launch, hook: { firesAt: 'launch' } } };
  expect(ways(bare, hooked)).toBe('flag: flag typed file notice (served)');
  expect(ways({ ...bare, first: 'mcp' }, hooked)).toBe('mcp: mcp typed file notice (served)');
  expect(chooseChannels({ ...AGENT, ladder }, { ...SEATED, first: 'mcp' })).toBeUndefined();
});
