import { expect, test } from 'vitest';
import { AGENTS } from '../../agents/index.ts';
import { launchWithPrompt } from './flag.ts';

test('the text is one argument of the launch, whatever is in it', () => {
  const agent = AGENTS.find(({ interactive }) => interactive?.launch?.prompt !== undefined)?.interactive;
  const plan = launchWithPrompt(agent ?? expect.fail(), '--help {text} $& "x"');
  expect(plan?.args.filter((word) => word.includes('--help {text} $& "x"'))).toHaveLength(1);
  expect(plan).toMatchObject({ set: {}, files: [] });
});

test('an agent that takes no prompt at its launch has no such launch', () => {
  const without = AGENTS.find(
    ({ interactive }) => interactive !== undefined && interactive.launch?.prompt === undefined,
  );
  expect(launchWithPrompt(without?.interactive ?? expect.fail(), 'read this')).toBeUndefined();
});
