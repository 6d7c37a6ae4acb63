// What the samples of an agent must have, and what each must be read as. Called by samples.test.ts in the agent's folder.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentFacts, AgentResult, ErrorClass } from '../src/kernel/agent.ts';
import type { ProcessEnd } from '../src/kernel/process.ts';
import { classify } from '../src/runs/agent-output/classify.ts';
import { compilePattern, makeMatcher } from '../src/system/patterns/linear.ts';

const NOW = Date.parse('2026-11-15T21:00:00Z');

/** A model's words that look like errors. */
export const TALK =
  'I handled "429 rate limit exceeded", insufficient_quota and "You\'ve hit your usage limit" in src/retry.ts.';

export interface Sample {
  readonly what: string;
  readonly stdout?: string | readonly object[];
  readonly stderr?: string;
  readonly exit?: number;
  readonly signal?: string;
  /** An answer, or the class of the failure. */
  readonly is: { readonly answer: string } | ErrorClass;
  readonly resetAt?: string;
  readonly message?: string;
}

const COMMON: readonly Sample[] = [
  { what: 'killed', signal: 'SIGKILL', stdout: TALK, is: 'crash', message: 'ended by SIGKILL' },
  { what: 'nothing, and a bad end', exit: 1, is: 'crash', message: 'ended with status 1' },
  { what: 'no network', exit: 1, stderr: 'Error: getaddrinfo EAI_AGAIN api.example.com', is: 'network' },
  { what: 'no such interpreter', exit: 127, stderr: 'env: node: No such file or directory', is: 'missing' },
];

const matches = makeMatcher();

export function checkSamples(facts: AgentFacts, own: readonly Sample[]): void {
  const agent = { name: 'sampled', ...facts };
  const samples = [...own, ...COMMON];

  test('has samples of answers, talk, garbage and failures', () => {
    const what = samples.map((sample) => sample.what);
    expect(what).toEqual(expect.arrayContaining(['answer', 'garbage', 'killed']));
    expect(what.some((one) => one.startsWith('talk'))).toBe(true);
    expect(samples.length).toBeGreaterThanOrEqual(10);
  });

  test.each(samples)('$what', (sample) => {
    const result = classify(agent, end(sample), { now: NOW, matches });
    expect(result).toEqual(expected(sample, result));
  });

  test('takes no prompt as an argument', () => {
    expect(['stdin', 'file']).toContain(agent.oneshot?.prompt);
  });

  test('has patterns that a linear-time engine takes', () => {
    const spec = agent.oneshot?.output;
    const patterns = [
      ...agent.errors.flatMap(({ text }) => text ?? []),
      agent.oneshot?.retryLine ?? '',
      spec?.format === 'text' ? (spec.answered ?? '') : '',
    ];
    expect(patterns.filter((text) => 'fault' in compilePattern(text))).toEqual([]);
  });

  test('no output whatever makes the classifier throw or speak in more than one safe line', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.array(fc.constantFrom(...samples.map((sample) => end(sample).stdout.text))).map((parts) => parts.join('\n')),
    );
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 255 }), (stdout, stderr, exit) => {
        const result = classify(agent, end({ what: '', stdout, stderr, exit, is: 'other' }), { now: NOW, matches });
        if (result.kind === 'answered') return;
        expect(result.message).not.toMatch(/[\n\p{Cc}]/u);
        expect(result.message.length).toBeLessThanOrEqual(200);
        expect(result.message).not.toBe('');
      }),
      { numRuns: 60 },
    );
  });
}

function end({ stdout = '', stderr = '', exit = 0, signal }: Sample): ProcessEnd {
  const text = typeof stdout === 'string' ? stdout : stdout.map((one) => `${JSON.stringify(one)}\n`).join('');
  return {
    exitCode: signal === undefined ? exit : null,
    signal: signal ?? null,
    stdout: { text, bytes: Buffer.byteLength(text) },
    stderr: { text: stderr, bytes: Buffer.byteLength(stderr) },
    durationMs: 1000,
  };
}

function expected({ is, resetAt, message }: Sample, result: AgentResult): unknown {
  if (typeof is !== 'string') return { kind: 'answered', answer: is.answer };
  if (result.kind !== 'failed') return { kind: 'failed', class: is };
  return {
    kind: 'failed',
    class: is,
    message: message ?? result.message,
    ...(resetAt === undefined ? {} : { resetAt: Date.parse(resetAt) }),
    answer: result.answer,
  };
}
