// Whatever an agent writes, and however much, the memory for its screen stays small.

import { expect, test } from 'vitest';
import { openScreen } from '../../src/terminals/screen/screen.ts';
import { scaled } from '../scale.ts';

const MEGABYTES = scaled(100);
const SIZE = { cols: 120, rows: 40 };
/** Of a hundred megabytes; what Node itself keeps for a while is some tens. */
const MOST_GROWTH = 100 * 1024 * 1024;

/** What it is of, how it begins, what comes again and again, and which part of the amount (some of it is dear). */
const floods: readonly (readonly [what: string, start: string, unit: string, part?: number])[] = [
  ['lines', '', 'a line of an endless log with some words in it\r\n'],
  ['one line without an end', '', 'word '],
  ['a title that never ends', '\x1b]0;', 'title'],
  ['a clipboard that never ends', '\x1b]52;c;', 'QUJD'],
  ['a picture that never ends', '\x1bPq', '#0!10~-'],
  ['a status string that never ends', '\x1bP1$q', 'm'],
  ['an application string that never ends', '\x1b_', 'G'],
  ['marks on one character', 'e', '\u0301'],
  ['joiners on one character', '👩', '\u200d'],
  ['links on one line', '', '\x1b[H\x1b]8;id=1;http://example.org/page\x1b\\link\x1b]8;;\x1b\\'],
  ['parameters of one sequence', '\x1b[', '1;2;'],
  ['frames that are never finished', '', '\x1b[?2026h\x1b[Hx'],
  ['titles pushed on the stack', '', '\x1b[22;0t\x1b]2;t\x07'],
  ['other screens', '', '\x1b[?1049h\x1b[?1049l', 0.02],
];

test.each(floods.map((flood) => ({ flood, what: flood[0] })))('a flood of $what', async ({ flood }) => {
  const [, start, unit, part = 1] = flood;
  const screen = await openScreen(SIZE);
  const portion = Buffer.from(unit.repeat(Math.ceil(65_536 / unit.length)));
  screen.feed(Buffer.from(start));
  const before = process.memoryUsage().rss;
  let most = before;
  for (let fed = 0; fed < MEGABYTES * 1e6 * part; fed += portion.length) {
    screen.feed(portion);
    if (screen.backlog > 1e6) await screen.settled();
    most = Math.max(most, process.memoryUsage.rss());
  }
  await screen.settled();
  expect(most - before).toBeLessThan(MOST_GROWTH);
  // It still works: whatever it was in the middle of is left by CAN and a reset.
  screen.feed(Buffer.from('\x18\x1bcafter the flood'));
  await screen.settled();
  expect(screen.read().lines[0]).toBe('after the flood');
  screen.close();
});

test('who feeds without looking at the backlog is slowed down, and nothing piles up', async () => {
  const screen = await openScreen(SIZE);
  const portion = Buffer.from('a line of an endless log with some words in it\r\n'.repeat(2000));
  let most = 0;
  for (let fed = 0; fed < MEGABYTES * 1e6; fed += portion.length) {
    screen.feed(portion);
    most = Math.max(most, screen.backlog);
  }
  expect(most).toBeLessThanOrEqual(4 * 1024 * 1024);
  await screen.settled();
  expect(screen.backlog).toBe(0);
  screen.close();
});

test('a hundred thousand changes of size do no harm', async () => {
  const screen = await openScreen(SIZE);
  for (let round = 0; round < scaled(100_000); round += 1)
    screen.resize({ cols: (round * 7) % 300, rows: (round * 3) % 100 });
  screen.resize(SIZE);
  screen.feed(Buffer.from('\x1bcstill here'));
  await screen.settled();
  expect(screen.read()).toMatchObject({ cols: 120, rows: 40 });
  expect(screen.read().lines[0]).toBe('still here');
  screen.close();
});
