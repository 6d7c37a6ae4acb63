import { expect, test } from 'vitest';
import { commandWords, trustNeeded, withoutTrust } from './trust.ts';

test('a repository does not decide by itself that its runs are merged; the rest of the section counts', () => {
  const written = { run: { merge: 'auto', concurrency: 2 }, search: { maxHits: 3 } };
  expect(trustNeeded(written)).toEqual({ parts: { 'run.merge': 'auto' } });
  expect(withoutTrust(written)).toEqual({ run: { concurrency: 2 }, search: { maxHits: 3 } });
});

test('files that added arguments name are part of what a person agrees to', () => {
  expect(commandWords({ agents: { claude: { args: ['--mcp-config', './tools.json'] } } })).toEqual([
    '--mcp-config',
    './tools.json',
  ]);
});
