import { expect, test } from 'vitest';
import { commandWords, trustNeeded, withoutTrust } from './trust.ts';

test('a repository does not decide by itself that its runs are merged; the rest of the section counts', () => {
  const written = { run: { merge: 'auto', concurrency: 2 }, search: { maxHits: 3 } };
  expect(trustNeeded(written)).toEqual({ parts: { 'run.merge': 'auto' } });
  expect(withoutTrust(written)).toEqual({ run: { concurrency: 2 }, search: { maxHits: 3 } });
});

test('a repository does not decide by itself which agent is paid for a review', () => {
  const written = { run: { review: 'codex', reviewRounds: 1 } };
  expect(trustNeeded(written)).toEqual({ parts: { 'run.review': 'codex' } });
  expect(withoutTrust(written)).toEqual({ run: { reviewRounds: 1 } });
});

test('a repository cannot open the box of its runs by itself, and may ask for it to be required', () => {
  const open = { run: { confine: 'off', allow: ['~/.ssh'], concurrency: 2 } };
  expect(trustNeeded(open)).toEqual({ parts: { 'run.confine': 'off', 'run.allow': ['~/.ssh'] } });
  expect(withoutTrust(open)).toEqual({ run: { concurrency: 2 } });
  const strict = { run: { confine: 'required' } };
  expect(trustNeeded(strict)).toEqual({ parts: {} });
  expect(withoutTrust(strict)).toEqual(strict);
});

test('files that added arguments name are part of what a person agrees to', () => {
  expect(commandWords({ agents: { claude: { args: ['--mcp-config', './tools.json'] } } })).toEqual([
    '--mcp-config',
    './tools.json',
  ]);
});

test('a command that is run when somebody is needed counts only after agreement, with the files it names', () => {
  const written = { run: { notify: ['./tools/call.sh', '--quiet'], concurrency: 2 } };
  const { parts } = trustNeeded(written);
  expect(parts).toEqual({ 'run.notify': ['./tools/call.sh', '--quiet'] });
  expect(withoutTrust(written)).toEqual({ run: { concurrency: 2 } });
  expect(commandWords(parts)).toEqual(['./tools/call.sh', '--quiet']);
});
