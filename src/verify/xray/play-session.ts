// Plays the session of an xray with the real agent: start, prompt, tool, prompt, sub-agent, compaction, prompt, and the first prompt
// again in a new session. The model's side decides each answer by the prompt that it finds, so that what hooks add does not
// lead it astray.

import { type AgentDriver, AgentNotReady } from '../agent-driver.ts';
import type { Recipe } from '../lab/recipe.ts';
import type { RecordedRequest } from '../model/record.ts';
import type { Model } from '../model/server.ts';
import type { ModelStep } from '../model/steps.ts';
import { newestTurn } from '../model/turn.ts';
import type { XrayMoment, XrayRequest } from './recording.ts';

export const PROMPTS = {
  tool: 'Good morning. Run echo one, please.',
  again: 'And a second prompt, which needs no tool.',
  delegate: 'Have the words of the file counted by a sub-agent.',
  order: 'Count the words of readme.txt and report the number.',
  after: 'Go on after the compaction, please.',
} as const;

const ANSWERS = { done: 'It is done as you asked.', counted: 'There are three words in it.' } as const;
const COMMAND = 'echo one';

/** Everything that our script itself puts into the conversation. */
export const SAID: readonly string[] = [...Object.values(PROMPTS), ...Object.values(ANSWERS), COMMAND];

const READY_MS = 90_000;
const SERVED_MS = 120_000;
/** No person types a first prompt in less, and an agent may show its composer before its own start hooks have ended. */
const PERSON_MS = 2000;
/** A side request that follows a turn comes soon or not at all. */
const SETTLE_MS = 500;

export interface PlayPorts {
  readonly model: Model;
  readonly recipe: Pick<Recipe, 'commandCall' | 'subagent' | 'compactCommand'>;
  readonly clock: { now(): number; wait(ms: number): Promise<void> };
  open(): Promise<AgentDriver>;
  /** Called before each step. */
  playing(moment: XrayMoment): void;
}

export interface PlayedSession {
  readonly requests: readonly XrayRequest[];
  /** Steps that did not come about, with why. */
  readonly missed: readonly { readonly moment: XrayMoment; readonly why: string }[];
}

/** Throws `AgentNotReady` when the agent does not even take the first prompt. */
export async function playSession(ports: PlayPorts): Promise<PlayedSession> {
  const { model, recipe, clock } = ports;
  const missed: { moment: XrayMoment; why: string }[] = [];
  const began: { moment: XrayMoment; at: number }[] = [];
  model.standing({ kind: 'reply', reply: (request) => answerTo(request, recipe) });

  const prompt = async (driver: AgentDriver, moment: XrayMoment, text: string, isTurn = true): Promise<void> => {
    await driver.untilReady(READY_MS);
    ports.playing(moment);
    began.push({ moment, at: clock.now() });
    const at = await driver.submit(text);
    const isWanted = (request: RecordedRequest) => request.at >= at && (request.isMain || !isTurn);
    if ((await driver.during(model.waitFor(isWanted, SERVED_MS))) === undefined)
      throw new AgentNotReady(`sent no request to its model within ${SERVED_MS / 1000} s`);
    await clock.wait(SETTLE_MS);
    await driver.untilReady(READY_MS);
  };
  const optional = async (moment: XrayMoment, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AgentNotReady)) throw error;
      missed.push({ moment, why: error.message });
    }
  };
  const first = async (): Promise<AgentDriver> => {
    const driver = await ports.open();
    try {
      await driver.untilReady(READY_MS);
      await clock.wait(PERSON_MS);
      return driver;
    } catch (error) {
      await driver.end();
      throw error;
    }
  };

  const driver = await first();
  try {
    await prompt(driver, 'first prompt', PROMPTS.tool);
    await optional('second prompt', () => prompt(driver, 'second prompt', PROMPTS.again));
    if (recipe.subagent !== undefined)
      await optional('sub-agent', () => prompt(driver, 'sub-agent asked', PROMPTS.delegate));
    const { compactCommand } = recipe;
    if (compactCommand !== undefined)
      await optional('compaction', async () => {
        await prompt(driver, 'compaction', compactCommand, false);
        await clock.wait(PERSON_MS);
        await prompt(driver, 'after compaction', PROMPTS.after);
      });
  } finally {
    await driver.end();
  }
  await optional('new session', async () => {
    const second = await first();
    try {
      await prompt(second, 'new session', PROMPTS.tool);
    } finally {
      await second.end();
    }
  });
  return { requests: model.requests().flatMap((request) => requestOf(request, began)), missed };
}

function answerTo(request: RecordedRequest, recipe: PlayPorts['recipe']): ModelStep {
  const done = recipe.subagent?.done?.(ANSWERS.counted);
  if (isChild(request)) return done === undefined ? { kind: 'text', text: ANSWERS.counted } : calling(done);
  const turn = newestTurn(request.texts);
  const result = request.texts.findLast(({ role }) => role === 'tool')?.text ?? '';
  if (turn.hasToolResult) {
    const wait = isDelegating(request) ? recipe.subagent?.wait?.(result) : undefined;
    const isFirst = !request.texts.some(({ text }) => text.includes('timed_out')) && /"agent_id":"[^"]+"/.test(result);
    return wait === undefined || !isFirst ? { kind: 'text', text: ANSWERS.done } : calling(wait);
  }
  // After a compaction some agents say all prompts again, before the newest one.
  const prompts = turn.userTexts.flatMap((text) => Object.values(PROMPTS).filter((one) => text.includes(one)));
  const isAsked = (text: string) => prompts.at(-1) === text;
  const spawn = recipe.subagent?.call(PROMPTS.order);
  if (isAsked(PROMPTS.delegate) && spawn !== undefined) return calling(spawn);
  if (isAsked(PROMPTS.tool)) return calling(recipe.commandCall(COMMAND));
  return { kind: 'text', text: ANSWERS.done };
}

function calling({ tool, input }: { readonly tool: string; readonly input: unknown }): ModelStep {
  return { kind: 'call', calls: [{ name: tool, input }] };
}

function isChild({ texts }: RecordedRequest): boolean {
  return texts.some(({ role, text }) => role === 'user' && text.includes(PROMPTS.order));
}

function isDelegating({ texts }: RecordedRequest): boolean {
  return texts.some(({ role, text }) => role === 'user' && text.includes(PROMPTS.delegate));
}

function requestOf(request: RecordedRequest, began: readonly { moment: XrayMoment; at: number }[]): XrayRequest[] {
  const { at, protocol, isMain, body } = request;
  if (protocol === 'none' || body === undefined) return [];
  const step = began.findLast((one) => one.at <= at)?.moment ?? 'first prompt';
  const { hasToolResult } = newestTurn(request.texts);
  const isSecond = hasToolResult && (step === 'first prompt' || step === 'new session');
  if (isSecond && step === 'new session') return [];
  const moment = isChild(request) && isMain ? 'sub-agent' : isSecond ? 'after a tool' : step;
  return [{ moment, at, protocol, isMain, body }];
}
