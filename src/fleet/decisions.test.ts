// The small decisions of a fleet.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bellId, bellPriority, readBell } from './bells.ts';
import { canDo } from './eligible.ts';
import { withoutPassword } from './enqueue.ts';
import { releasedBy, taskGraph } from './graph.ts';
import { endsAgentsAfter } from './lock-clock.ts';
import { forgotten, stateOf } from './old-signs.ts';
import { evictionNote, evictionRefusal, rulesRefusal, skewNote } from './refusals.ts';

describe('a bell', () => {
  test('has an id of its own for each task and epoch, without what the queue refuses', () => {
    const bell = fc.record({ task: fc.string({ minLength: 1, unit: 'binary' }), epoch: fc.nat() });
    fc.assert(
      fc.property(bell, bell, (one, other) => {
        const [first, second] = [bellId(one), bellId(other)];
        expect(first).not.toMatch(/:|^\d+$/);
        const isSame = one.task.toWellFormed() === other.task.toWellFormed() && one.epoch === other.epoch;
        expect(first === second).toBe(isSame);
      }),
    );
  });

  test('always has a priority, lower first, in the range of the queue', () => {
    expect([-5, 0, 1, 1000].map(bellPriority)).toEqual([999_995, 1_000_000, 1_000_001, 1_001_000]);
    expect([-1e12, 1e12, Number.NaN].map(bellPriority)).toEqual([1, 2_097_151, 2_097_151]);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'a'],
    ['a list', ['a', 1]],
    ['a command', { task: 'a', epoch: 1, command: 'rm -rf /' }],
    ['no task', { epoch: 1 }],
    ['an empty task', { task: '', epoch: 1 }],
    ['a number as task', { task: 7, epoch: 1 }],
    ['a negative epoch', { task: 'a', epoch: -1 }],
    ['a text as epoch', { task: 'a', epoch: '1' }],
    ['a task of a megabyte', { task: 'a'.repeat(1 << 20), epoch: 1 }],
  ])('is not read from %s', (_, data) => expect(readBell(data)).toBeUndefined());

  test('is read from what was rung', () => {
    expect(readBell({ task: 'a', epoch: 0 })).toEqual({ task: 'a', epoch: 0 });
  });
});

describe('the graph', () => {
  const diamond = [
    { task_id: 'top', depends_on: [] },
    { task_id: 'left', depends_on: ['top'] },
    { task_id: 'right', depends_on: ['top', 'top'] },
    { task_id: 'end', depends_on: ['left', 'right'] },
  ];
  const dependsOn = (id: string) => diamond.find(({ task_id }) => task_id === id)?.depends_on ?? [];

  test('releases a task with the last of those that it waits for', () => {
    const graph = taskGraph(diamond);
    const isCompleted = (done: readonly string[]) => (id: string) => done.includes(id);
    expect(releasedBy(graph, 'top', { isCompleted: isCompleted([]), dependsOn })).toEqual(['left', 'right']);
    expect(releasedBy(graph, 'left', { isCompleted: isCompleted(['top']), dependsOn })).toEqual([]);
    expect(releasedBy(graph, 'right', { isCompleted: isCompleted(['top', 'left']), dependsOn })).toEqual(['end']);
  });

  test('knows everything that waits for a task, once each, also in a circle', () => {
    expect(taskGraph(diamond).below('top')).toEqual(['left', 'right', 'end']);
    const circle = [
      { task_id: 'a', depends_on: ['b'] },
      { task_id: 'b', depends_on: ['a'] },
    ];
    expect(taskGraph(circle).below('a')).toEqual(['b', 'a']);
  });
});

test('agents are ended before the lease ends, and a renewal may fail before', () => {
  for (const lockMs of [1_000, 30_000, 120_000, 600_000]) {
    expect(endsAgentsAfter(lockMs)).toBeLessThan(lockMs);
    expect(endsAgentsAfter(lockMs)).toBeGreaterThan((2 * lockMs) / 3);
  }
  // An outage of a minute must not end the agents of a fleet with the usual lock.
  expect(endsAgentsAfter(120_000) - 120_000 / 3).toBeGreaterThan(60_000);
});

test('a task goes to workers that have one of its agents', () => {
  expect(canDo(['first'], { agents: ['second', 'first'] })).toBe(true);
  expect(canDo(['first'], { agents: ['second'] })).toBe(false);
  expect(canDo(['first'], {})).toBe(true);
  expect(canDo([], {})).toBe(false);
});

describe('a machine is refused', () => {
  const rules = { protocol: 1, lockMs: 120_000, stalledMs: 30_000 };

  test('with other rules than the fleet, and told which to set', () => {
    expect(rulesRefusal(rules, rules)).toBeUndefined();
    expect(rulesRefusal(rules, { ...rules, stalledMs: 5_000 })).toEqual({
      message: 'The workers of this fleet use worker.stalledMs 30000, and this machine has 5000.',
      hint: "One setting holds for all: set worker.stalledMs to 30000 here (with --config FILE in that file, which replaces the project's), or enqueue into a new fleet.",
    });
  });

  test('with another version, whichever is older', () => {
    expect(rulesRefusal({ ...rules, protocol: 2 }, rules)?.message).toContain('a newer version');
    expect(rulesRefusal(rules, { ...rules, protocol: 2 })?.message).toContain('an older version');
  });

  test('by a server that may remove locks; one that does not say is only noted', () => {
    for (const eviction of ['allkeys-lru', 'volatile-lru', 'volatile-ttl'])
      expect(evictionRefusal({ eviction })?.message).toContain(`maxmemory-policy ${eviction}`);
    expect([evictionRefusal({ eviction: 'noeviction' }), evictionNote({ eviction: 'noeviction' })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(evictionRefusal({ eviction: undefined })).toBeUndefined();
    expect(evictionNote({ eviction: undefined })).toContain('does not say');
  });
});

test('a clock that is off is noted, with how far', () => {
  expect(skewNote(100_000, 98_000)).toBeUndefined();
  expect(skewNote(400_000, 100_000)).toContain('300 s ahead of the store');
  expect(skewNote(0, 61_000)).toContain('61 s behind the store');
});

test.each([
  ['https://host/x.git', 'https://host/x.git'],
  ['https://token@host/x.git', 'https://host/x.git'],
  ['https://u:p@ss@host:8443/a@b.git', 'https://host:8443/a@b.git'],
  ['git+ssh://u:p@host/x', 'git+ssh://host/x'],
  ['git@host:a/x.git', 'git@host:a/x.git'],
  ['/srv/a@b.git', '/srv/a@b.git'],
])('the address %s is shown as %s', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});

describe('a worker that died', () => {
  const NOW = Date.UTC(2026, 10, 18);
  const silent = (id: string, ms: number) => ({ id, seenAt: new Date(NOW - ms).toISOString() });

  test('is silent after half a minute without a sign', () => {
    const sign = (ms: number) => ({ ...silent('w', ms), state: 'open' as const });
    expect([29_000, 31_000].map((ms) => stateOf(sign(ms), NOW))).toEqual(['open', 'silent']);
  });

  test('is listed for a day, and of many dead ones the youngest fifty', () => {
    expect(forgotten([silent('now', 0), silent('hour', 3_600_000), silent('days', 90_000_000)], NOW)).toEqual(['days']);
    const crashing = Array.from({ length: 60 }, (_, index) => silent(`c${index}`, 40_000 + index));
    const living = Array.from({ length: 60 }, (_, index) => silent(`l${index}`, index));
    expect(forgotten([...crashing, ...living], NOW)).toEqual(crashing.slice(50).map(({ id }) => id));
  });
});
