// Supervised runs whose agents are real ones: the model calls tools that change files, criteria decide, and what a retry
// or another agent is told stands in the request that its model was given.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { labPrograms } from '../../scripts/lab/install.mjs';
import { recipeFor } from '../../src/verify/lab/recipe.ts';
import type { RecordedRequest } from '../../src/verify/model/record.ts';
import type { ModelStep } from '../../src/verify/model/steps.ts';
import { newestTurn } from '../../src/verify/model/turn.ts';
import { AGENTS, calling, figure, RealField, timesGiven } from './field.ts';
import { eachAgent } from './offered.ts';

/** A run lets through the variables that an agent is known to read; the key of our model is one more for Codex. */
const CONFIG = 'agents:\n  codex: { env: [STUB_KEY] }\n';

const TASKS = `tasks:
  - task_id: api_health
    intent: Add a health endpoint
    instructions: Write health.txt and say in readme.txt how to ask for it
    acceptance_criteria:
      - text: the file says how it is
        check: { file_contains: { path: health.txt, pattern: healthy } }
      - text: it is explained
        check: { file_contains: { path: readme.txt, pattern: GET /health } }
`;

/** What is wrong with the work of `wrongWork`. */
const ERRORS = [
  'the file says how it is: health.txt does not contain healthy',
  'it is explained: readme.txt does not contain GET /health (failed before the first attempt too)',
];

const DONE: ModelStep = { kind: 'text', text: 'Done.' };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent('%s completes a task whose file its model had it write', async (name) => {
  const { of, run } = await makeRun(name);
  of.model.standing({
    kind: 'reply',
    reply: (request) => {
      const folder = folderIn(request);
      if (folder === undefined || newestTurn(request.texts).hasToolResult) return DONE;
      const explains = `echo 'GET /health' >> ${join(folder, 'readme.txt')}`;
      return calling(of.recipe.fileCall(join(folder, 'health.txt'), 'healthy'), of.recipe.commandCall(explains));
    },
  });
  const startedAt = Date.now();
  const ran = await run(name);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  figure(name, 'run to completed', Date.now() - startedAt);
  expect(await outcome(of)).toEqual({ status: 'completed', attempts: [[name, 'completed', undefined]] });
  // Its work is on the branch of the run, and the person's files are as they were.
  const [branch = ''] = of.git('for-each-ref', '--format=%(refname)', 'refs/heads/foreword/').split('\n');
  expect(of.git('show', `${branch}:health.txt`)).toBe('healthy');
  expect(existsSync(join(of.scratch.project, 'health.txt'))).toBe(false);
  expect(timesGiven(of.turns()[0], 'Write health.txt and say in readme.txt how to ask for it')).toBe(1);
});

eachAgent('%s is told at its second attempt what was wrong with the first', async (name) => {
  const { of, run } = await makeRun(name);
  of.model.standing({
    kind: 'reply',
    reply: (request) => {
      const folder = folderIn(request);
      if (folder === undefined || newestTurn(request.texts).hasToolResult) return DONE;
      return calling(...(holds(request, 'RETRY CONTEXT') ? rightWork(name, folder) : wrongWork(name, folder)));
    },
  });
  const ran = await run(name);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const attempts = [
    [name, 'failed', 'validation_failure'],
    [name, 'completed', undefined],
  ];
  expect(await outcome(of)).toEqual({ status: 'completed', attempts });
  const told = of.turns().filter((turn) => holds(turn, 'RETRY CONTEXT'));
  expect(told.length).toBeGreaterThan(0);
  expect(told.map((turn) => timesGiven(turn, retryBlock()))).toEqual(told.map(() => 1));
  // The task itself is in the session already.
  expect(timesGiven(told[0], 'Write health.txt and say in readme.txt how to ask for it')).toBe(1);

  const replays = await replayed(of, [retryBlock()]);
  expect(replays).toMatchObject({ withContext: { total: 1, count: 1 }, withoutContext: { total: 1, count: 0 } });
  expect(await outcome(of)).toEqual({ status: 'completed', attempts });
});

eachAgent(
  '%s hits a rate limit, and the agent after it is told in eight lines where it left off',
  async (name) => {
    const other = partnerOf(name);
    const { of, run } = await makeRun(name, other);
    of.model.standing({
      kind: 'reply',
      reply: (request) => {
        if (holds(request, 'RETRY CONTEXT')) return { kind: 'error', status: 429 };
        const folder = folderIn(request);
        if (folder === undefined || newestTurn(request.texts).hasToolResult) return DONE;
        const isOther = holds(request, 'PROVIDER SWITCH CONTEXT');
        return calling(...(isOther ? rightWork(other, folder) : wrongWork(name, folder)));
      },
    });
    const startedAt = Date.now();
    const ran = await run(name, other);
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    figure(name, 'rate limit, switched and completed', Date.now() - startedAt);
    const attempts = [
      [name, 'failed', 'validation_failure'],
      [name, 'failed', 'circuit_breaker'],
      [other, 'completed', undefined],
    ];
    expect(await outcome(of)).toEqual({ status: 'completed', attempts });
    const first = of.turns().find((turn) => holds(turn, 'PROVIDER SWITCH CONTEXT'));
    const block = switchBlock(name);
    expect(block.split('\n')).toHaveLength(8);
    expect(timesGiven(first, block), promptOf(first)).toBe(1);
    expect(promptOf(first)).not.toContain('RETRY CONTEXT');

    of.model.standing(DONE);
    await replayed(of, [retryBlock(), block]);
  },
  'limit',
);

function configOf({ scratch }: RealField): string {
  return join(scratch.home, 'config.yaml');
}

/** Plays the task again. With a hand-over and without, what the model is sent first differs in the bytes of the hand-over alone: texts,
 *  tools and settings. */
async function replayed(of: RealField, handovers: readonly string[]): Promise<unknown> {
  const before = of.model.requests().length;
  const ran = await of.foreword('effect', '--replay', 'api_health', '--json', '--config', configOf(of));
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const played = of.model.requests().slice(before);
  const firsts = played.filter(
    (turn) => turn.isMain && folderIn(turn) !== undefined && !newestTurn(turn.texts).hasToolResult,
  );
  const without = firsts
    .filter((turn) => !handovers.some((handover) => holds(turn, handover)))
    .map((turn) => JSON.parse(bodyOf(turn)));
  for (const handover of handovers) {
    const written = JSON.stringify(`${handover}\n\n`).slice(1, -1);
    const [given = ''] = firsts.filter((turn) => holds(turn, handover)).map(bodyOf);
    expect(given.split(written)).toHaveLength(2);
    expect(without).toContainEqual(JSON.parse(given.replace(written, () => '')));
  }
  return JSON.parse(ran.stdout).replays;
}

/** Every session and every home has ids of its own, Codex and Copilot CLI say when it is, and Claude Code names a sum of the prompt
 *  behind its version. */
function bodyOf({ body }: RecordedRequest): string {
  const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|(?<=cc_version=[\d.]+\.)[0-9a-f]{3}(?=;)/g;
  const times = /(?<=_unix_ms\\*":)\d+|(?<=<current_datetime>)[^<]+/g;
  return JSON.stringify(body).replaceAll(ids, 'ID').replaceAll(times, '0');
}

async function makeRun(name: string, other?: string) {
  const of = await RealField.make(name, [], { beside: other === undefined ? [] : [other] });
  field = of;
  const config = configOf(of);
  writeFileSync(config, CONFIG);
  writeFileSync(join(of.scratch.project, '.foreword/tasks.yaml'), TASKS);
  const run = (...agents: string[]) =>
    of.foreword('run', '.foreword/tasks.yaml', '--agents', agents.join(','), '--config', config);
  return { of, run };
}

/** A file made and a file changed, and neither as it should be. */
function wrongWork(name: string, folder: string) {
  const recipe = recipeFor(name) ?? expect.fail(name);
  return [
    recipe.fileCall(join(folder, 'health.txt'), 'unwell'),
    recipe.commandCall(`echo 'to be explained' >> ${join(folder, 'readme.txt')}`),
  ];
}

function rightWork(name: string, folder: string) {
  const recipe = recipeFor(name) ?? expect.fail(name);
  return [
    recipe.commandCall(`printf healthy > ${join(folder, 'health.txt')}`),
    recipe.commandCall(`echo 'GET /health' >> ${join(folder, 'readme.txt')}`),
  ];
}

/** Another agent that is installed, preferably one that is tested too. */
function partnerOf(name: string): string {
  const all = [...AGENTS, ...Object.keys(labPrograms())];
  return all.slice(all.indexOf(name) + 1).find((one) => one !== name) ?? expect.fail(`${name} is installed alone`);
}

function switchBlock(name: string): string {
  return [
    '--- PROVIDER SWITCH CONTEXT ---',
    `Previous provider (${name}) failed: rate_limit_exceeded`,
    'Previous attempt created: health.txt',
    'Previous attempt modified: readme.txt',
    ...ERRORS.map((error) => `Validation error: "${error}"`),
    `Continue from where ${name} left off. Avoid recreating existing files.`,
    '--- END CONTEXT ---',
  ].join('\n');
}

function retryBlock(): string {
  return [
    '--- RETRY CONTEXT ---',
    'Attempt #2 - Previous validation failures:',
    ...ERRORS.map((error) => `- ${error}`),
    'Already created: health.txt',
    'Already modified: readme.txt',
    'Focus on fixing validation failures listed above.',
    '--- END CONTEXT ---',
  ].join('\n');
}

async function outcome(of: RealField) {
  const { tasks } = JSON.parse((await of.must('status', '--json')).stdout);
  const { attempts } = JSON.parse((await of.must('history', 'api_health', '--json')).stdout);
  return {
    status: tasks[0].status,
    attempts: attempts.map((each: Record<string, unknown>) => [each.provider, each.status, each.exitReason]),
  };
}

/** The checkout, which the prompt names. `undefined` in requests for something else, such as a title. */
function folderIn({ texts }: RecordedRequest): string | undefined {
  return texts.flatMap(({ text }) => /## Working Directory\n(\S+)/.exec(text)?.[1] ?? []).at(-1);
}

function holds(request: RecordedRequest, text: string): boolean {
  return timesGiven(request, text) > 0;
}

function promptOf(request: RecordedRequest | undefined): string {
  return request?.texts.findLast(({ role }) => role === 'user')?.text ?? '';
}
