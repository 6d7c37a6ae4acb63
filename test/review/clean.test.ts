// `foreword clean` on what runs left: what nobody needs goes, and what somebody needs is still there afterwards, whatever the
// person's own `git gc` took meanwhile.

import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accept } from '../../src/runs/review/accept.ts';
import { type CleanPorts, listLeftovers, removeLeftovers } from '../../src/runs/review/clean-runs.ts';
import { merge } from '../../src/runs/review/merge.ts';
import { showCommit } from '../../src/runs/review/show.ts';
import { openLeases } from '../../src/runs/workplaces/lease.ts';
import { NOON } from '../../src/stores/contract/samples.ts';
import { runPlaces } from '../../src/system/files/project-state.ts';
import { temporaryFolder } from '../bundle.ts';
import { everything } from '../checkouts/field.ts';
import { longTest } from '../long.ts';
import { allowed, allowedMerge, type ReviewField, RUN, refs, reviewField } from './field.ts';

let folder: string;
let field: ReviewField;
beforeEach(() => {
  folder = temporaryFolder('clean');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const DAY = 24 * 60 * 60 * 1000;
const alive = new Set(['me']);
const owner = (name: string) => ({ name, isAlive: (other: string) => alive.has(other) });
const placesOf = () => runPlaces(field.places, join(folder, 'runs'), folder);

function ports(afterMs: number): CleanPorts {
  return {
    readStores: async () => field.stores,
    state: { toLook: () => ({ id: '', store: '', index: '' }), runs: placesOf },
    source: () => field.open(),
    owner: owner('me'),
    now: () => NOON + afterMs,
  };
}

const clean = (afterMs: number) => removeLeftovers(ports(afterMs));
const list = (afterMs: number) => listLeftovers(ports(afterMs));
const lines = (all: Awaited<ReturnType<typeof list>>) =>
  all
    .filter(({ kind }) => kind !== 'objects' && kind !== 'checkout')
    .map(({ what, kept }) => (kept === undefined ? what : `! ${what}: ${kept}`));
const own = async (...args: string[]) => (await field.source.own.run(args)).toString('utf8').trimEnd();
const ownRefs = async () => (await own('for-each-ref', '--format=%(refname)')).split('\n').filter(Boolean);
const theirRefs = () => field.person.run('for-each-ref', '--format=%(refname)').split('\n');

async function mergeIt(isSquash = false): Promise<void> {
  const how = { announce: () => undefined, snapshots: field.places.work.snapshots, away: [] };
  expect(await merge(field.parts, await allowedMerge(field, isSquash), how)).toMatchObject({ kind: 'merged' });
}

/** Everything in our repository was written long ago. */
function age(): void {
  const walk = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) walk(inner);
      else if (entry.isFile()) utimesSync(inner, 0, 0);
    }
  };
  walk(field.places.work.directory);
}

describe('in a repository', () => {
  beforeEach(async () => {
    field = await reviewField(folder, ({ person, env }) => {
      person.write('a', 'a\n');
      person.write('b', 'b\n');
      person.commit();
      writeFileSync(join(env.HOME ?? '', '.gitconfig'), '[user]\n\tname = Me\n\temail = me@example.invalid\n');
    });
  });

  test('a merged run goes with its branch, its attempts after 14 days, and nothing is listed then', async () => {
    const commit = await field.complete('t', { a: 'new\n' });
    await mergeIt();
    const listed = await list(DAY);
    expect(lines(listed)).toEqual([`run ${RUN}, which is merged`, `branch foreword/${RUN}`]);
    expect(await ownRefs()).toHaveLength(3);
    const before = everything(field.person.root, /^\.git$/);
    expect(await clean(DAY)).toEqual(listed);
    expect([await ownRefs(), theirRefs()]).toEqual([
      [refs.attempt('t', 1)],
      ['refs/foreword/r1/base', 'refs/heads/main'],
    ]);
    expect(lines(await clean(15 * DAY))).toEqual([
      `attempt 1 of task t, older than 14 days`,
      `run ${RUN}, which is merged`,
    ]);
    expect([await ownRefs(), theirRefs()]).toEqual([[], ['refs/heads/main']]);
    expect(everything(field.person.root, /^\.git$/)).toEqual(before);
    expect((await showCommit(field.source, commit)).text).toContain('+new');
    expect(await list(15 * DAY)).toEqual([]);
  });

  test('an open run stays, and of its attempts those that are young or that somebody decides on', async () => {
    await field.complete('done', { a: 'new\n' });
    const waiting = await field.attempt('waits', { b: 'x\n' });
    const failed = await field.attempt('failed', { b: 'y\n' }, { status: 'failed' });
    expect(await list(13 * DAY)).toMatchObject([{ kind: 'checkout' }]);
    expect(lines(await clean(15 * DAY))).toEqual([
      'attempt 1 of task done, older than 14 days',
      'attempt 1 of task failed, older than 14 days',
    ]);
    expect(await ownRefs()).toEqual([refs.base, refs.attempt('waits', 1), refs.tip]);
    expect((await showCommit(field.source, waiting)).text).toContain('+x');
    age();
    await clean(15 * DAY);
    await expect(showCommit(field.source, failed)).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('foreword clean removes attempts after 14 days'),
    });
  });

  test('what the person decides on and what is young survives clean and their own git gc; the rest is gone', async () => {
    await field.attempt('waits', { b: 'x\n'.repeat(100), c: 'new\n' });
    const lost = await field.attempt('lost', { b: 'never seen again\n' }, { status: 'failed' });
    await own('update-ref', '-d', refs.attempt('lost', 1));
    // One that was cut off: only the record of its task names what it left.
    const cut = await own('rev-parse', `${await field.attempt('cut', { d: 'cut\n' }, { status: 'queued' })}^{tree}`);
    await own('update-ref', '-d', refs.attempt('cut', 1));
    await field.stores.tasks.amend({ ...(await field.task('cut')), origin: `${cut}-0000000000000000` }, NOON);
    age();
    const removed = await clean(DAY);
    expect(removed).toContainEqual({
      kind: 'objects',
      what: expect.stringMatching(/^objects that nothing needs, \d+ KiB$/),
    });
    await expect(own('cat-file', '-e', lost)).rejects.toThrow();
    expect(await own('ls-tree', '-r', '--name-only', cut)).toContain('d');
    field.person.run('reflog', 'expire', '--expire=now', '--all');
    field.person.run('gc', '--quiet', '--prune=now');
    const { facts, act } = await allowed(field, ['waits', { name: 'accept' }, 'accept']);
    expect(await accept(field.parts, facts, act)).toMatchObject({ kind: 'accepted' });
    expect(field.person.run('show', `foreword/${RUN}:c`)).toBe('new');
    await own('rev-list', '--objects', '--all', '--quiet');
  });

  test('many small objects become one pack, which needs none of the person', async () => {
    await field.attempt('t', Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`f${n}`, `${n}\n`])));
    age();
    const removed = await clean(DAY);
    expect(removed.filter(({ kind }) => kind === 'objects')).toHaveLength(1);
    const packs = readdirSync(join(field.source.own.objects, 'pack')).filter((name) => name.endsWith('.pack'));
    expect(packs).toHaveLength(1);
    expect(
      readdirSync(field.source.own.objects).filter(
        (name) => name.length === 2 && readdirSync(join(field.source.own.objects, name)).length > 0,
      ),
    ).toEqual([]);
    expect(await own('show', `${refs.attempt('t', 1)}:f999`)).toBe('999');
    expect((await clean(DAY)).filter(({ kind }) => kind === 'objects')).toEqual([]);
  });

  test('the branch of a squashed run stays, and so does one that is checked out; both are named', async () => {
    await field.complete('t', { a: 'new\n' });
    await mergeIt(true);
    expect(lines(await clean(DAY))).toEqual([
      `run ${RUN}, which is merged`,
      `! branch foreword/${RUN}: your branch does not have its commits: git branch -D foreword/${RUN}.`,
    ]);
    field.person.run('worktree', 'add', '--quiet', join(folder, 'other'), `foreword/${RUN}`);
    expect(lines(await clean(15 * DAY)).at(-1)).toBe(
      `! branch foreword/${RUN}: it is checked out in ${join(folder, 'other')}: git switch to another one.`,
    );
    expect(theirRefs()).toContain(refs.branch);
  });

  test('a run that is merged stays while work of it waits for the person', async () => {
    await field.complete('t', { a: 'new\n' });
    await field.attempt('waits', { b: 'x\n' });
    await mergeIt();
    expect(lines(await clean(15 * DAY))).toEqual([
      'attempt 1 of task t, older than 14 days',
      `! run ${RUN}: task waits of it is needs-review: foreword accept waits, or foreword reject waits --because TEXT.`,
    ]);
    const { facts, act } = await allowed(field, ['waits', { name: 'accept' }, 'accept']);
    expect(await accept(field.parts, facts, act)).toMatchObject({ kind: 'accepted' });
    expect(field.person.run('show', `foreword/${RUN}:b`)).toBe('x');
  });

  longTest('a run that was left with commits that nobody has stays, and is named', async () => {
    await field.complete('t', { a: 'new\n' });
    const run = await field.stores.runs.get(RUN);
    await field.stores.runs.put(RUN, { ...(await field.run()), state: 'left' }, run?.version ?? 0);
    expect(lines(await clean(DAY))).toEqual([
      `! run ${RUN}: its commits are not merged: foreword merge ${RUN}, or git branch -D foreword/${RUN}.`,
    ]);
    field.person.run('branch', '--quiet', '-D', `foreword/${RUN}`);
    expect(lines(await clean(DAY))).toEqual([
      `! run ${RUN}: its branch is gone and its commits are not merged: foreword merge ${RUN}.`,
    ]);
    await mergeIt();
    expect(field.person.run('show', 'HEAD:a')).toBe('new');
  });

  test('while a run is going on only free checkouts go', async () => {
    await field.complete('t', { a: 'new\n' });
    await mergeIt();
    alive.add('other');
    const leases = openLeases(placesOf(), owner('other'));
    const [lease, busy] = [await leases.take({ run: 'r2', task: 'x' }), await leases.take({ run: 'r2', task: 'y' })];
    expect(lines(await clean(15 * DAY))).toEqual(
      ['attempt 1 of task t, older than 14 days', `run ${RUN}, which is merged`, `branch foreword/${RUN}`].map(
        (what) => `! ${what}: a run is going on. Clean again when it has ended.`,
      ),
    );
    expect(readdirSync(field.places.checkouts).filter((name) => /^\d/.test(name))).toEqual(['1', '2']);
    lease.release();
    busy.release();
    expect(lines(await clean(15 * DAY))).toHaveLength(3);
    expect([await ownRefs(), theirRefs()]).toEqual([[], ['refs/heads/main']]);
  });

  longTest('runs of another store stay', async () => {
    await field.complete('t', { a: 'new\n' });
    const { memoryStores } = await import('../../src/stores/memory.ts');
    const other = memoryStores();
    const removed = await removeLeftovers({ ...ports(15 * DAY), readStores: async () => other });
    expect(lines(removed)).toEqual([`! run ${RUN}: it is not in this store; another store may have it.`]);
    expect(await ownRefs()).toHaveLength(3);
  });

  test('what processes that died were making goes', async () => {
    await field.complete('t', { a: 'new\n' });
    const { directory, baseObjects } = field.places.work;
    const stray = [
      `${directory}.making-abc`,
      `${baseObjects}.4711`,
      join(directory, 'packed-refs.lock'),
      join(directory, `${refs.tip}.lock`),
      join(field.person.root, '.git', `${refs.branch}.lock`),
      join(field.person.root, '.git/objects/pack/pack-1.keep'),
    ];
    for (const path of stray) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `foreword ${refs.branch}\n`);
    }
    // Of the person, or of another program.
    writeFileSync(join(field.person.root, '.git/objects/pack/pack-2.keep'), 'mine\n');
    expect((await list(DAY)).filter(({ kind }) => kind === 'temporary')).toEqual([]);
    const after = Date.now() - NOON + 120_000;
    expect((await clean(after)).flatMap(({ kind, what }) => (kind === 'temporary' ? [what] : [])).toSorted()).toEqual(
      stray.toSorted(),
    );
    expect((await list(after)).filter(({ kind }) => kind === 'temporary')).toEqual([]);
    expect(readdirSync(join(field.person.root, '.git/objects/pack'))).toContain('pack-2.keep');
  });
});

describe('in a folder without git', () => {
  beforeEach(async () => {
    const prepare = ({ person }: Pick<ReviewField, 'person'>) => {
      rmSync(join(person.root, '.git'), { recursive: true });
      person.write('a', 'a\n');
    };
    field = await reviewField(folder, prepare, { isGit: false });
  });

  test('commits that are only ours stay until they are merged, and 14 days more', async () => {
    const commit = await field.complete('t', { a: 'new\n' });
    const run = await field.stores.runs.get(RUN);
    await field.stores.runs.put(RUN, { ...(await field.run()), state: 'left' }, run?.version ?? 0);
    expect(lines(await clean(15 * DAY)).at(-1)).toBe(
      `! run ${RUN}: its commits are not merged: foreword merge ${RUN}.`,
    );
    await mergeIt();
    age();
    expect(lines(await clean(DAY)).at(-1)).toBe(`! run ${RUN}: foreword diff and undo need it for 14 days.`);
    expect((await showCommit(field.source, commit)).text).toContain('+new');
    expect(lines(await clean(15 * DAY))).toContain(`run ${RUN}, which is merged`);
    age();
    await clean(15 * DAY);
    await expect(own('cat-file', '-e', commit)).rejects.toThrow();
  });
});
