import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { completeClaim, isDone, isStillMine, loseClaims, releaseClaim, takeClaim } from './claims.ts';
import { beginEpoch, epochOf } from './epochs.ts';

let folder: string;
let claims: string;
beforeEach(() => {
  folder = temporaryFolder('claims');
  claims = join(folder, 'gate/session@0');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const later = (ms: number) => Date.now() + ms;

test('the first has it, others find it held, also when it was printed', () => {
  const mine = takeClaim(claims, Date.now());
  expect(mine).toEqual({ kind: 'mine', folder: claims, number: 0 });
  expect(takeClaim(claims, Date.now())).toEqual({ kind: 'held' });
  expect(isStillMine(mine, Date.now())).toBe(true);
  expect(completeClaim(mine)).toBeUndefined();
  expect(isDone(claims)).toBe(true);
  expect(takeClaim(claims, later(60_000))).toEqual({ kind: 'held' });
});

test('a claim that was not completed is lost after two seconds, and one of those who see it takes its place', () => {
  const first = takeClaim(claims, Date.now());
  expect(takeClaim(claims, later(1900))).toEqual({ kind: 'held' });
  expect(takeClaim(claims, later(2100))).toEqual({ kind: 'mine', folder: claims, number: 1 });
  expect(takeClaim(claims, later(1900))).toEqual({ kind: 'held' });
  expect(isStillMine(first, later(2200))).toBe(false);
});

test('a claim of a process that was killed is lost at once, for one of those who come next; a printed one is not', () => {
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const abandoned = (number: number) => {
    const path = number === 0 ? claims : join(claims, String(number));
    renameSync(join(path, `by-${process.pid}`), join(path, `by-${gone}`));
  };
  takeClaim(claims, Date.now());
  abandoned(0);
  expect(takeClaim(claims, Date.now())).toEqual({ kind: 'mine', folder: claims, number: 1 });
  expect(takeClaim(claims, Date.now())).toEqual({ kind: 'held' });
  abandoned(1);
  const third = takeClaim(claims, Date.now());
  expect(third).toEqual({ kind: 'mine', folder: claims, number: 2 });
  // Each try may cost the agent its deadline.
  abandoned(2);
  expect(takeClaim(claims, later(10_000))).toEqual({ kind: 'held' });
  completeClaim(third);
  expect(takeClaim(claims, later(70_000))).toEqual({ kind: 'held' });
});

test('who was slow sees at any moment that another took its place and printed, also when it made its record meanwhile', () => {
  const slow = takeClaim(claims, later(-2600));
  utimesSync(claims, later(-2600) / 1000, later(-2600) / 1000);
  const next = takeClaim(claims, Date.now());
  expect(next).toEqual({ kind: 'mine', folder: claims, number: 1 });
  expect(isStillMine(slow, Date.now())).toBe(false);
  completeClaim(next);
  mkdirSync(join(claims, 'ready-1-0'));
  expect(isStillMine(slow, Date.now())).toBe(false);
  expect(isStillMine(slow, later(2000))).toBe(false);
});

test('its maker, if it was only slow, renews it', () => {
  const slow = takeClaim(claims, Date.now());
  expect(isStillMine(slow, later(3000))).toBe(true);
  expect(takeClaim(claims, later(4000))).toEqual({ kind: 'held' });
});

test('a claim from the future, by a clock that was set back, does not hold for ever', () => {
  takeClaim(claims, Date.now());
  utimesSync(claims, later(3_600_000) / 1000, later(3_600_000) / 1000);
  expect(takeClaim(claims, Date.now()).kind).toBe('mine');
});

test('a claim that is given back is there for the next', () => {
  releaseClaim(takeClaim(claims, Date.now()));
  expect(takeClaim(claims, Date.now()).kind).toBe('mine');
});

test('a process that gives up leaves its turn to the next at once, and what it printed counts as printed', () => {
  const printed = takeClaim(join(folder, 'gate/other@0'), Date.now());
  completeClaim(printed);
  takeClaim(claims, Date.now());
  loseClaims();
  expect(takeClaim(claims, Date.now())).toEqual({ kind: 'mine', folder: claims, number: 1 });
  expect(takeClaim(claims, Date.now())).toEqual({ kind: 'held' });
  expect(takeClaim(join(folder, 'gate/other@0'), later(60_000))).toEqual({ kind: 'held' });
});

test('where it fails again and again it is tried once a minute', () => {
  for (let number = 0; number < 3; number += 1) {
    expect(takeClaim(claims, Date.now())).toEqual({ kind: 'mine', folder: claims, number });
    loseClaims();
  }
  expect(takeClaim(claims, later(50_000))).toEqual({ kind: 'held' });
  expect(takeClaim(claims, later(61_000))).toEqual({ kind: 'mine', folder: claims, number: 3 });
});

test('where nothing can be written every call may print', () => {
  writeFileSync(join(folder, 'file'), '');
  const claim = takeClaim(join(folder, 'file/session'), Date.now());
  expect(claim.kind).toBe('unwritable');
  expect(isStillMine(claim, Date.now())).toBe(true);
  expect(completeClaim(claim)).toBe('ENOTDIR');
});

test('a new epoch is begun once for events that come together', async () => {
  const session = join(folder, 'session');
  expect(epochOf(session)).toBe(0);
  await beginEpoch(session, Date.now());
  await beginEpoch(session, later(100));
  expect(epochOf(session)).toBe(1);
  await beginEpoch(session, later(60_000));
  expect(epochOf(session)).toBe(2);
});

test('an epoch that cannot be read is the first', () => {
  mkdirSync(join(folder, 'session'));
  writeFileSync(join(folder, 'session/epoch'), '../../etc\n');
  expect(epochOf(join(folder, 'session'))).toBe(0);
});
