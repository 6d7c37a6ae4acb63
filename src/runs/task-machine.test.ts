import { expect, test } from 'vitest';
import type { AttemptRecord, ExitReason } from '../kernel/attempt.ts';
import { type CriterionResult, verdictOf } from '../kernel/verdict.ts';
import { hungAgents, type NextStep, nextStep } from './task-machine.ts';

const LIMITS = { maxRetries: 2, maxAgentFailures: 3, reviewRounds: 2 };

type Ending = 'passed' | 'unchecked' | 'rejected' | 'hang' | 'cap' | ExitReason;

function exitReasonOf(ending: Exclude<Ending, 'passed' | 'unchecked'>): ExitReason {
  if (ending === 'hang') return 'timeout';
  if (ending === 'cap') return 'interrupted';
  return ending === 'rejected' ? 'validation_failure' : ending;
}

function attempts(...endings: readonly Ending[]): readonly AttemptRecord[] {
  return endings.map((ending, index) => {
    const result = (outcome: CriterionResult['outcome']): CriterionResult => ({
      criterion: 'tests pass',
      outcome,
      by: 'check',
      ...(outcome === 'passed' ? {} : { detail: `${outcome} ${'abcdefgh'[index]}` }),
    });
    const outcomes = {
      passed: 'passed',
      unchecked: 'not-run',
      rejected: 'passed',
      validation_failure: 'failed',
    } as const;
    const detail = `a.ts:1: wrong ${'abcdefgh'[index]}`;
    const review: readonly CriterionResult[] =
      ending === 'rejected' ? [{ criterion: 'review', outcome: 'failed', by: 'review', detail }] : [];
    const verdict =
      ending in outcomes ? verdictOf([result(outcomes[ending as keyof typeof outcomes]), ...review]) : undefined;
    return {
      attemptNumber: index + 1,
      provider: index % 2 === 0 ? 'codex' : 'claude',
      timestamp: '2026-01-01T00:00:00.000Z',
      files_created: [],
      files_updated: [],
      files_deleted: [],
      status: ending === 'passed' ? 'completed' : 'failed',
      validationErrors:
        ending === 'validation_failure'
          ? [`failed ${'abcdefgh'[index]}`]
          : ending === 'rejected'
            ? [`review: ${detail}`]
            : [],
      durationMs: 1,
      ...(ending === 'passed' || ending === 'unchecked' ? {} : { exitReason: exitReasonOf(ending) }),
      ...(ending === 'hang' || ending === 'cap' ? { exitClass: ending } : {}),
      ...(verdict === undefined ? {} : { verdict }),
    };
  });
}

function shown(step: NextStep): string {
  if (step.kind === 'finish') return step.outcome.status;
  return step.kind === 'switch' && step.because === 'loop' ? 'switch (loop)' : step.kind;
}

/** What went before, and how the attempt after it ends. */
const PAST: Readonly<Record<string, readonly Ending[]>> = {
  'first attempt': [],
  'retries left': ['validation_failure'],
  'last retry': ['validation_failure', 'validation_failure'],
  'agents fail': ['circuit_breaker'],
  'last agent': ['circuit_breaker', 'interrupted'],
  'both at the end': ['validation_failure', 'timeout', 'validation_failure', 'circuit_breaker'],
  'loop ahead': ['validation_failure', 'validation_failure'],
  // The attempts take turns: it was the same agent.
  'hung before': ['hang', 'validation_failure'],
  'sent back once': ['rejected'],
  'sent back twice': ['rejected', 'validation_failure', 'rejected'],
};
const ENDINGS: readonly Ending[] = [
  'passed',
  'unchecked',
  'rejected',
  'validation_failure',
  'circuit_breaker',
  'execution_error',
  'timeout',
  'hang',
  'interrupted',
  'cap',
];

test('the matrix: every state by every way an attempt can end', () => {
  const cell = (text: string) => text.padEnd(19);
  const rows = Object.entries(PAST).map(([name, past]) => {
    const steps = ENDINGS.map((ending) => {
      const isLoop = name === 'loop ahead';
      const made = attempts(...past, ending).map((each) =>
        isLoop && each.validationErrors.length > 0 ? { ...each, validationErrors: ['the same'] } : each,
      );
      return shown(nextStep(made, isLoop ? { ...LIMITS, maxRetries: 9 } : LIMITS));
    });
    return [cell(name), ...steps.map(cell)].join('').trimEnd();
  });
  const head = [cell(''), ...ENDINGS.map(cell)].join('').trimEnd();
  expect(`\n${[head, ...rows].join('\n')}\n`).toMatchInlineSnapshot(`
    "
                       passed             unchecked          rejected           validation_failure circuit_breaker    execution_error    timeout            hang               interrupted        cap
    first attempt      completed          needs-review       attempt            attempt            switch             switch             switch             attempt            attempt            attempt
    retries left       completed          needs-review       attempt            attempt            switch             switch             switch             attempt            attempt            attempt
    last retry         completed          needs-review       attempt            failed             switch             switch             switch             attempt            attempt            attempt
    agents fail        completed          needs-review       attempt            attempt            switch             switch             switch             attempt            attempt            attempt
    last agent         completed          needs-review       attempt            attempt            blocked            blocked            blocked            blocked            blocked            attempt
    both at the end    completed          needs-review       attempt            failed             blocked            blocked            blocked            blocked            blocked            attempt
    loop ahead         completed          needs-review       switch (loop)      switch (loop)      switch             switch             switch             attempt            attempt            attempt
    hung before        completed          needs-review       attempt            attempt            switch             switch             switch             switch             attempt            attempt
    sent back once     completed          needs-review       attempt            attempt            switch             switch             switch             attempt            attempt            attempt
    sent back twice    completed          needs-review       needs-review       attempt            switch             switch             switch             attempt            attempt            attempt
    "
  `);
});

test('no attempt yet is an attempt', () => {
  expect(nextStep([], LIMITS)).toEqual({ kind: 'attempt' });
});

test('the agent that could not work is the one to switch from', () => {
  expect(nextStep(attempts('passed', 'timeout'), LIMITS)).toEqual({
    kind: 'switch',
    from: 'claude',
    because: 'agent-failure',
  });
});

test('an agent that hung gets the task once more, and after the second time never again', () => {
  const by = (...names: readonly string[]) =>
    attempts(...names.map((): Ending => 'hang')).map((attempt, index) => ({
      ...attempt,
      provider: names[index] ?? '',
    }));
  const limits = { ...LIMITS, maxRetries: 2, maxAgentFailures: 9 };
  expect(nextStep(by('codex'), limits)).toEqual({ kind: 'attempt', stayWith: 'codex' });
  expect(hungAgents(by('codex'))).toEqual([]);
  expect(nextStep(by('codex', 'codex'), limits)).toEqual({ kind: 'switch', from: 'codex', because: 'agent-failure' });
  expect(hungAgents(by('codex', 'codex', 'claude', 'claude'))).toEqual(['codex', 'claude']);
  expect(hungAgents(by('codex', 'codex', 'codex'), 2)).toEqual([]);
});

test('no retries means one validated attempt', () => {
  expect(shown(nextStep(attempts('validation_failure'), { ...LIMITS, maxRetries: 0 }))).toBe('failed');
});

test('the same failure three times in a row goes to another agent', () => {
  const same = attempts('validation_failure', 'validation_failure', 'validation_failure').map((attempt) => ({
    ...attempt,
    validationErrors: ['expected 200, got 404 at line 12'],
  }));
  expect(nextStep(same, { ...LIMITS, maxRetries: 9, maxAgentFailures: 9 })).toEqual({
    kind: 'switch',
    from: 'codex',
    because: 'loop',
  });
});

test('attempts of an earlier run do not count for the limits', () => {
  const past = attempts('validation_failure', 'validation_failure', 'validation_failure');
  expect(shown(nextStep(past, LIMITS))).toBe('failed');
  expect(shown(nextStep(past, LIMITS, 3))).toBe('attempt');
});

test('a reason names what was not checked, what failed last, or who could not work', () => {
  const reason = (...endings: readonly Ending[]) => {
    const step = nextStep(attempts(...endings), { maxRetries: 0, maxAgentFailures: 1, reviewRounds: 1 });
    return step.kind === 'finish' && step.outcome.status !== 'completed' ? step.outcome.reason : undefined;
  };
  expect(reason('unchecked')).toBe('not checked: tests pass: not-run a');
  expect(reason('validation_failure')).toBe('validation failed 1 time(s); the last: tests pass: failed a');
  expect(reason('rejected', 'rejected')).toBe('rejected 2 time(s) in review, the last: a.ts:1: wrong b');
  expect(reason('timeout')).toBe('agents could not work 1 times, the last (codex): timeout');
});
