// Real agents as reviewers: what the model was given, that it can change nothing though it asks for its tools, and what its verdict
// does with the work. The recorded requests are the oracle.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { recipeFor } from '../../src/verify/lab/recipe.ts';
import type { RecordedRequest } from '../../src/verify/model/record.ts';
import type { ModelStep } from '../../src/verify/model/steps.ts';
import { newestTurn } from '../../src/verify/model/turn.ts';
import { calling, RealField, timesGiven } from './field.ts';
import { eachAgent } from './offered.ts';

/** A run lets through the variables that an agent is known to read; the key of our model is one more for Codex. */
const CONFIG = 'agents:\n  codex: { env: [STUB_KEY] }\n';

const TASKS = `tasks:
  - task_id: api_health
    intent: Add a health endpoint
    instructions: Write health.txt
    acceptance_criteria:
      - text: the file says how it is
        check: { file_contains: { path: health.txt, pattern: healthy } }
`;

const DONE: ModelStep = { kind: 'text', text: 'Done.' };
const APPROVED: ModelStep = { kind: 'text', text: 'It is fine. {"verdict":"approve","findings":[]}' };
const FINDING = { file: 'health.txt', line: 1, text: 'it does not say since when' };
const REJECTED: ModelStep = { kind: 'text', text: JSON.stringify({ verdict: 'reject', findings: [FINDING] }) };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent('%s reads the change as a reviewer, and can write nothing though it is asked to', async (name) => {
  const { of, run } = await makeRun(name);
  const outside = join(of.scratch.home, 'planted-by-reviewer.txt');
  of.model.standing({
    kind: 'reply',
    reply: (request) => {
      const folder = folderIn(request);
      if (folder === undefined) return DONE;
      const hasResult = newestTurn(request.texts).hasToolResult;
      if (!isReview(request))
        return hasResult ? DONE : calling(of.recipe.fileCall(join(folder, 'health.txt'), 'healthy'));
      if (hasResult) return APPROVED;
      return calling(
        of.recipe.fileCall(join(folder, 'planted-by-tool.txt'), 'x'),
        of.recipe.commandCall(`echo x > ${join(folder, 'planted-by-command.txt')}; echo x > ${outside}`),
      );
    },
  });
  const ran = await run(name);
  // A reviewer that changed anything would decide nothing, and the task be for a person.
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(existsSync(outside)).toBe(false);
  const [first, ...others] = of.turns().filter(isReview);
  expect(timesGiven(first, '- the file says how it is')).toBe(1);
  expect(timesGiven(first, '1 file(s) changed, +1 -0:\n- health.txt +1 -0\n')).toBe(1);
  expect(timesGiven(first, '+healthy\n')).toBe(1);
  expect(timesGiven(first, 'mode: review')).toBe(1);
  // It asked for its tools, and was told that it may not use them.
  expect(others.length).toBeGreaterThan(0);
  const { attempts } = JSON.parse((await of.must('history', 'api_health', '--json')).stdout);
  expect(attempts).toMatchObject([{ verdict: { review: { agent: name, verdict: 'approve', findings: [] } } }]);
  const [branch = ''] = of.git('for-each-ref', '--format=%(refname)', 'refs/heads/foreword/').split('\n');
  expect(of.git('log', '-1', '--format=%(trailers)', branch)).toContain(`Foreword-Reviewer: ${name}`);
});

eachAgent('%s rejects its work once, fixes what it found, and approves it', async (name) => {
  const { of, run } = await makeRun(name);
  of.model.standing({
    kind: 'reply',
    reply: (request) => {
      const folder = folderIn(request);
      if (folder === undefined) return DONE;
      if (isReview(request)) return timesGiven(request, '+healthy since 9') > 0 ? APPROVED : REJECTED;
      if (newestTurn(request.texts).hasToolResult) return DONE;
      const says =
        timesGiven(request, '- health.txt:1: it does not say since when\n') > 0 ? 'healthy since 9' : 'healthy';
      const recipe = recipeFor(name) ?? expect.fail(name);
      return calling(recipe.commandCall(`printf '${says}' > ${join(folder, 'health.txt')}`));
    },
  });
  const ran = await run(name);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  const { attempts } = JSON.parse((await of.must('history', 'api_health', '--json')).stdout);
  expect(attempts).toMatchObject([
    {
      exitReason: 'validation_failure',
      validationErrors: ['review: health.txt:1: it does not say since when'],
      verdict: { review: { verdict: 'reject', findings: [FINDING] } },
    },
    { status: 'completed', verdict: { review: { verdict: 'approve' } } },
  ]);
  const [branch = ''] = of.git('for-each-ref', '--format=%(refname)', 'refs/heads/foreword/').split('\n');
  expect(of.git('show', `${branch}:health.txt`)).toBe('healthy since 9');
});

async function makeRun(name: string) {
  const of = await RealField.make(name);
  field = of;
  const config = join(of.scratch.home, 'config.yaml');
  writeFileSync(config, CONFIG);
  writeFileSync(join(of.scratch.project, '.foreword/tasks.yaml'), TASKS);
  const run = (...agents: string[]) =>
    of.foreword('run', '.foreword/tasks.yaml', '--agents', agents.join(','), '--review', 'next', '--config', config);
  return { of, run };
}

function isReview(request: RecordedRequest): boolean {
  return timesGiven(request, 'You review the work on the task below.') > 0;
}

/** The checkout, which the prompt names. `undefined` in requests for something else, such as a title. */
function folderIn({ texts }: RecordedRequest): string | undefined {
  return texts.flatMap(({ text }) => /## Working Directory\n(\S+)/.exec(text)?.[1] ?? []).at(-1);
}
