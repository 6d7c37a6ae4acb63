// What real agents used, as the model counted it: the sum in the record of an attempt is the sum that the model named, side requests
// and thoughts included. The model names other numbers with every request.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AGENTS as KNOWN } from '../../src/agents/index.ts';
import { TRANSCRIPTS } from '../../src/agents/transcripts.ts';
import type { AttemptRecord } from '../../src/kernel/attempt.ts';
import type { ModelTokens, RecordedRequest } from '../../src/verify/model/record.ts';
import { newestTurn } from '../../src/verify/model/turn.ts';
import { AGENTS, calling, RealField } from './field.ts';
import { eachAgent } from './offered.ts';

const PRICE = { input: 1.25, cached: 0.125, output: 10 };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent(
  '%s: the usage of an attempt is what the model counted, also when it goes on in the session before',
  async (name) => {
    const { of, run, attempts } = await make(name, ['a']);
    of.model.announce(({ number }) => ({ tokens: tokensOf(number) }));
    const words = ['wrong', 'done'];
    of.model.standing({
      kind: 'reply',
      reply: (request) => {
        if (newestTurn(request.texts).hasToolResult) return { kind: 'text', text: 'Done.' };
        return calling(of.recipe.commandCall(`printf ${words.shift() ?? 'done'} > done-a.txt`));
      },
    });
    const ran = await run();
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    const made = await attempts('a');
    const [first, second] = made;
    expect(made.map(({ status }) => status)).toEqual(['failed', 'completed']);
    const isEarly = ({ at }: RecordedRequest) => at <= Date.parse(first?.timestamp ?? '');
    const requests = of.model.requests();
    expect(first?.usage).toMatchObject(sumOf(requests.filter(isEarly)));
    const later = sumOf(requests.filter((request) => !isEarly(request)));
    expect(second?.usage).toMatchObject(later);
    expect(later.input).toBeGreaterThan(0);
    if (second?.usage?.costBy === 'agent') expect(second.usage.costUsd).toBeGreaterThan(0);
    else expect(second?.usage?.costUsd).toBeCloseTo(priced(later), 12);
    const { runs } = JSON.parse((await of.must('status', '--json')).stdout);
    const { input, output } = sumOf(requests);
    expect(runs[0].usage).toMatchObject({ input, output, withoutTokens: 0, withoutCost: 0 });
  },
);

eachAgent('%s is ended while it works when it passes the cap, and its work is kept', async (name) => {
  const { of, run, attempts } = await make(name, ['a']);
  of.model.announce(() => ({ tokens: { input: 10_000, cached: 4000, output: 100 } }));
  // Without an end: only the cap ends it.
  let count = 0;
  of.model.standing({
    kind: 'reply',
    reply: () => {
      count += 1;
      return calling(of.recipe.commandCall(`echo ${count} >> half.txt; sleep 0.6`));
    },
  });
  const ran = await run('--max-tokens', '25000');
  expect(ran.status, ran.stdout + ran.stderr).toBe(1);
  expect(ran.stdout).toContain('--max-tokens 25,000 is reached');
  const [attempt, ...others] = await attempts('a');
  expect(others).toEqual([]);
  expect(attempt).toMatchObject({ exitReason: 'interrupted', exitClass: 'cap', files_created: ['half.txt'] });
  expect(sumOf(of.model.requests()).input).toBeLessThanOrEqual(100_000);
  const { breakers } = JSON.parse((await of.must('status', '--json')).stdout);
  expect(breakers).toEqual([]);
});

/** Those that announce how much of their allowance is used up. */
const ANNOUNCING = AGENTS.filter((name) => {
  const output = KNOWN.find((agent) => agent.name === name)?.oneshot?.output;
  return (output?.format !== 'text' && output?.limits !== undefined) || TRANSCRIPTS[name]?.limits !== undefined;
});

for (const name of ANNOUNCING)
  test(`${name} announces that its allowance is nearly used up, and gets no more work until it resets`, async () => {
    const { of, run } = await make(name, ['a']);
    // The limits are those of a subscription.
    const { env } = of.scratch as { env: Record<string, string> };
    if (env.ANTHROPIC_API_KEY !== undefined) env.CLAUDE_CODE_OAUTH_TOKEN = 'sk-ant-oat01-dummy-0123456789';
    delete env.ANTHROPIC_API_KEY;
    const resetAt = Math.floor(Date.now() / 1000) + 5400;
    of.model.announce(() => ({ headers: limitHeaders(resetAt) }));
    of.model.standing({
      kind: 'reply',
      reply: (request) => {
        const done = newestTurn(request.texts).hasToolResult;
        return done ? { kind: 'text', text: 'Done.' } : calling(of.recipe.commandCall('printf done > done-a.txt'));
      },
    });
    const ran = await run();
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    const { breakers } = JSON.parse((await of.must('status', '--json')).stdout);
    expect(breakers).toMatchObject([
      {
        agent: name,
        state: 'open',
        reason: expect.stringMatching(/^usage at 96 %, resets \d\d:\d\d$/),
        until: new Date(resetAt * 1000).toISOString(),
      },
    ]);
  });

async function make(name: string, tasks: readonly string[]) {
  const of = await RealField.make(name);
  field = of;
  const config = join(of.scratch.home, 'config.json');
  // The key of our model is one more variable for Codex.
  const agents = { [name]: { price: PRICE, ...(name === 'codex' ? { env: ['STUB_KEY'] } : {}) } };
  writeFileSync(config, JSON.stringify({ agents }));
  const described = tasks.map((id) => ({
    task_id: id,
    intent: `Make ${id}`,
    instructions: `Write done-${id}.txt`,
    acceptance_criteria: [
      { text: 'it is there', check: { file_contains: { path: `done-${id}.txt`, pattern: 'done' } } },
    ],
  }));
  writeFileSync(join(of.scratch.project, '.foreword/tasks.json'), JSON.stringify({ tasks: described }));
  const run = (...more: string[]) =>
    of.foreword('run', '.foreword/tasks.json', '--agents', name, '--config', config, ...more);
  const attempts = async (task: string): Promise<readonly AttemptRecord[]> =>
    JSON.parse((await of.must('history', task, '--json')).stdout).attempts;
  return { of, run, attempts };
}

function tokensOf(number: number): ModelTokens {
  return { input: 1000 * number + 7, cached: 300 + number, output: 50 + number, thoughts: 20 };
}

function sumOf(requests: readonly RecordedRequest[]): ModelTokens {
  const all = requests.flatMap(({ tokens }) => tokens ?? []);
  const sum = (part: 'input' | 'cached' | 'output') => all.reduce((total, tokens) => total + tokens[part], 0);
  return { input: sum('input'), cached: sum('cached'), output: sum('output') };
}

function priced({ input, cached, output }: ModelTokens): number {
  return ((input - cached) * PRICE.input + cached * PRICE.cached + output * PRICE.output) / 1e6;
}

/** As the services send them: Anthropic's for a subscription, OpenAI's for a plan. */
function limitHeaders(resetAt: number): Record<string, string> {
  const week = resetAt + 86_400;
  return {
    'anthropic-ratelimit-unified-status': 'allowed_warning',
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-reset': `${resetAt}`,
    'anthropic-ratelimit-unified-5h-status': 'allowed_warning',
    'anthropic-ratelimit-unified-5h-utilization': '0.96',
    'anthropic-ratelimit-unified-5h-surpassed-threshold': '0.9',
    'anthropic-ratelimit-unified-5h-reset': `${resetAt}`,
    'anthropic-ratelimit-unified-7d-status': 'allowed',
    'anthropic-ratelimit-unified-7d-utilization': '0.40',
    'anthropic-ratelimit-unified-7d-reset': `${week}`,
    'x-codex-primary-used-percent': '96.5',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': `${resetAt}`,
    'x-codex-secondary-used-percent': '40',
    'x-codex-secondary-window-minutes': '10080',
    'x-codex-secondary-reset-at': `${week}`,
  };
}
