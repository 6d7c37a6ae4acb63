import { expect, test } from 'vitest';
import { runGit, runGitSync } from './run-git.ts';

const shell = { program: '/bin/sh', cwd: '/', env: {} };

test('the result is the standard output, and nothing of our environment is there', async () => {
  expect((await runGit(shell, ['-c', 'cat; echo "$HOME$USER"'])).toString()).toBe('\n');
  expect(runGitSync(shell, ['-c', 'printf yes'])?.toString()).toBe('yes');
});

test('a failure has the words of git', async () => {
  await expect(runGit(shell, ['-c', 'echo "fatal: no"  >&2; echo more >&2; exit 128'])).rejects.toMatchObject({
    code: 'bad-input',
    faults: [{ where: '/', path: '', message: '"git -c" failed: fatal: no more' }],
  });
  expect(() => runGitSync(shell, ['-c', 'exit 2'])).toThrow('"git -c" failed: no reason given');
  expect(runGitSync(shell, ['-c', 'exit 1'])).toBeUndefined();
});

test('a git that does not end is ended', async () => {
  const slow = { ...shell, timeLimitMs: 30 };
  await expect(runGit(slow, ['-c', 'exec /bin/sleep 60'])).rejects.toThrow('took longer than 0.03 seconds');
  expect(() => runGitSync(slow, ['-c', 'exec /bin/sleep 60'])).toThrow('took longer than 0.03 seconds');
});

test('output that is too long is an error and not cut', async () => {
  const short = { ...shell, outputLimit: 3 };
  await expect(runGit(short, ['-c', 'echo long'])).rejects.toThrow('printed more than 3 bytes');
  expect(() => runGitSync(short, ['-c', 'echo long'])).toThrow('printed more than 3 bytes');
});

test('a program that cannot be started is an error', async () => {
  await expect(runGit({ ...shell, program: '/no/such/git' }, ['x'])).rejects.toThrow('ENOENT');
  expect(() => runGitSync({ ...shell, program: '/no/such/git' }, ['x'])).toThrow('ENOENT');
});
