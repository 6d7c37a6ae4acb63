// Arguments that a person gives an agent at its start: their prompt reaches the model once and as they wrote it, and the
// startup context comes by a way that does not take its place; so it does in an older session that they go on with.

import { afterEach, expect } from 'vitest';
import type { RecordedRequest } from '../../src/verify/model/record.ts';
import { newestTurn } from '../../src/verify/model/turn.ts';
import { figure, ownPrompt, RealField, textsWith, timesGiven, until } from './field.ts';
import { eachAgent } from './offered.ts';

const PROMPT = 'Fix the seventh door, please.';
const PATIENCE_MS = 60_000;

/** How a person goes on with the last session. */
const LAST: Readonly<Record<string, readonly string[]>> = {
  claude: ['--continue'],
  codex: ['resume', '--last'],
  copilot: ['--continue'],
  gemini: ['--resume', 'latest'],
  opencode: ['--continue'],
  pi: ['--continue'],
  qwen: ['--continue'],
};

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent(
  "%s: a prompt of the person's own is served once, the context by another way, and so when they go on",
  async (name) => {
    field = await RealField.make(name);
    const first = await started(field, ownPrompt(name, PROMPT));
    const asked = await field.model.waitFor(
      (request) => request.isMain && timesGiven(request, PROMPT) > 0,
      PATIENCE_MS,
    );
    expect(timesGiven(asked, PROMPT)).toBe(1);
    await contextIn(field, first);
    // One that is ready before it runs the prompt of its launch may be given the context first.
    const isWhole = (request: RecordedRequest) => timesGiven(request, PROMPT) === 1 && hasContextOnce(request);
    expect(await field.model.waitFor((request) => request.isMain && isWhole(request), PATIENCE_MS)).toBeDefined();
    // Theirs was not sent again, neither by the agent nor by us.
    const askedAgain = field.turns().filter(({ texts }) => newestTurn(texts).userTexts.join('\n').includes(PROMPT));
    expect(askedAgain).toHaveLength(1);
    await field.endSessions();

    const second = await started(field, LAST[name] ?? expect.fail(name));
    const again = await contextIn(field, second);
    // A conversation that is there already is theirs.
    expect(await channelOf(field, second)).not.toBe('flag');
    expect(timesGiven(again, PROMPT)).toBe(1);
  },
);

/** The session, its startup context submitted. */
async function started(of: RealField, own: readonly string[]): Promise<string> {
  const startedAt = Date.now();
  // A subcommand comes before all options.
  const args = [...own, ...of.scratch.terminalArgs];
  const ran = await of.foreword('start', of.recipe.agent, '--detach', '--wait', 'submitted', '--', ...args);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  figure(of.recipe.agent, 'own arguments, start to submitted', Date.now() - startedAt);
  return /\bs[0-9a-f]{8}\b/.exec(ran.stdout)?.[0] ?? expect.fail(ran.stdout);
}

/** The request that brought the context of the session. */
async function contextIn(of: RealField, session: string): Promise<RecordedRequest | undefined> {
  const receipt = () => receiptOf(of, session);
  const isProved = async () => ['submitted', 'served', 'acknowledged'].includes((await receipt())?.proof ?? '');
  expect(await until(isProved, PATIENCE_MS), JSON.stringify(await of.sessions())).toBe(true);
  const { id } = (await receipt()) ?? expect.fail();
  const given = await of.model.waitFor((request) => request.isMain && textsWith(request, id) > 0, PATIENCE_MS);
  expect(textsWith(given, id)).toBe(1);
  return given;
}

async function channelOf(of: RealField, session: string): Promise<string | undefined> {
  return (await receiptOf(of, session))?.channel;
}

async function receiptOf(of: RealField, session: string): Promise<ShownReceipt | undefined> {
  return JSON.parse((await of.must('receipts', '--json')).stdout).receipts.find(
    (one: ShownReceipt) => one.session === session && one.moment === 'session-start',
  );
}

interface ShownReceipt {
  readonly id: string;
  readonly session: string;
  readonly moment: string;
  readonly channel: string;
  readonly proof: string;
}

function hasContextOnce(request: RecordedRequest): boolean {
  return timesGiven(request, 'register the route') === 1;
}
