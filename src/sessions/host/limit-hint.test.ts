import { expect, test } from 'vitest';
import { limitHint } from './limit-hint.ts';

const GIVEN = { agent: 'claude', session: 's1', others: ['claude', 'codex', 'pi'] };

test('names the command that goes on with another agent, as long as there is a limit', () => {
  expect(limitHint({ limit: 'limit until 14:05 UTC' }, GIVEN)).toBe(
    'claude: limit until 14:05 UTC; go on with: foreword switch codex s1',
  );
  expect(limitHint({ limit: 'limit' }, { ...GIVEN, others: ['claude'] })).toContain('foreword switch AGENT s1');
  expect(limitHint({ prompt: 'x' }, GIVEN)).toBeUndefined();
});
