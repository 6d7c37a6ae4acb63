// A supervisor killed at any moment leaves a repository that works and a checkout that the next reset sets right.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observeCheckout, readRef, refsOf, resetCheckout } from '../../src/runs/checkouts/index.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { IS_LONG } from '../scale.ts';
import { everything, type Field, makeField } from './field.ts';

let folder: string;
let field: Field;
beforeEach(() => {
  folder = temporaryFolder('crash-checkout');
  field = makeField(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('killed anywhere, the next reset ends in the same state as if nothing had happened', async () => {
  field.person.write('.gitignore', 'node_modules/\n');
  for (let index = 0; index < 400; index += 1)
    field.person.write(`part${index % 40}/file${index}`, `${index}\n`.repeat(50));
  const base = field.person.commit();
  for (let index = 0; index < 200; index += 1)
    field.person.write(`part${index % 40}/file${index}`, `other ${index}\n`.repeat(50));
  field.person.run('rm', '--quiet', '-rf', 'part30');
  const other = field.person.commit();
  for (let index = 0; index < 40; index += 1) field.person.write(`node_modules/p${index}`, `${index}\n`);
  const wanted = everything(field.person.root, /^\.git$/);
  const refs = refsOf('r1');
  const program = bundle(join(import.meta.dirname, 'work-forever.ts'));
  let published = 0;
  for (let round = 0; round < (IS_LONG ? 240 : 10); round += 1) {
    const args = [program, join(folder, 'state'), field.person.root, base, other];
    const child = spawn(process.execPath, args, {
      env: field.env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
    const ended = once(child, 'exit');
    await Promise.race([pause(100 + Math.random() * (round % 3 === 0 ? 2500 : 700)), ended]);
    // Its git goes on in two of three rounds, as after a kill of the supervisor alone.
    process.kill(round % 3 === 0 ? -(child.pid as number) : (child.pid as number), 'SIGKILL');
    await ended;
    expect(printed).toBe('');
    const source = await field.open();
    const target = { ...(await field.target(source, other)), shared: ['node_modules'] };
    await resetCheckout(source, field.places.checkout(1), target);
    expect(everything(field.places.checkout(1).tree, /^\.git$/)).toEqual(wanted);
    const seen = await observeCheckout(source, field.places.checkout(1));
    expect([seen.tree, seen.ignored, seen.shared]).toEqual([target.tree, {}, { node_modules: 0 }]);
    expect(field.agent().run('status', '--porcelain')).toBe('');
    const tip = await readRef(source.own, refs.tip);
    if (tip !== null) await source.own.run(['rev-list', '--objects', '--quiet', tip]);
    const shown = field.person.run('for-each-ref', '--format=%(objectname)', refs.branch);
    if (shown !== '') field.person.run('rev-list', '--objects', '--quiet', shown);
    published += shown === '' ? 0 : 1;
  }
  rmSync(program);
  field.person.run('fsck', '--no-dangling');
  expect(field.person.run('status', '--porcelain')).toBe('');
  expect(field.person.run('rev-parse', 'HEAD')).toBe(other);
  expect(published).toBeGreaterThan(0);
  expect(readdirSync(field.places.checkouts)).toEqual(['1']);
});
