import { expect, test } from 'vitest';
import { attempt, record } from '../stores/contract/samples.ts';
import { receiptsSection } from './receipts-section.ts';

const HASH = '0123456789abcdef'.repeat(4);

const { exitReason: _, ...second } = attempt(2);

test('each attempt is a row: what it was given, and what came of it', () => {
  const text = receiptsSection({
    tasks: [
      {
        task: { ...record('a', 'completed'), commit: 'c'.repeat(40) },
        attempts: [
          {
            ...attempt(1),
            status: 'failed',
            exitReason: 'validation_failure',
            validationErrors: ['see https://x.invalid | <img src=x> @all'],
            promptHash: HASH,
            commit: 'd'.repeat(40),
          },
          {
            ...second,
            status: 'completed',
            validationErrors: [],
            promptHash: HASH,
            preContext: '--- RETRY CONTEXT ---\nAttempt #2\n',
            verdict: { outcome: 'passed', results: [] },
          },
        ],
      },
    ],
    receipts: [],
  });
  expect(text).toMatchInlineSnapshot(`
    "## Receipts

    | task | attempt | agent | prompt (SHA-256) | hand-over | outcome | work |
    | --- | --- | --- | --- | --- | --- | --- |
    | a | 1 | codex | 0123456789ab | none | failed\\: see https\\://x.invalid \\| \\<img src=x\\> \\@all | dddddddddddd |
    | a | 2 | codex | 0123456789ab | retry | passed | cccccccccccc |
    "
  `);
});

test('deliveries to sessions come after them, and without anything it says so', () => {
  expect(receiptsSection({ tasks: [], receipts: [] })).toBe('## Receipts\n\nNo agent was given a task.\n');
  const receipt = {
    id: 'fw_1',
    receipt: 'r1',
    session: 's1',
    moment: 'session-start',
    channel: 'hook',
    proof: 'served',
    outcome: 'delivered',
    evidence: 'transcript line 3',
    at: '2026-01-01T00:00:00Z',
    attempts: 1,
    durationMs: 5,
  } as const;
  expect(receiptsSection({ tasks: [], receipts: [receipt] })).toContain(
    '| fw\\_1 | session-start | hook | served | delivered | transcript line 3 |',
  );
});

test('of very many attempts the last ones are shown, with a count of the rest', () => {
  const attempts = Array.from({ length: 600 }, (_, index) => attempt(index + 1));
  const text = receiptsSection({ tasks: [{ task: record('a', 'failed'), attempts }], receipts: [] });
  expect(text).toContain('| a | 600 |');
  expect(text).toContain('100 earlier ones are left out.');
});
