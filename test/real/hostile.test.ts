// A model that cannot be reached, refuses, breaks off or says nothing: no receipt says `served` that the model's own records do
// not confirm, and a text that a later answered turn still holds is served then.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { isAtLeast } from '../../src/kernel/receipt.ts';
import { holds } from '../../src/verify/model/record.ts';
import { type Model, startModel } from '../../src/verify/model/server.ts';
import type { ModelStep } from '../../src/verify/model/steps.ts';
import { IS_LONG } from '../scale.ts';
import { AGENTS, RealField, until } from './field.ts';
import { answered, claims, expectTrue, listed, reasons, startsOf } from './oracle.ts';

/** After a request that failed, an agent writes down within this what it makes of it. */
const SETTLES_MS = 3000;
/** Until the first request; without network OpenCode takes up to a minute. */
const PATIENCE_MS = 120_000;

/** What the model does with every turn. */
const ROWS: Readonly<Record<string, ModelStep | 'dead'>> = {
  'a dead port': 'dead',
  'status 401': { kind: 'error', status: 401 },
  'status 403': { kind: 'error', status: 403 },
  'status 429': { kind: 'error', status: 429 },
  'status 429 with a reset': { kind: 'error', status: 429, body: 'quota', retryAfterSeconds: 3600 },
  'status 500': { kind: 'error', status: 500 },
  'a stream that breaks off': { kind: 'cut', pieces: ['Half ', 'an answer'], afterPieces: 1 },
  'an empty answer': { kind: 'text', text: '' },
};

/** Where an agent asks the model again and again for minutes. */
const SLOW: Readonly<Record<string, readonly string[]>> = {
  opencode: ['a dead port', 'status 429', 'status 429 with a reset', 'status 500'],
};

/** By both in the long run; in the everyday one by turns, the next agent by the other one. */
const CHANNELS = ['flag', 'typed'];

let field: RealField | undefined;
let second: Model | undefined;
afterEach(async () => {
  await field?.leave();
  await second?.close();
  field = undefined;
  second = undefined;
});

for (const name of AGENTS)
  for (const [what, comesBack] of Object.entries({
    'with a dead port nothing is served; when the model is back, the next answer serves what it was sent':
      afterDeadPort,
    'a refused turn serves nothing; a later answered one serves what its request still holds': afterRefusal,
  })) {
    const starts = startsOf(name);
    test(`${name}: ${what}, ${starts} start(s)`, { timeout: (starts + 1) * 180_000 }, async () => {
      for (let start = 0; start < starts; start += 1) {
        const of = await made(name);
        await comesBack(of);
        await expectConfirmed(of);
        await of.leave();
        await second?.close();
        [field, second] = [undefined, undefined];
      }
    });
  }

for (const name of AGENTS)
  for (const [index, [what, step]] of Object.entries(ROWS).entries())
    for (const channel of IS_LONG ? CHANNELS : [CHANNELS[(index + AGENTS.indexOf(name)) % 2] ?? '']) {
      const starts = startsOf(name, SLOW[name]?.includes(what));
      test(`${name}: ${what}, ${channel}, ${starts} start(s)`, { timeout: (starts + 1) * 180_000 }, async () => {
        for (let start = 0; start < starts; start += 1)
          await fails(name, step, { channel, row: `${what}, ${channel}` });
      });
    }

async function afterDeadPort(of: RealField): Promise<void> {
  const { port } = of.model;
  await of.model.close();
  const { id } = await of.start();
  await until(() => isSubmitted(of), 30_000);
  await sleep(SETTLES_MS);
  expect(await claims(of)).toEqual([]);
  second = await startModel({ port, directives: false, standing: { kind: 'acknowledge' } });
  await of.must('send', id, 'Go on.', '--wait', 'served');
}

async function afterRefusal(of: RealField): Promise<void> {
  of.model.standing({ kind: 'error', status: 401 });
  const { id } = await of.start('--channel', 'typed');
  expect(await until(() => of.turns().length > 0, 60_000)).toBe(true);
  const isNamed = async () => (await reasons(of)).some((reason) => reason.startsWith('refused: 401'));
  expect(await until(isNamed, 20_000), JSON.stringify(await of.sessions())).toBe(true);
  expect(await claims(of)).toEqual([]);
  of.model.standing({ kind: 'acknowledge' });
  await of.must('send', id, 'Go on.', '--wait', 'served');
}

async function fails(
  name: string,
  step: ModelStep | 'dead',
  { channel, row }: { readonly channel: string; readonly row: string },
): Promise<void> {
  const of = await made(name);
  if (step === 'dead') await of.model.close();
  else of.model.standing(step);
  const { ran } = await of.start('--channel', channel);
  const isOut = async () => of.turns().length > 0 || (await isSubmitted(of));
  // A row in which nothing is sent would prove nothing.
  expect(await until(isOut, PATIENCE_MS), ran.stdout + ran.stderr + JSON.stringify(await of.sessions())).toBe(true);
  await sleep(SETTLES_MS);
  console.log(`${name}, ${row}: ${JSON.stringify([await listed(of), await reasons(of)])}`);
  await expectTrue(of, row);
  await of.leave();
  field = undefined;
}

async function made(name: string): Promise<RealField> {
  field = await RealField.make(name);
  return field;
}

async function isSubmitted(of: RealField): Promise<boolean> {
  const isWritten = (await listed(of)).some(({ proof }) => isAtLeast(proof, 'submitted'));
  return isWritten || (await reasons(of)).some((reason) => /^(model|refused|limit|the answer)/.test(reason));
}

/** What the answered requests held is served, and nothing else. */
async function expectConfirmed(of: RealField): Promise<void> {
  const open = (await of.sessions()).flatMap(({ waiting }) => waiting.map(({ id }) => id));
  for (const id of [...(await listed(of)).map((one) => one.id), ...open]) {
    const wasGiven = answered(of.model, second).some((request) => holds(request, id));
    const isServed = async () => (await claims(of)).some((one) => one.id === id);
    if (wasGiven)
      expect(await until(isServed, 15_000), `${id} was answered, ${JSON.stringify(await listed(of))}`).toBe(true);
    else expect(await isServed(), `${id} was never answered`).toBe(false);
  }
  await expectTrue(of, 'a model that fails and comes back', second);
}
