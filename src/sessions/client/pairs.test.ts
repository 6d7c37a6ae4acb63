import { expect, test } from 'vitest';
import { fakeRecord } from '../../testing/fake-session.ts';
import { homeOf, seatingOf } from './pairs.ts';

const alone = fakeRecord({ id: 's0' });

test('a session that has its terminal to itself is neither in front nor behind', () => {
  expect(seatingOf(alone, [alone])).toBeUndefined();
  const left = fakeRecord({ id: 's2', beside: 's1' });
  expect(seatingOf(left, [alone, left])).toBeUndefined();
  const back = fakeRecord({ id: 's1', shows: 's2' });
  expect(seatingOf(back, [back])).toBeUndefined();
});

test('of a pair the one is in front that the terminal shows', () => {
  const seatings = (firstShows: string | undefined, secondShows: string | undefined) => {
    const first = fakeRecord({ id: 's1', shows: firstShows });
    const second = fakeRecord({ id: 's2', beside: 's1', shows: secondShows });
    const running = [alone, first, second];
    return [seatingOf(first, running), seatingOf(second, running)];
  };
  expect(seatings('s2', undefined)).toEqual(['behind', 'in front']);
  // In the own terminal both records say so, in tmux only that of the first.
  expect(seatings(undefined, 's1')).toEqual(['in front', 'behind']);
  expect(seatings(undefined, undefined)).toEqual(['in front', 'behind']);
});

test('the terminal of a pair is that of the first, while it runs', () => {
  const first = fakeRecord({ id: 's1' });
  const second = fakeRecord({ id: 's2', beside: 's1' });
  expect(homeOf(second, [first, second])).toBe(first);
  expect(homeOf(second, [second])).toBe(second);
});
