import { describe, expect, test } from 'vitest';
import { AGENTS } from '../agents/index.ts';
import { ownStart, resumedSession, withOurArguments } from './own-arguments.ts';

const RULE = {
  values: ['--model -m'],
  prompts: ['-i', '--ask'],
  resumes: ['-r', '--resume', 'resume'],
};

test.each([
  ['nothing', []],
  ['nothing', ['--fast']],
  ['nothing', ['--model', 'opus', '-m', 'x', '--fast']],
  ['nothing', ['--model=opus']],
  ['nothing', ['--']],
  ['prompt', ['fix it']],
  ['prompt', ['--model', 'opus', 'fix it']],
  ['prompt', ['--model=opus', 'fix it']],
  ['prompt', ['--', '-x is broken']],
  ['prompt', ['--', '--resume']],
  ['prompt', ['-i', 'fix it']],
  ['prompt', ['-ifix']],
  ['prompt', ['--ask=fix it']],
  ['unclear', ['--fast', 'fix it']],
  ['older-session', ['--resume']],
  ['older-session', ['-r', 'abc', 'fix it']],
  ['older-session', ['--resume=abc']],
  ['older-session', ['resume', '--last']],
  ['nothing', ['--model', 'resume']],
] as const)('%s: %j', (expected, args) => {
  expect(ownStart(args, RULE)).toBe(expected);
});

test('of an agent about which nothing is known every word may be a prompt', () => {
  expect([ownStart(['--fast']), ownStart(['x']), ownStart(['--model', 'x'])]).toEqual(['nothing', 'prompt', 'unclear']);
});

test('a word is no prompt for an agent that takes a folder there', () => {
  expect(ownStart(['../shop'], { ...RULE, takesNoWords: true })).toBe('nothing');
  expect(ownStart(['../shop', '--ask', 'x'], { ...RULE, takesNoWords: true })).toBe('prompt');
});

test.each([
  [undefined, []],
  [undefined, ['fix it']],
  ['newest', ['--resume']],
  ['newest', ['resume', '--last']],
  ['abc', ['--resume', 'abc']],
  ['abc', ['--resume=abc', 'fix it']],
  ['abc', ['--model', 'opus', 'resume', 'abc', 'fix it']],
  ['abc', ['resume', '--model', 'opus', 'abc']],
] as const)('the session that is gone on in is %s: %j', (expected, args) => {
  expect(resumedSession(args, RULE)).toBe(expected);
});

test('ours go before what ends the options of a person', () => {
  expect(withOurArguments(['--fast', 'x'], ['--hooks', 'h'])).toEqual(['--fast', 'x', '--hooks', 'h']);
  expect(withOurArguments(['--fast', '--', '-x'], ['--hooks', 'h'])).toEqual(['--fast', '--hooks', 'h', '--', '-x']);
});

describe('an agent whose launch takes a prompt of ours', () => {
  const all = AGENTS.filter(({ interactive }) => interactive?.launch?.prompt !== undefined);

  test.each(all.map(({ name, interactive }) => [name, interactive?.launch] as const))(
    '%s has what a person gives it as data, and ours is read as a prompt',
    (_, launch) => {
      expect(launch?.own).toBeDefined();
      expect(ownStart(launch?.prompt?.map((part) => part.replace('{text}', 'hello')) ?? [], launch?.own)).toBe(
        'prompt',
      );
      for (const resume of launch?.own?.resumes ?? []) expect(ownStart([resume], launch?.own)).toBe('older-session');
      expect(launch?.own?.resumes.length).toBeGreaterThan(0);
    },
  );
});
