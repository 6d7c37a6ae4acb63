// What a person sees of a run on their terminal.

import { afterEach, expect, test } from 'vitest';
import { until } from '../processes/processes.ts';
import { type Field, fileTask, makeField } from './field.ts';
import { sitDown } from './seat.ts';

let field: Field | undefined;
afterEach(() => field?.remove());

const ids = (count: number) => Array.from({ length: count }, (_, index) => `task_${index + 1}`);

function fieldOf(count: number, agent: readonly string[], settings: object = {}): Field {
  field = makeField({ agents: { first: agent }, tasks: ids(count).map((id) => fileTask(id)), settings });
  return field;
}

test('200 tasks on 10 rows: the running ones are in sight, and each finished one is written once', async () => {
  const at = fieldOf(200, ['works', '400'], { run: { concurrency: 4 } });
  const seat = sitDown(at, at.args, { columns: 80, rows: 10 });
  await seat.sees(/^> task_\d+ +first #1( unboxed)? +0:0\d/);
  await seat.sees(/^done [4-9]\d* of 200 /);
  expect(seat.screen().filter((line) => line.startsWith('> ')).length).toBeGreaterThan(1);
  seat.type('\u0003');
  expect(await seat.ended()).toBe(130);
  const all = [...seat.above(), ...seat.screen()];
  const finished = all.filter((line) => / \+ task_\d+: completed/.test(line));
  expect(finished.length).toBeGreaterThan(3);
  expect(new Set(finished).size).toBe(finished.length);
  // Nothing of the view itself scrolled away, and nothing of it is left.
  expect(all.filter((line) => /^(> |~ |done \d+ of|next: )/.test(line))).toEqual([]);
  expect(seat.hasCursor()).toBe(true);
});

test('the agent’s last line is in sight, without what would move the cursor', async () => {
  const at = fieldOf(1, ['prints', '\u001b[31mEdit src/a.ts\u001b[2J\u001b[H', '漢字'.repeat(60)]);
  const seat = sitDown(at, at.args, { columns: 80, rows: 24 });
  await seat.sees(/^> task_1 +first #1( unboxed)? +0:0\d +漢字漢字.*\.\.\.$/);
  expect(seat.screen().every((line) => line.length <= 79)).toBe(true);
  seat.type('\u0003');
  expect(await seat.ended()).toBe(130);
});

test('a check that takes long is seen as that, by name, and not as an agent that says nothing', async () => {
  const slow = { text: 'unit tests pass', check: { command: ['sh', '-c', 'test ! -e done-a.txt || sleep 600'] } };
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a', { acceptance_criteria: [slow] })] });
  const seat = sitDown(field, field.args, { columns: 100, rows: 24 });
  await seat.sees(/^> a +first #1( unboxed)? +0:\d\d +checking 0:0[1-9]: unit tests pass$/);
  seat.type('\u0003');
  expect(await seat.ended()).toBe(130);
});

test('a terminal that becomes narrow, low and large again shows one view', async () => {
  const at = fieldOf(3, ['hangs']);
  const seat = sitDown(at, at.args, { columns: 120, rows: 30 });
  await seat.sees(/^> task_1/);
  for (const [columns, rows] of [
    [20, 30],
    [60, 6],
    [100, 40],
  ] as const) {
    seat.resize(columns, rows);
    await seat.sees(/^> task_1/);
    await until(
      `one view at ${columns}x${rows}`,
      () => {
        const lines = seat.screen();
        return (
          lines.filter((line) => line.startsWith('> task_1')).length === 1 &&
          lines.filter((line) => line.startsWith('done 0 of 3')).length === 1
        );
      },
      5000,
    );
  }
  seat.type('\u0003');
  await seat.ended();
  expect(seat.hasCursor()).toBe(true);
});

test('Ctrl-C shows that the run stops; the second one exits at once and gives the cursor back', async () => {
  const at = fieldOf(1, ['ignores-term']);
  const seat = sitDown(at, at.args, { columns: 100, rows: 24 });
  await seat.sees(/^> task_1 +first #1 .* deaf$/);
  seat.type('\u0003');
  await seat.sees('stopping; Ctrl-C again exits at once');
  expect(seat.hasCursor()).toBe(false);
  seat.type('\u0003');
  expect(await seat.ended()).toBe(130);
  expect(seat.hasCursor()).toBe(true);
});

test('NO_COLOR has the view without colour, TERM=dumb lines with times and nothing else', async () => {
  const plain = sitDown(fieldOf(1, ['works', '500']), field?.args ?? [], {
    columns: 80,
    rows: 24,
    env: { NO_COLOR: '1' },
  });
  await plain.sees(/^> task_1/);
  expect(await plain.ended()).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  expect(plain.bytes()).not.toMatch(/\u001b\[\d*m/);
  field?.remove();
  const dumb = sitDown(fieldOf(1, ['works']), field?.args ?? [], { columns: 80, rows: 24, env: { TERM: 'dumb' } });
  expect(await dumb.ended()).toBe(0);
  expect(dumb.bytes()).not.toContain('\u001b');
  expect(dumb.screen()[0]).toMatch(/^\d\d:\d\d:\d\d date: \d{4}-\d\d-\d\d$/);
  expect(dumb.screen()[1]).toMatch(/^\d\d:\d\d:\d\d run: begins on branch /);
});

test('while nothing changes, only the clock is drawn', async () => {
  const at = fieldOf(50, ['hangs']);
  const seat = sitDown(at, at.args, { columns: 80, rows: 24 });
  await seat.sees(/^> task_1/);
  const before = seat.bytes().length;
  await until('some seconds passed', () => seat.screen().some((line) => /^> task_1 .* 0:0[4-9]/.test(line)), 10_000);
  // A frame for each second, not ten.
  expect(seat.bytes().length - before).toBeLessThan(6 * 1000);
  seat.type('\u0003');
  await seat.ended();
  expect(seat.above().length).toBe(0);
});
