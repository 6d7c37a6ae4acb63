import { expect, test } from 'vitest';
import { openProgress } from './progress.ts';
import { working } from './working.ts';

function screen(isTTY: boolean) {
  const written: string[] = [];
  let ms = 5000;
  const to = { stream: { isTTY, write: (text: string) => written.push(text) }, now: () => ms };
  return {
    to,
    written,
    pass: (more: number) => {
      ms += more;
    },
  };
}

test('on a terminal the line is drawn after a second, five times a second at most, and cleared', () => {
  const { to, written, pass } = screen(true);
  const progress = openProgress({ isQuiet: false }, to);
  for (let tenth = 0; tenth < 15; tenth += 1) {
    progress.show(`${tenth} of 15`);
    pass(100);
  }
  expect(written).toEqual(['\r10 of 15\u001b[K', '\r12 of 15\u001b[K', '\r14 of 15\u001b[K']);
  progress.close();
  progress.close();
  expect(written.slice(3)).toEqual(['\r\u001b[K']);
});

test('work of less than a second shows nothing', () => {
  const { to, written, pass } = screen(true);
  const progress = openProgress({ isQuiet: false }, to);
  for (const ms of [0, 500, 499]) {
    pass(ms);
    progress.show('soon');
  }
  progress.close();
  expect(written).toEqual([]);
});

test.each([
  ['not a terminal', false, false],
  ['asked for JSON', true, true],
])('nothing is shown where it is %s', (_why, isTTY, isQuiet) => {
  const { to, written, pass } = screen(isTTY);
  const progress = openProgress({ isQuiet }, to);
  pass(10_000);
  progress.show('unseen');
  progress.close();
  expect(written).toEqual([]);
});

const QUIET = { has: () => false };
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('long work has a line with its seconds, none while somebody is asked, and none after another program got the terminal', async () => {
  const { to, written, pass } = screen(true);
  pass(0);
  const end = await working(
    QUIET,
    'merging',
    async (line) => {
      pass(1000);
      await later(700);
      const drawn = written.length;
      await line.without(() => later(700));
      const whileAsked = written.length - drawn;
      pass(1000);
      await later(600);
      line.stop();
      const stopped = written.length;
      pass(1000);
      await later(600);
      return [drawn > 0, whileAsked, written.length - stopped];
    },
    to,
  );
  // While it was asked the line was cleared, and no more.
  expect(end).toEqual([true, 1, 0]);
  expect(written[0]).toBe('\rmerging, 1 s\u001b[K');
  expect(written.at(-1)).toBe('\r\u001b[K');
});
