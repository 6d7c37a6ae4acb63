import { expect, test } from 'vitest';
import type { XrayOwner, XrayRecording, XrayRequest } from './recording.ts';
import { resultOf } from './result.ts';
import { xrayTables } from './text.ts';

const OWN = 'You are an agent. Work with care, and ask when something is not clear to you.';
const PROMPT = 'Good morning. Run echo one, please.';
const RULES = 'The rules of this project are short and plain, and they hold for everyone.';
const clock = (time: string) => `It is now ${time} by the clock of this machine.`;
const shop = (left: number) => ({ name: 'mcp__shop__buy', description: `${left} things are left in the shop.` });

type Message = readonly [role: string, text: string];

function request(
  moment: XrayRequest['moment'],
  messages: readonly Message[],
  { tools = [], protocol = 'anthropic' }: { tools?: readonly object[]; protocol?: 'anthropic' | 'chat' } = {},
): XrayRequest {
  const said = messages.map(([role, content]) => ({ role, content }));
  const body =
    protocol === 'chat'
      ? { model: 'm', tools, messages: [{ role: 'system', content: OWN }, ...said] }
      : { model: 'm', tools, system: OWN, messages: said };
  return { moment, at: 1000, protocol, isMain: true, body };
}

function measured(requests: readonly XrayRequest[]) {
  const owner = (kind: XrayOwner['kind'], name: string): XrayOwner => ({ kind, name });
  const times = ['10:00:01', '10:04:59', '11:22:33'];
  const recording: XrayRecording = {
    agent: 'agent',
    version: '1.0',
    requests,
    baseline: [request('first prompt', [['user', PROMPT]], { protocol: requests[0]?.protocol as 'chat' })],
    hooks: [{ id: 'h', event: 'Start', command: 'clock', owner: owner('hook', 'clock'), file: 'f' }],
    runs: times.map((time) => ({ hook: 'h', at: 1, ms: 5, exitCode: 0, stdout: clock(time), stderr: '' })),
    servers: [{ name: 'shop', command: 'shop', owner: owner('server', 'shop'), file: 'f' }],
    serverRuns: [],
    texts: [{ owner: owner('instructions', 'RULES.md'), text: RULES }],
    said: [PROMPT],
    toolName: 'mcp__{server}__{tool}',
  };
  const result = resultOf(recording, []);
  const kept = Object.fromEntries(
    result.cache.withoutEach.map((one) => [`${one.to} without ${one.owner.name}`, [one.kept, one.of]]),
  );
  return { result, kept };
}

const FIRST: readonly Message[] = [
  ['user', clock('10:00:01')],
  ['user', RULES],
  ['user', PROMPT],
];
const AGAIN: readonly Message[] = [
  ['user', clock('10:04:59')],
  ['user', RULES],
  ['user', PROMPT],
];

test('without the hook that prints the time a new session keeps everything, without the rules as little as with them', () => {
  const { result, kept } = measured([request('first prompt', FIRST), request('new session', AGAIN)]);
  expect(result.cache.steps[0]).toMatchObject({ kept: OWN.length });
  const all = OWN.length + RULES.length + PROMPT.length;
  expect(kept).toEqual({
    'new session without clock': [all, all],
    'new session without RULES.md': [OWN.length, OWN.length + clock('10:00:01').length + PROMPT.length],
  });
});

test('the table names only who would make a difference, and how much', () => {
  const { result } = measured([request('first prompt', FIRST), request('new session', AGAIN)]);
  const table = xrayTables(result).find(({ title }) => title.includes('left out'));
  const more = Math.ceil((RULES.length + PROMPT.length) / 4);
  expect(table?.rows).toEqual([['the hook "clock"', 'first prompt', 'new session', more, '100 %']]);
  const calm = measured([request('first prompt', FIRST), request('second prompt', [...FIRST, ['user', 'More.']])]);
  expect(xrayTables(calm.result).some(({ title }) => title.includes('left out'))).toBe(false);
});

test('with two that break the cache, each alone brings it up to the other', () => {
  const { kept, result } = measured([
    request('first prompt', FIRST, { tools: [shop(2)] }),
    request('new session', AGAIN, { tools: [shop(1)] }),
  ]);
  expect(kept['new session without shop']?.[0]).toBe(OWN.length);
  expect(kept['new session without clock']?.[0]).toBe(0);
  expect(result.cache.withoutEach.map(({ owner, gained }) => [owner.name, gained])).toEqual([
    ['shop', OWN.length],
    ['clock', 0],
    ['RULES.md', 0],
  ]);
});

test('where the service compares character by character, so does the rest', () => {
  const chat = { protocol: 'chat' as const };
  const { kept } = measured([
    request('first prompt', [['user', `${RULES}\n${clock('10:00:01')}`], ...FIRST.slice(2)], chat),
    request('new session', [['user', `${RULES}\n${clock('10:04:59')}`], ...FIRST.slice(2)], chat),
  ]);
  expect(kept['new session without clock']?.[0]).toBe(kept['new session without clock']?.[1]);
  expect(kept['new session without RULES.md']?.[0]).toBe(OWN.length + '\nIt is now 10:0'.length);
});

test('a text that one request has and the next one lacks does not count against the rest', () => {
  const { kept } = measured([
    request('first prompt', [['user', `${PROMPT}\n\n${clock('10:00:01')}`]]),
    request('second prompt', [
      ['user', PROMPT],
      ['user', 'And more of it.'],
    ]),
  ]);
  expect(kept['second prompt without clock']).toEqual([OWN.length + PROMPT.length, OWN.length + PROMPT.length]);
});

test('another model has nothing of it, whoever is left out', () => {
  const other = request('new session', FIRST);
  const { kept } = measured([
    request('first prompt', FIRST),
    { ...other, body: { ...(other.body as object), model: 'n' } },
  ]);
  expect(kept['new session without clock']?.[0]).toBe(0);
});
