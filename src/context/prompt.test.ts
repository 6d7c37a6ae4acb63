import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { makeRedactor } from '../kernel/redact.ts';
import { countUnsafe } from '../kernel/safe-text.ts';
import type { TaskRecord } from '../kernel/task.ts';
import { composeHandover } from './handover/handover.ts';
import { buildMinimalState, buildPrompt, composePrompt, type PromptInput } from './prompt.ts';
import { renderTemplate, TEMPLATE_TOKENS, type TemplateValues } from './template.ts';
import { ROLE_TEMPLATES } from './texts/role-templates.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };

function record(number: number, given: Partial<TaskRecord> = {}): TaskRecord {
  const time = `2026-01-0${number % 10}T10:00:00.000Z`;
  return { task_id: `t${number}`, status: 'completed', intent: `Do ${number}`, updated_at: time, ...given };
}

const task = {
  task_id: 'api_health',
  intent: 'Add a health endpoint',
  instructions: 'Add GET /api/health.\nIt returns 200.',
  acceptance_criteria: ['GET /api/health answers 200', { text: 'unit tests pass\nall of them' }],
  targets: ['src/**', 'test/**'],
};
const state = buildMinimalState({
  project: 'shop',
  finished: [
    record(2, { status: 'failed', result: 'tests fail', completed_at: '2026-01-02T10:00:00.000Z' }),
    record(1),
  ],
  blocked: [record(3, { status: 'blocked', reason: 'needs a key' })],
});
const handover = composeHandover({
  nextAgent: 'codex',
  attempts: [
    {
      attemptNumber: 1,
      provider: 'gemini',
      timestamp: '',
      files_created: ['src/health.ts'],
      files_updated: [],
      files_deleted: [],
      status: 'failed',
      validationErrors: ['endpoint returns 404'],
      exitReason: 'validation_failure',
      durationMs: 1,
    },
  ],
});
const whole: PromptInput = {
  task,
  state,
  handover,
  header: '---\n# agent_context\nmode: propose\n...\n',
  workingDirectory: '/home/me/shop',
};

describe('buildMinimalState', () => {
  test('shows the last five finished tasks, the newest last, failed ones with their status', () => {
    const finished = [6, 5, 4, 3, 2, 1].map((number) => record(number, number === 5 ? { status: 'failed' } : {}));
    const shown = buildMinimalState({ project: 'shop', finished, blocked: [] });
    expect(shown).toEqual({
      project: 'shop',
      recent_history: [2, 3, 4, 5, 6].map((number) => ({
        task_id: `t${number}`,
        intent: `Do ${number}`,
        status: number === 5 ? 'failed' : 'completed',
      })),
      active_blockers: [],
    });
  });

  test.each([
    [1, 3],
    [3, 3],
    [4, 4],
    [5, 5],
    [50, 5],
  ])('a history of %i shows %i', (historySize, count) => {
    const finished = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => record(number));
    expect(buildMinimalState({ finished, blocked: [], historySize }).recent_history.length).toBe(count);
  });

  test('shows all blockers up to ten and counts the rest', () => {
    const blocked = Array.from({ length: 13 }, (_, index) => record(index, { status: 'blocked', reason: 'waits' }));
    const shown = buildMinimalState({ finished: [], blocked });
    expect(shown.active_blockers.length).toBe(10);
    expect(shown.active_blockers[0]).toEqual({ task_id: 't0', reason: 'waits' });
    expect(shown.more_blockers).toBe(3);
    expect(buildMinimalState({ finished: [], blocked: blocked.slice(0, 10) })).not.toHaveProperty('more_blockers');
  });

  test('texts are one bounded line, and absent ones are left out', () => {
    const long = `a\n${'b'.repeat(1000)}\u202e`;
    const shown = buildMinimalState({
      finished: [record(1, { intent: long, result: long }), record(2, { intent: '' })],
      blocked: [record(3, { reason: long }), record(4)],
    });
    expect(shown.recent_history[1]?.intent?.length).toBe(200);
    expect(shown.recent_history[1]?.result?.length).toBe(200);
    expect(shown.active_blockers[0]?.reason?.length).toBe(300);
    expect(shown.recent_history[0]).toEqual({ task_id: 't2', status: 'completed' });
    expect(shown.active_blockers[1]).toEqual({ task_id: 't4' });
    expect(countUnsafe(JSON.stringify(shown))).toBe(0);
  });
});

describe('composePrompt', () => {
  test('what the agent reads', async () => {
    await expect(composePrompt(whole).text).toMatchFileSnapshot('__golden__/prompt.md');
  });

  test('what a reviewer reads', async () => {
    const change =
      '--- fw_1 change ---\n1 file(s) changed, +1 -0:\n- src/routes/health.ts +1 -0\n\n+ok\n--- fw_1 end of change ---';
    await expect(composePrompt({ ...whole, role: 'reviewer', change }).text).toMatchFileSnapshot(
      '__golden__/review.md',
    );
    expect(composePrompt({ ...whole, role: 'reviewer' }).leftOut).toContainEqual({
      what: 'Change',
      why: 'only the review of an attempt has one',
    });
  });

  test('what the one who plans reads', async () => {
    await expect(composePrompt({ ...whole, handover: undefined, role: 'cto' }).text).toMatchFileSnapshot(
      '__golden__/plan.md',
    );
  });

  test('what the worker reads of a review that rejected its work', () => {
    const findings = [{ file: 'src/a.ts', line: 3, text: 'off by\n## one' }, { text: `slow ${'x'.repeat(2_000)}` }];
    const { parts } = composePrompt({ ...whole, findings });
    const text = parts.find(({ name }) => name === 'Findings of the Review')?.text ?? '';
    expect(text).toContain('\n- src/a.ts:3: off by ## one\n- slow xxx');
    expect(text.length).toBeLessThan(1_000);
  });

  test('the parts are in their order, each with its source', () => {
    expect(composePrompt(whole).parts.map((part) => `${part.name}: ${part.source}`)).toEqual([
      'Hand-over: attempts of this task',
      'Header: repository, notes, tasks and policy',
      'Task ID: task',
      'Task Description: task',
      'Intent: task',
      'Acceptance Criteria: task',
      'READ-ONLY CONTEXT — DO NOT MODIFY: finished and blocked tasks',
      'Rules: built in',
      'Output Format: built in',
      'Working Directory: this run',
    ]);
  });

  test('with a hand-over it is the hand-over and the prompt without it', () => {
    const { handover: _, ...plain } = whole;
    expect(composePrompt(whole).original).toBe(composePrompt(plain).text);
    expect(composePrompt(whole).text).toBe(handover.text + composePrompt(plain).text);
  });

  test('a template comes between the header and the task, or alone when it contains the header itself', () => {
    const lead = { lead: '\n\nBe brief.\n', templateSource: 'prompts/engineer.md' };
    const { text, parts } = composePrompt({ ...whole, ...lead });
    expect(text).toContain('mode: propose\n...\n\nBe brief.\n\n## Task ID\n');
    expect(parts[2]).toEqual({ name: 'Template', source: 'prompts/engineer.md', text: '\nBe brief.\n', tokens: 3 });
    const alone = composePrompt({ ...whole, ...lead, header: undefined });
    expect(alone.parts.slice(0, 3).map((part) => part.name)).toEqual(['Hand-over', 'Template', 'Task ID']);
  });

  test('the read-only context is ASCII and parses back to the state', () => {
    const odd = { ...state, project: 'naïve\u2028' };
    const part = composePrompt({ ...whole, state: odd }).parts.find((each) => each.name.startsWith('READ-ONLY'));
    const json = part?.text.slice(part.text.indexOf('\n{')) ?? '';
    expect(json).toMatch(/^[\n\x20-\x7e]*$/);
    expect(JSON.parse(json)).toEqual(odd);
  });

  test('what was left out is named with its reason', () => {
    const { workingDirectory: _, ...rest } = whole;
    const input = { ...rest, handover: { ...handover, dropped: ['error 3'] }, state: { ...state, more_blockers: 4 } };
    expect(composePrompt(whole).leftOut).toEqual([]);
    expect(composePrompt(input).leftOut).toEqual([
      { what: 'hand-over: error 3', why: 'the hand-over is full' },
      { what: 'blocked tasks', count: 4, why: 'only the longest blocked are listed' },
      { what: 'Working Directory', why: 'not known here' },
    ]);
  });

  test('secrets are taken out of every part', () => {
    const redact = makeRedactor(['hunter2hunter2']);
    const input = { ...whole, task: { ...task, instructions: 'Log in with hunter2hunter2.' }, redact };
    expect(composePrompt(input).text).toContain('Log in with [redacted].');
  });

  test('the text is exactly the parts, safe, and the same for the same input', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 4 }), fc.option(text), (id, body, criteria, lead) => {
        const input = {
          ...whole,
          task: { task_id: id, intent: body, instructions: body, acceptance_criteria: criteria, targets: criteria },
          lead: lead ?? undefined,
        };
        const prompt = composePrompt(input);
        expect(prompt.parts.map((part) => part.text).join('')).toBe(prompt.text);
        expect(countUnsafe(prompt.text)).toBe(0);
        expect(prompt).toEqual(composePrompt(input));
        expect(prompt.parts.every((part) => part.tokens === Math.ceil(part.text.length / 4))).toBe(true);
      }),
      RUNS,
    );
  });

  test('the estimate of the whole is within a third of what o200k counts', () => {
    const { text, parts } = composePrompt(whole);
    const estimate = parts.reduce((sum, part) => sum + part.tokens, 0);
    expect(Math.abs(estimate / countTokens(text) - 1)).toBeLessThan(0.34);
  });
});

test('buildPrompt gives the sections of the task and the state alone', () => {
  const text = buildPrompt(task, state);
  expect(text.match(/^## .*/gm)).toEqual([
    '## Task ID',
    '## Task Description',
    '## Intent',
    '## Acceptance Criteria',
    '## READ-ONLY CONTEXT — DO NOT MODIFY',
    '## Rules',
    '## Output Format',
  ]);
  expect(text.startsWith('## Task ID\napi_health\n\n## Task Description\nAdd GET')).toBe(true);
});

test('the built-in templates begin with the header and the mode, and use known tokens only', () => {
  const values = Object.fromEntries(TEMPLATE_TOKENS.map((token) => [token, `<${token}>`])) as TemplateValues;
  for (const template of Object.values(ROLE_TEMPLATES)) {
    const rendered = renderTemplate(template, values, { where: 'built in' });
    expect('text' in rendered && rendered.text.startsWith('<context_header>\n\n<mode_hint>\n\n')).toBe(true);
  }
});
