// A retry of a real agent goes on in its own session: the request that its model gets begins with the conversation of the first
// attempt and ends with our short text. Where the session is gone, the model gets the whole prompt.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RecordedRequest } from '../../src/verify/model/record.ts';
import type { ModelStep } from '../../src/verify/model/steps.ts';
import { newestTurn } from '../../src/verify/model/turn.ts';
import { AGENTS, calling, figure, RealField, timesGiven } from './field.ts';
import { canResume, eachAgent } from './offered.ts';

const CONFIG = 'agents:\n  codex: { env: [STUB_KEY] }\n';
const INSTRUCTIONS = 'Write health.txt with the right word in it';
const DONE: ModelStep = { kind: 'text', text: 'Done.' };

/** Where agents keep their sessions, below the home. */
const SESSIONS = [
  '.claude/projects',
  '.codex/sessions',
  '.codex/*.sqlite*',
  '.gemini/tmp',
  '.local/share/opencode',
  '.qwen/projects',
  '.copilot/session-state',
  '.copilot/*.db*',
  '.pi/agent/sessions',
];

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent(
  '%s goes on in its session with the hand-over alone',
  async (name) => {
    const { of, run } = await makeRun(name);
    const ran = await run();
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    const [first, second] = await attemptsOf(of);
    expect(second).toMatchObject({ isResumed: true, session: first?.session });
    const { before, after } = turnsOf(of);
    const [prompt = '', short = ''] = await promptsOf(of);
    // The whole prompt once, as it was in the first request, and then the short one.
    expect(timesGiven(after, INSTRUCTIONS)).toBe(1);
    expect(timesGiven(after, prompt.trimEnd())).toBe(1);
    expect(timesGiven(after, short.trimEnd())).toBe(1);
    const texts = fromPrompt(after, prompt);
    const at = texts.findIndex((text) => text.includes(short.trimEnd()));
    expect(at).toBeGreaterThan(0);
    expect(texts.length - at).toBeLessThanOrEqual(2);
    // The conversation of the first attempt, from its prompt on: agents may describe folder and date again before it.
    const spoken = fromPrompt(before, prompt);
    expect(texts.slice(0, spoken.length)).toEqual(spoken);
    expect(short.length).toBeLessThan(prompt.length / 2);
  },
  'resume',
);

eachAgent(
  '%s whose session is gone gets the whole prompt in a new one, in the same attempt',
  async (name) => {
    const { of, run } = await makeRun(name, { isLost: true });
    const startedAt = Date.now();
    const ran = await run();
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    figure(name, 'session gone, new one completed', Date.now() - startedAt);
    expect(ran.stdout).toContain('its session could not be resumed');
    const attempts = await attemptsOf(of);
    expect(attempts).toHaveLength(2);
    expect(attempts[1]).not.toHaveProperty('isResumed');
    expect(attempts[1]?.session).not.toBe(attempts[0]?.session);
    const { after } = turnsOf(of);
    expect(timesGiven(after, INSTRUCTIONS)).toBe(1);
    expect(timesGiven(after, 'RETRY CONTEXT')).toBe(1);
    expect(timesGiven(after, 'Go on with the same task.')).toBe(0);
  },
  'resume',
);

for (const name of AGENTS.filter((each) => !canResume(each)))
  test(`${name} gets the whole prompt and the hand-over in a new session`, async () => {
    const { of, run } = await makeRun(name);
    const ran = await run();
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    const [first, second] = await attemptsOf(of);
    expect(second).not.toHaveProperty('isResumed');
    expect(second?.session).not.toBe(first?.session);
    const { after } = turnsOf(of);
    expect(timesGiven(after, INSTRUCTIONS)).toBe(1);
    expect(timesGiven(after, 'RETRY CONTEXT')).toBe(1);
  });

async function makeRun(name: string, { isLost = false } = {}) {
  const of = await RealField.make(name);
  field = of;
  const config = join(of.scratch.home, 'config.yaml');
  // In a box the check could remove nothing of the home.
  writeFileSync(config, isLost ? `${CONFIG}run: { confine: off }\n` : CONFIG);
  const lose = SESSIONS.map((path) => `rm -rf ${of.scratch.home}/${path}`).join('; ');
  writeFileSync(
    join(of.scratch.project, '.foreword/tasks.json'),
    JSON.stringify([
      {
        task_id: 'api_health',
        intent: 'Add a health endpoint',
        instructions: INSTRUCTIONS,
        acceptance_criteria: [
          { text: 'it is right', check: { file_contains: { path: 'health.txt', pattern: 'healthy' } } },
          { text: 'checks run', check: { command: ['sh', '-c', isLost ? lose : 'true'] } },
        ],
      },
    ]),
  );
  of.model.standing({
    kind: 'reply',
    reply: (request) => {
      const folder = folderIn(request);
      if (folder === undefined || newestTurn(request.texts).hasToolResult) return DONE;
      const word = timesGiven(request, 'RETRY CONTEXT') > 0 ? 'healthy' : 'unwell';
      return calling(of.recipe.commandCall(`printf ${word} > ${join(folder, 'health.txt')}`));
    },
  });
  return { of, run: () => of.foreword('run', '.foreword/tasks.json', '--agents', name, '--config', config) };
}

/** The last turn of the first attempt, and the first turn of the second. */
function turnsOf(of: RealField) {
  const turns = of.turns();
  const index = turns.findIndex((turn) => timesGiven(turn, 'RETRY CONTEXT') > 0);
  return { before: turns[index - 1], after: turns[index] };
}

function fromPrompt(request: RecordedRequest | undefined, prompt: string): readonly string[] {
  const texts = request?.texts.map(({ text }) => text) ?? [];
  return texts.slice(texts.findIndex((text) => text.includes(prompt.trimEnd())));
}

async function attemptsOf(of: RealField): Promise<readonly { readonly session?: string; readonly isResumed?: true }[]> {
  return JSON.parse((await of.must('history', 'api_health', '--json')).stdout).attempts;
}

/** As they were sent. */
async function promptsOf(of: RealField): Promise<readonly string[]> {
  const { prompts } = JSON.parse((await of.must('history', 'api_health', '--prompt', '--json')).stdout);
  return prompts.map(({ handover, original }: { handover: string; original: string }) => handover + original);
}

function folderIn({ texts }: RecordedRequest): string | undefined {
  return texts.flatMap(({ text }) => /## Working Directory\n(\S+)/.exec(text)?.[1] ?? []).at(-1);
}
