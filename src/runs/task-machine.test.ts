import { expect, test } from 'vitest';
import type { AttemptRecord, ExitReason } from '../kernel/attempt.ts';
import { type CriterionResult, verdictOf } from '../kernel/verdict.ts';
import { type NextStep, nextStep } from './task-machine.ts';

const LIMITS = { maxRetries: 2, maxAgentFailures: 3 };

type Ending = 'passed' | 'unchecked' | ExitReason;

function attempts(...endings: readonly Ending[]): readonly AttemptRecord[] {
  return endings.map((ending, index) => {
    const result = (outcome: CriterionResult['outcome']): CriterionResult => ({
      criterion: 'tests pass',
      outcome,
      by: 'check',
      ...(outcome === 'passed' ? {} : { detail: `${outcome} ${'abcdefgh'[index]}` }),
    });
    const outcomes = { passed: 'passed', unchecked: 'not-run', validation_failure: 'failed' } as const;
    const verdict = ending in outcomes ? verdictOf([result(outcomes[ending as keyof typeof outcomes])]) : undefined;
    return {
      attemptNumber: index + 1,
      provider: index % 2 === 0 ? 'codex' : 'claude',
      timestamp: '2026-01-01T00:00:00.000Z',
      files_created: [],
      files_updated: [],
      files_deleted: [],
      status: ending === 'passed' ? 'completed' : 'failed',
      validationErrors: ending === 'validation_failure' ? [`failed ${'abcdefgh'[index]}`] : [],
      durationMs: 1,
      ...(ending === 'passed' || ending === 'unchecked' ? {} : { exitReason: ending }),
      ...(verdict === undefined ? {} : { verdict }),
    };
  });
}

function shown(step: NextStep): string {
  if (step.kind === 'finish') return step.status;
  return `attempt${step.avoid === undefined ? '' : ` without ${step.avoid}`}${step.isLoop ? ' (loop)' : ''}`;
}

test('the last ending and the number of failures decide', () => {
  const endings: readonly Ending[] = [
    'passed',
    'unchecked',
    'validation_failure',
    'circuit_breaker',
    'execution_error',
    'timeout',
    'interrupted',
  ];
  const before: Readonly<Record<string, readonly Ending[]>> = {
    first: [],
    'after 2 validation failures': ['validation_failure', 'validation_failure'],
    'after 2 agent failures': ['circuit_breaker', 'interrupted'],
  };
  const table = endings.map((ending) =>
    [
      ending.padEnd(19),
      ...Object.values(before).map((past) => shown(nextStep(attempts(...past, ending), LIMITS)).padEnd(23)),
    ]
      .join(' ')
      .trimEnd(),
  );
  expect(
    `\n${[' '.repeat(19), ...Object.keys(before).map((name) => name.padEnd(23))].join(' ').trimEnd()}\n${table.join('\n')}\n`,
  ).toMatchInlineSnapshot(`
    "
                        first                   after 2 validation failures after 2 agent failures
    passed              completed               completed               completed
    unchecked           needs-review            needs-review            needs-review
    validation_failure  attempt                 failed                  attempt
    circuit_breaker     attempt without codex   attempt without codex   blocked
    execution_error     attempt without codex   attempt without codex   blocked
    timeout             attempt without codex   attempt without codex   blocked
    interrupted         attempt                 attempt                 blocked
    "
  `);
});

test('no attempt yet is an attempt', () => {
  expect(nextStep([], LIMITS)).toEqual({ kind: 'attempt', isLoop: false });
});

test('no retries means one validated attempt', () => {
  expect(shown(nextStep(attempts('validation_failure'), { ...LIMITS, maxRetries: 0 }))).toBe('failed');
});

test('the same failure three times in a row goes to another agent', () => {
  const same = attempts('validation_failure', 'validation_failure', 'validation_failure').map((attempt) => ({
    ...attempt,
    validationErrors: ['expected 200, got 404 at line 12'],
  }));
  expect(nextStep(same, { maxRetries: 9, maxAgentFailures: 9 })).toEqual({
    kind: 'attempt',
    isLoop: true,
    avoid: 'codex',
  });
});

test('attempts of an earlier run do not count for the limits', () => {
  const past = attempts('validation_failure', 'validation_failure', 'validation_failure');
  expect(shown(nextStep(past, LIMITS))).toBe('failed');
  expect(shown(nextStep(past, LIMITS, 3))).toBe('attempt');
});

test('a reason says what was not checked, what failed last, or who could not work', () => {
  const reason = (...endings: readonly Ending[]) => {
    const step = nextStep(attempts(...endings), { maxRetries: 0, maxAgentFailures: 1 });
    return step.kind === 'finish' ? step.reason : undefined;
  };
  expect(reason('unchecked')).toBe('not checked: tests pass: not-run a');
  expect(reason('validation_failure')).toBe('validation failed 1 time(s); the last: tests pass: failed a');
  expect(reason('timeout')).toBe('agents could not work 1 times, the last (codex): timeout');
});
