// What an agent prints when it ends stays on the person's terminal, in their own one and in tmux, whose screen goes away with
// the agent.

import { describe, expect } from 'vitest';
import { untilEntry } from '../agents/tui-log.ts';
import { lively as test } from './live.ts';

const WORDS = ['Goodbye from \x1b[31mthe agent\x1b[m.', 'To go on: agent --resume 0f3d'];
const PLAIN = ['Goodbye from', 'the agent', 'To go on: agent --resume 0f3d'];

describe.concurrent.each([
  ['in the own terminal', []],
  ['in tmux', ['--tmux']],
] as const)('the last words of an agent %s', (_, flags) => {
  test.for(['plain', 'alternate'] as const)('are on the terminal afterwards (%s)', async (profile, { live }) => {
    const here = live({ exitAfterTurns: 1, exitStatus: 7, lastWords: WORDS }, { profile });
    const seat = here.sit(['start', 'tui', ...flags]);
    expect(await seat.status).toBe(7);
    await untilEntry(here.log, 'submit');
    expect(wordsOf(seat.output())).toEqual(PLAIN);
    if (flags.length > 0) expect(afterTmux(seat.output())).toMatch(/foreword: tui has ended \(session s[0-9a-f]{8}\)/);
  });
});

test('a person who leaves a session in tmux is shown nothing of it', async ({ live }) => {
  const here = live({ lastWords: WORDS });
  const { id } = await here.start();
  const seat = here.sit(['attach', id]);
  await seat.until('Done (1).');
  seat.write('\x02d');
  expect(await seat.status).toBe(0);
  expect(afterTmux(seat.output())).not.toContain('Done (1).');
  expect(afterTmux(seat.output())).toContain(`foreword: tui runs on; come back with foreword attach ${id}`);
  expect((await here.sessions()).map(({ endedAt }) => endedAt)).toEqual([undefined]);
});

/** The words that are on the normal screen at the end, in order. */
function wordsOf(output: string): readonly string[] {
  const rest = afterTmux(output);
  return PLAIN.filter((word) => rest.split(word).length === 2).toSorted(
    (one, other) => rest.indexOf(one) - rest.indexOf(other),
  );
}

/** Behind the last end of an alternate screen. */
function afterTmux(output: string): string {
  return output.slice(output.lastIndexOf('\x1b[?1049l') + 1);
}
