import { expect, test } from 'vitest';
import { refuseTerminal } from './hook-command.ts';
import { hookArguments } from './process.ts';

test('at a terminal a person learns that a hook reads JSON, or which hooks there are', () => {
  const stdin = { isTTY: true };
  expect(() => refuseTerminal('pre-tool', 'claude', stdin)).toThrow(
    'A hook reads JSON from an agent, and stdin is a terminal.',
  );
  expect(() => refuseTerminal('pre-tul', 'claude', stdin)).toThrow(
    expect.objectContaining({
      code: 'bad-usage',
      message: 'There is no hook pre-tul for claude.',
      hint: expect.stringContaining('pre-tool'),
    }),
  );
});

test('with a payload even an unknown hook is not refused: agents must not notice', () => {
  expect(() => refuseTerminal('pre-tul', 'nobody', {})).not.toThrow();
});

test('the words of the hook program are read without its flags', () => {
  const words = ['node', 'hook.cjs', 'pre-tool', 'claude', '--keep-code', 'ses-1/0'];
  expect(hookArguments(words)).toEqual({ event: 'pre-tool', agent: 'claude', claim: 'ses-1/0' });
  expect(hookArguments(['node', 'hook.cjs'])).toEqual({ event: '', agent: '', claim: undefined });
});
