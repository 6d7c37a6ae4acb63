// What the tests of several processes run: `node worker.mjs ROLE …`. Lines on stdout are written at once and only
// after the promise they speak of resolved, so that they are a ledger outside the store.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isForewordError } from '../../src/kernel/errors.ts';
import { event, record } from '../../src/stores/contract/samples.ts';
import { openRedisStores } from '../../src/stores/redis/open.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { corruptAndUse } from './corrupt.ts';
import { fillAndFree } from './fill-disk.ts';
import { fuzzAll } from './fuzz.ts';

const [role = '', ...args] = process.argv.slice(2);
const say = (line: string) => writeSync(1, `${line}\n`);
const inputLines = () => createInterface({ input: process.stdin });

const roles: Readonly<Record<string, () => Promise<void>>> = {
  /** FILE NAME COUNT: appends that many journal entries and says the number and id of each. */
  async append() {
    const [file = '', name = '', count = '0'] = args;
    const stores = await openSqliteStores(file);
    for (let index = 0; index < Number(count); index++) {
      const id = `${name}-${index}`;
      say(`${await stores.journal.append(event(id))} ${id}`);
    }
    await stores.close();
  },

  /** For each line of input, a file: opens it, appends one entry and says what was set aside, or the error. */
  async open() {
    say('ready');
    for await (const file of inputLines()) {
      const moved: string[] = [];
      try {
        const stores = await openSqliteStores(file, { isOurs: true, onSetAside: ({ to }) => moved.push(to) });
        await stores.journal.append(event(`from ${process.pid}`));
        await stores.close();
        say(JSON.stringify({ moved }));
      } catch (error) {
        say(JSON.stringify({ moved, error: isForewordError(error) ? error.code : String(error) }));
      }
    }
  },

  /** FILE GOAL: claims the task "shared" again and again with a lease so short that others take it over, and adds 1 to
   *  the number in its record, until that is GOAL. Says how many writes were accepted and refused. */
  async contend() {
    const [file = '', goal = '0'] = args;
    const stores = await openSqliteStores(file);
    const owner = `worker-${process.pid}`;
    let accepted = 0;
    let refused = 0;
    for (;;) {
      const claim = await stores.tasks.claim('shared', { owner, now: Date.now(), leaseMs: 0 });
      const current = await stores.tasks.get('shared');
      const reached = Number(current?.result ?? 0);
      if (reached >= Number(goal)) break;
      if (claim === undefined || current === undefined) continue;
      if (Math.random() < 0.3) await new Promise((resolve) => setTimeout(resolve, 1));
      try {
        await stores.tasks.update(claim, { ...current, status: 'running', result: String(reached + 1) });
        accepted += 1;
      } catch (error) {
        if (!isForewordError(error) || error.code !== 'stale-owner') throw error;
        refused += 1;
      }
    }
    say(JSON.stringify({ accepted, refused }));
    await stores.close();
  },

  /** FILE: for each line of input, a task: claims it for 50 ms and says so; at the next line tries to finish it and
   *  says `done` or the error's code. */
  async hold() {
    const [file = ''] = args;
    const stores = await openSqliteStores(file);
    let claim: Awaited<ReturnType<typeof stores.tasks.claim>>;
    for await (const line of inputLines()) {
      if (line !== 'finish') {
        claim = await stores.tasks.claim(line, { owner: 'holder', now: Date.now(), leaseMs: 50 });
        say(`held ${claim?.token}`);
      } else if (claim !== undefined) {
        const finished = { ...record(claim.taskId, 'completed'), result: 'by the holder' };
        const outcome = await stores.tasks.update(claim, finished).then(
          () => 'done',
          (error: unknown) => (isForewordError(error) ? error.code : String(error)),
        );
        say(outcome);
      }
    }
  },

  /** URL: appends one entry over the network and says its number, or the error. */
  async redis() {
    try {
      const stores = await openRedisStores(args[0] ?? '', { prefix: 'p' });
      say(`number ${await stores.journal.append(event('e'))}`);
      await stores.close();
    } catch (error) {
      say(isForewordError(error) ? `${error.code}: ${error.message}` : String(error));
    }
  },

  /** FOLDER SEED COUNT */
  corrupt: () => corruptAndUse({ folder: args[0] ?? '', seed: Number(args[1]), count: Number(args[2]), say }),

  /** FOLDER SEED COUNT */
  fuzz: () => fuzzAll({ folder: args[0] ?? '', seed: Number(args[1]), count: Number(args[2]), say }),

  /** FOLDER COUNT */
  'fill-disk': () => fillAndFree({ folder: args[0] ?? '', count: Number(args[1]), say }),
};

const play = roles[role];
if (play === undefined) throw new Error(`no such role: ${role}`);
await play();
