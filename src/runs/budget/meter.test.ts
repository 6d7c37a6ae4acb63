import { expect, test } from 'vitest';
import type { Agent, OutputSpec } from '../../kernel/agent.ts';
import type { Usage } from '../../kernel/usage.ts';
import { type Metered, type MeterRequest, openMeter } from './meter.ts';

const ID = '01a1e6bb-2eb6-78e3-818f-9fae703a8c18';
const USAGE = { input: ['in'], output: ['out'], costUsd: ['cost'] } as const;
const OUTPUT: OutputSpec = {
  format: 'jsonl',
  session: { when: { session: '*' }, id: 'session' },
  usage: [
    { when: { type: 'part' }, is: 'part', id: 'id', ...USAGE },
    { when: { type: 'total' }, is: 'total', ...USAGE },
    { when: { type: 'session' }, is: 'session', ...USAGE },
  ],
  limits: [{ when: { type: 'limit' }, windows: 'w', used: 'used', full: 100 }],
  rules: [],
};

function agentWith(output: OutputSpec, more: Partial<Agent> = {}): Agent {
  const oneshot = { command: ['mine'] as const, prompt: 'stdin' as const, output, firstOutputS: 9 };
  return { name: 'mine', env: [], errors: [], oneshot, ...more };
}

async function metered(lines: readonly unknown[], more: Partial<MeterRequest> = {}): Promise<Metered> {
  const meter = openMeter({ agent: agentWith(OUTPUT), cwd: '/work', variables: {}, startedAt: 0, ...more });
  for (const line of lines) meter.onLine?.(typeof line === 'string' ? line : JSON.stringify(line), 'stdout');
  return meter.end({ stdout: { text: '', bytes: 0 } });
}

test('parts add up, and of parts with the same id the last one counts', async () => {
  const lines = [
    { type: 'part', id: 'a', in: 10, out: 1 },
    { type: 'part', id: 'a', in: 10, out: 5 },
    { type: 'part', in: 1, out: 1 },
  ];
  expect(await metered(lines)).toEqual({ usage: { input: 11, output: 6 } });
});

test('thousands of parts add up, the oldest ones too', async () => {
  const lines = Array.from({ length: 2000 }, (_, index) => ({ type: 'part', id: `p${index}`, in: 1, out: 2 }));
  expect(await metered(lines)).toEqual({ usage: { input: 2000, output: 4000 } });
});

test('a total of the run counts more than its parts', async () => {
  const lines = [
    { type: 'part', in: 10, out: 1 },
    { type: 'total', in: 25, out: 3, cost: 0.5 },
  ];
  expect(await metered(lines)).toEqual({ usage: { input: 25, output: 3, costUsd: 0.5, costBy: 'agent' } });
});

test('a resumed session that goes on counting does not count its earlier attempts twice', async () => {
  const lines = [{ session: ID }, { type: 'session', in: 100, out: 30, cost: 3 }];
  const before: Usage = { input: 60, output: 10, costUsd: 1, costBy: 'agent' };
  const usedBefore = (session: string) => (session === ID ? before : undefined);
  expect(await metered(lines, { usedBefore })).toEqual({
    session: ID,
    usage: { input: 40, output: 20, costUsd: 2, costBy: 'agent' },
  });
});

test('what has not the form of an id names no session, and no later line takes its place', async () => {
  const opened: string[] = [];
  const openLog: MeterRequest['openLog'] = (_agent, { sessionId }) => {
    opened.push(sessionId);
    return undefined;
  };
  expect(await metered([{ session: '../../../../etc/passwd' }, { session: ID }], { openLog })).toEqual({});
  expect(opened).toEqual([]);
});

test('lines that are not JSON, cut ones and hostile numbers leave what is known as it was', async () => {
  const lines = ['', 'words', '{"type":"part","in":5', '[1,2]', 'null', { type: 'part', in: 10, out: 1 }];
  const hostile = [
    { type: 'part', in: -5, out: 1e308 },
    { type: 'total', in: 'many', out: null },
  ];
  expect(await metered([...lines, ...hostile])).toEqual({ usage: { input: 10, output: 1 } });
});

test('an agent whose last line has no end, or whose output is one JSON value, is read at its end', async () => {
  const text = JSON.stringify({ type: 'total', in: 3, out: 4 });
  const request = { cwd: '/work', variables: {}, startedAt: 0 };
  const lines = openMeter({ agent: agentWith(OUTPUT), ...request });
  expect(await lines.end({ stdout: { text: `words\n${text}`, bytes: 0 } })).toEqual({ usage: { input: 3, output: 4 } });
  const whole = openMeter({ agent: agentWith({ ...OUTPUT, format: 'json' }), ...request });
  expect(await whole.end({ stdout: { text: `${text}\n`, bytes: 0 } })).toEqual({ usage: { input: 3, output: 4 } });
});

test('the transcript counts where the output has nothing, less what earlier attempts of the session used', async () => {
  const openLog: MeterRequest['openLog'] = (_agent, { sessionId }) => ({
    spec: OUTPUT,
    poll: async () => [],
    finish: async () =>
      sessionId === ID
        ? [
            { type: 'part', in: 50, out: 5 },
            { type: 'limit', w: { used: 97 } },
          ]
        : [],
  });
  const usedBefore = () => ({ input: 20, output: 1 });
  const price = { input: 1, output: 1 };
  const agent = agentWith(OUTPUT, { price });
  expect(await metered([{ session: ID }], { agent, openLog, usedBefore })).toEqual({
    session: ID,
    usage: { input: 30, output: 4, costUsd: 34 / 1e6, costBy: 'price' },
    announced: { percent: 97 },
  });
});

test('an agent that passes a cap is ended at that line', () => {
  const seen: unknown[] = [];
  const onUsage = (usage: Usage) => (usage.input ?? 0) > 15;
  const meter = openMeter({ agent: agentWith(OUTPUT), cwd: '/work', variables: {}, startedAt: 0, onUsage });
  for (let line = 0; line < 3; line += 1)
    seen.push(meter.onLine?.(JSON.stringify({ type: 'part', in: 10, out: 0 }), 'stdout'));
  expect(seen).toEqual([undefined, 'cap', 'cap']);
  expect(meter.onLine?.('{"type":"part","in":99,"out":0}', 'stderr')).toBeUndefined();
});
