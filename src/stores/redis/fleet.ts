// The stores of one project on a Redis server. Their keys carry a fleet id: random, made by the first command that writes to
// the server for this project, and kept in the state of the project. A name in a repository's own file never chooses keys, so a
// clone can neither read nor overwrite what another project has there. Other machines join with --fleet, which works only with
// a clone of the same project: the server has a record of the first commits and the folder that the fleet was made for.

import { randomBytes } from 'node:crypto';
import { ForewordError } from '../../kernel/errors.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { FleetProject, ServerRequest } from '../fleets.ts';
import { memoryStores } from '../memory.ts';
import { parseAddress, serverOf } from './address.ts';
import { assertOneNode } from './cluster.ts';
import { readDurability } from './durability.ts';
import type { RedisLink } from './link.ts';
import { assertDurable, assertKnownSchema, linkTo, orClose, storesOn } from './open.ts';
import { assertReplayed } from './replay.ts';
import { byServerTime } from './server-time.ts';

const FLEET_ID = /^f[0-9a-f]{16}$/;

/** To read, a project without a fleet has empty stores, and nothing is made on the server. */
export async function openFleetStores(url: string, request: ServerRequest): Promise<Stores> {
  const address = parseAddress(url);
  assertFleetId(request.fleet);
  const known = request.fleet ?? request.fleets.get(serverOf(address));
  if (request.use === 'write') return openToWrite(url, known, request);
  const link = linkOf(url, known ?? 'none', request);
  return orClose(link, async () => {
    const { level, detail } = await readDurability(link);
    if (level === 'volatile') request.note(`the store may lose what is written to it: ${detail}`);
    await assertKnownSchema(link, 'read');
    if (request.fleet !== undefined) await assertJoinable(link, request.fleet, request);
    const stores = known === undefined ? { ...memoryStores(), close: () => link.close() } : ownStores(link, known);
    return withFleet(stores, link, known);
  });
}

async function openToWrite(url: string, known: string | undefined, request: ServerRequest): Promise<Stores> {
  const id = known ?? `f${randomBytes(8).toString('hex')}`;
  const link = linkOf(url, id, request);
  const kept = await orClose(link, async () => {
    await assertOneNode(link);
    await assertDurable(link, request);
    await assertReplayed(link, request);
    if (request.fleet !== undefined) {
      await assertJoinable(link, id, request);
      request.fleets.join(serverOf(parseAddress(url)), id);
      return id;
    }
    return known ?? request.fleets.keep(serverOf(parseAddress(url)), id);
  });
  if (kept !== id) {
    // Another process of this project was first.
    await link.close();
    return openToWrite(url, kept, request);
  }
  return orClose(link, async () => {
    if (request.fleet === undefined) await describeFleet(link, id, request);
    await assertKnownSchema(link, 'write');
    const { level, detail } = await readDurability(link);
    if (level === 'volatile') request.note(`the store may lose what is written to it: ${detail}`);
    return withFleet(ownStores(link, id), link, id);
  });
}

function linkOf(url: string, id: string, request: ServerRequest): RedisLink {
  return linkTo(url, { prefix: `foreword:${id}`, allowPlain: request.allowPlainRedis });
}

function ownStores(link: RedisLink, id: string): Stores {
  const stores = storesOn(link, id);
  const { tasks, fleet } = stores;
  return fleet === undefined ? stores : { ...stores, tasks: byServerTime(tasks, () => fleet.now()) };
}

function withFleet(stores: Stores, link: RedisLink, id: string | undefined): Stores {
  return {
    ...stores,
    durability: async () => {
      const found = await readDurability(link);
      return { ...found, detail: `${found.detail}; ${id === undefined ? 'no fleet yet' : `fleet ${id}`}` };
    },
  };
}

/** The record of a fleet on its server. */
interface About extends FleetProject {
  readonly fleet: string;
}

/** Of a fleet of our own: written where it is missing, and completed once the project has commits. */
async function describeFleet(link: RedisLink, id: string, request: ServerRequest): Promise<void> {
  const about = await readAbout(link);
  if (about !== undefined && about.roots.length > 0) return;
  const { roots, folder } = request.fleets.project();
  if (about !== undefined && roots.length === 0) return;
  const record: About = { fleet: id, roots, folder };
  await link.call((client) => client.set(link.key('about'), JSON.stringify(record)));
}

async function readAbout(link: RedisLink): Promise<About | undefined> {
  const text = await link.call((client) => client.get(link.key('about')));
  if (text === null) return undefined;
  try {
    const { fleet, roots, folder } = JSON.parse(text) as Partial<Record<keyof About, unknown>>;
    const isList = Array.isArray(roots) && roots.every((one) => typeof one === 'string');
    if (typeof fleet === 'string' && typeof folder === 'string' && isList) return { fleet, folder, roots };
  } catch {
    // The same as a record without its fields.
  }
  throw link.damage('the record of the fleet is no longer readable');
}

/** Throws `bad-usage` when the fleet does not exist or was made for another project. */
async function assertJoinable(link: RedisLink, id: string, { fleets, note }: ServerRequest): Promise<void> {
  const about = await readAbout(link);
  if (about === undefined) {
    throw new ForewordError('bad-usage', `There is no fleet ${id} on ${link.shown}.`, {
      hint: `Check the id and the address: foreword doctor prints both where the fleet was made. ${OWN_FLEET}`,
    });
  }
  const project = fleets.project();
  const refusal = refusalOf(about, project);
  if (refusal !== undefined) {
    throw new ForewordError('bad-usage', `Fleet ${id} on ${link.shown} belongs to ${refusal}.`, {
      hint: `Run this in a clone of the project that made the fleet. ${OWN_FLEET}`,
    });
  }
  if (about.roots.length === 0 || project.roots.length === 0) {
    note(
      `could not check that fleet ${id} belongs to this project: the first commit is unknown (a shallow clone, or none).`,
    );
  }
}

const OWN_FLEET = 'Without --fleet and FOREWORD_FLEET the project gets a fleet of its own.';

/** What is unknown (a shallow clone, no commit yet) refuses nobody. @internal */
export function refusalOf(about: FleetProject, project: FleetProject): string | undefined {
  if (about.folder !== project.folder) return `another folder of a repository ("${about.folder || '.'}")`;
  if (about.roots.length === 0 || project.roots.length === 0) return undefined;
  return about.roots.some((root) => project.roots.includes(root))
    ? undefined
    : 'another project: no first commit in common';
}

function assertFleetId(id: string | undefined): void {
  if (id === undefined || FLEET_ID.test(id)) return;
  throw new ForewordError('bad-usage', `"${id}" is not the id of a fleet.`, {
    hint: `It is the letter f and 16 hexadecimal digits; foreword doctor prints it where the fleet was made. ${OWN_FLEET}`,
  });
}
