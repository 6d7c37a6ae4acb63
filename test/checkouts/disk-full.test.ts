// A full disk, for real: a small tmpfs in a mount namespace of its own.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { bundle, temporaryFolder } from '../bundle.ts';
import { onSmallDisk } from '../skipping.ts';
import { type Field, makeField } from './field.ts';

let folder: string;
let field: Field;
beforeEach(() => {
  folder = temporaryFolder('checkout-disk');
  field = makeField(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

onSmallDisk('a full disk is refused as that, soon, and the next reset works (R16)', () => {
  field.person.write('.gitignore', 'node_modules/\n');
  const small = field.person.commit();
  for (let index = 0; index < 60; index += 1) field.person.write(`file${index}`, randomBytes(60_000));
  const big = field.person.commit();
  for (let index = 0; index < 60; index += 1) field.person.write(`node_modules/file${index}`, randomBytes(60_000));
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const script = 'mount -t tmpfs -o size=3m,mode=700 tmpfs "$1" && exec "$2" "$3" "$1/state" "$4" "$5" "$6"';
  const program = bundle(join(import.meta.dirname, 'fill-disk.ts'));
  const args = ['-rm', 'sh', '-c', script, 'sh', disk, process.execPath, program, field.person.root, big, small];
  const run = spawnSync('unshare', args, { encoding: 'utf8', env: field.env });
  rmSync(program);
  expect([run.stdout.trim().split('\n'), run.stderr]).toEqual([
    ['ok', 'disk-full', 'ok', 'disk-full', 'ok', 'disk-full', 'ok'].map((end) => `${end} soon`),
    '',
  ]);
});
