// Projects on one Redis server: each has its own fleet, clones of a project join by its id, and others cannot.

import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Stores } from '../../src/kernel/stores.ts';
import { event } from '../../src/stores/contract/samples.ts';
import type { FleetProject, Fleets, ServerRequest } from '../../src/stores/fleets.ts';
import { openFleetStores } from '../../src/stores/redis/fleet.ts';
import { DURABLE, HAS_REDIS, RedisServer } from './redis-server.ts';

let server: RedisServer;
let opened: Stores[];
let notes: string[];

describe.skipIf(!HAS_REDIS)('on a Redis server', () => {
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.end());
  beforeEach(() => {
    opened = [];
    notes = [];
  });
  afterEach(async () => {
    for (const stores of opened) await stores.close();
  });

  test('two projects of one name have records of their own', async () => {
    const [one, other] = [project({ roots: ['a'] }), project({ roots: ['b'] })];
    await (await one.open('write')).journal.append(event('mine'));
    expect(await idsIn(await other.open('write'))).toEqual([]);
    expect(await idsIn(await one.open('read'))).toEqual(['mine']);
  });

  test('reading makes nothing on the server, and a project without a fleet reads as empty', async () => {
    const { open } = project({ roots: ['a'] });
    const before = await keys();
    const stores = await open('read');
    expect(await idsIn(stores)).toEqual([]);
    expect((await stores.durability()).detail).toContain('no fleet yet');
    expect(await keys()).toEqual(before);
  });

  test('a clone joins by the id, and keeps it', async () => {
    const first = project({ roots: ['a'] });
    const stores = await first.open('write');
    await stores.journal.append(event('e'));
    const fleet = first.ids().at(0) ?? '';
    expect(fleet).toMatch(/^f[0-9a-f]{16}$/);
    expect((await stores.durability()).detail).toContain(`fleet ${fleet}`);
    const clone = project({ roots: ['x', 'a'] });
    expect(await idsIn(await clone.open('read', { fleet }))).toEqual(['e']);
    expect(clone.ids()).toEqual([]);
    expect(await idsIn(await clone.open('write', { fleet }))).toEqual(['e']);
    expect(await idsIn(await clone.open('write'))).toEqual(['e']);
    expect(clone.ids()).toEqual([fleet]);
    expect(notes).toEqual([]);
  });

  test('another project, another folder of the repository and an unknown id are refused, and nothing is kept', async () => {
    const first = project({ roots: ['a'] });
    await first.open('write');
    const fleet = first.ids().at(0) ?? '';
    const before = await keys();
    const other = project({ roots: ['b'] });
    const folder = project({ roots: ['a'], folder: 'packages/web' });
    const hint = expect.stringContaining('Without --fleet and FOREWORD_FLEET the project gets a fleet of its own.');
    for (const use of ['read', 'write'] as const) {
      await expect(other.open(use, { fleet })).rejects.toMatchObject({
        code: 'bad-usage',
        message: expect.stringContaining('another project: no first commit in common'),
        hint,
      });
      await expect(folder.open(use, { fleet })).rejects.toMatchObject({
        message: expect.stringContaining('another folder'),
      });
      await expect(other.open(use, { fleet: 'f0000000000000000' })).rejects.toMatchObject({
        code: 'bad-usage',
        message: expect.stringContaining('There is no fleet f0000000000000000 on redis://'),
        hint,
      });
      await expect(other.open(use, { fleet: 'shop' })).rejects.toMatchObject({ code: 'bad-usage', hint });
    }
    expect([other.ids(), folder.ids()]).toEqual([[], []]);
    expect(await keys()).toEqual(before);
  });

  test('a clone whose first commit is unknown joins with a note', async () => {
    const first = project({ roots: ['a'] });
    await first.open('write');
    const shallow = project({ roots: [] });
    await shallow.open('write', { fleet: first.ids().at(0) ?? '' });
    expect(notes).toEqual([expect.stringContaining('could not check that fleet')]);
  });

  test('a fleet made before the first commit learns it later', async () => {
    const facts = { roots: [] as string[] };
    const young = project(facts);
    await young.open('write');
    facts.roots.push('a');
    await young.open('write');
    const fleet = young.ids().at(0) ?? '';
    await expect(project({ roots: ['b'] }).open('write', { fleet })).rejects.toMatchObject({ code: 'bad-usage' });
  });

  test('two first commands of a project at once end in one fleet', async () => {
    const { open, ids } = project({ roots: ['a'] });
    const [one, other] = await Promise.all([open('write'), open('write')]);
    await one.journal.append(event('e'));
    expect(await idsIn(other)).toEqual(['e']);
    expect(ids().length).toBe(1);
  });
});

describe.skipIf(!HAS_REDIS)('a Redis server that loses what it acknowledged', () => {
  test('is refused to write to and leaves no fleet, is read with a note, and is used when a person allows it', async () => {
    const own = await RedisServer.start(['--appendonly', 'no']);
    notes = [];
    opened = [];
    try {
      const { open, ids } = project({ roots: ['a'] }, own);
      await expect(open('write')).rejects.toMatchObject({
        code: 'store-unreachable',
        hint: expect.stringContaining('--allow-volatile'),
      });
      expect(ids()).toEqual([]);
      expect(await idsIn(await open('read'))).toEqual([]);
      expect(notes).toEqual([expect.stringContaining('the store may lose what is written to it')]);
      await (await open('write', { allowVolatile: true })).journal.append(event('e'));
      expect(await idsIn(await open('read'))).toEqual(['e']);
      for (const stores of opened) await stores.close();
    } finally {
      await own.end();
    }
  });
});

const FOREWORD = 'foreword on >x ~{foreword:*}* +@all -@admin -@dangerous +info +config|get +acl|dryrun';

const asUser = ({ url }: RedisServer) => ({ url: url.replace('//', '//foreword:x@') });

describe.skipIf(!HAS_REDIS)('a Redis server whose default user may not write', () => {
  const start = (line: string, user = FOREWORD) =>
    RedisServer.start([...DURABLE, '--user', ...line.split(' '), '--user', ...user.split(' ')]);

  test('drops what scripts wrote when it is started again, and is refused with the cure', async () => {
    const own = await start('default off');
    notes = [];
    opened = [];
    try {
      const { open, ids } = project({ roots: ['a'] }, asUser(own));
      await expect(open('write')).rejects.toMatchObject({
        code: 'store-unreachable',
        message: expect.stringContaining('would lose its records at a restart'),
        hint: expect.stringContaining('"user default off +@all ~* &*" in redis.conf'),
      });
      expect(ids()).toEqual([]);
      await (await open('write', { allowVolatile: true })).journal.append(event('e'));
      expect(notes).toEqual([expect.stringContaining('loses its records when it is restarted')]);
      // The fault itself: where this fails, the server no longer has it.
      await own.signal('SIGKILL');
      await own.start();
      expect(await idsIn(await open('read'))).toEqual([]);
      for (const stores of opened) await stores.close();
    } finally {
      await own.end();
    }
  });

  test('is not taken for one where nobody can sign in as it, and who may not ask is told so', async () => {
    const own = await start('default off +@all ~* &*', FOREWORD.replace(' +acl|dryrun', ''));
    notes = [];
    opened = [];
    try {
      const { open } = project({ roots: ['a'] }, asUser(own));
      await (await open('write')).journal.append(event('e'));
      expect(notes).toEqual([expect.stringContaining('Give it +acl|dryrun')]);
      await own.signal('SIGKILL');
      await own.start();
      expect(await idsIn(await open('read'))).toEqual(['e']);
      for (const stores of opened) await stores.close();
    } finally {
      await own.end();
    }
  });
});

/** A project with its own state. */
function project(facts: Partial<FleetProject>, on: Pick<RedisServer, 'url'> = server) {
  const kept = new Map<string, string>();
  const fleets: Fleets = {
    get: (name) => kept.get(name),
    keep: (name, id) => {
      if (!kept.has(name)) kept.set(name, id);
      return kept.get(name) ?? id;
    },
    join: (name, id) => void kept.set(name, id),
    project: () => ({ roots: [], folder: '', ...facts }),
  };
  const open = async (use: 'read' | 'write', more: Partial<ServerRequest> = {}): Promise<Stores> => {
    const note = (text: string) => void notes.push(text);
    const terms = { allowVolatile: false, allowPlainRedis: false };
    const stores = await openFleetStores(on.url, { ...terms, use, fleets, note, ...more });
    opened.push(stores);
    return stores;
  };
  return { open, ids: () => [...kept.values()] };
}

async function idsIn(stores: Stores): Promise<string[]> {
  return (await stores.journal.read()).map(({ value }) => value.id);
}

async function keys(): Promise<string[]> {
  const client = new Redis(server.url);
  try {
    return (await client.keys('*')).sort();
  } finally {
    client.disconnect();
  }
}
