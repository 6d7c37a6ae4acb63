// What a person sees on a terminal while a command takes long; programs that read its output see nothing of it.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Field, fileTask, makeField } from '../run/field.ts';
import { sitDown } from '../run/seat.ts';

let field: Field | undefined;
afterEach(() => field?.remove());

/** An import takes longer than the second after which the line comes, also on a quick machine. */
const COUNT = 15_000;

test('an import of many records shows how far it is, on a terminal alone', async () => {
  field = makeField({ agents: {}, tasks: [] });
  const at = '2026-11-18T12:00:00.000Z';
  const records = Array.from({ length: COUNT }, (_, index) => ({
    kind: 'event',
    record: { id: `evt_${index.toString(16).padStart(16, '0')}`, at, kind: 'import-finished', added: index, kept: 0 },
  }));
  const lines = [{ foreword_export: 1, records: COUNT }, ...records].map((one) => JSON.stringify(one));
  const file = join(field.folder, 'big.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const seat = sitDown(field, ['import', file], { columns: 100, rows: 20 });
  await seat.sees(/^\d+ (?:records read|of 15000 records imported)$/m, 60_000);
  expect(await seat.ended()).toBe(0);
  expect(seat.screen().join('\n').trim()).toBe(`${COUNT} record(s) added, 0 were there already.`);
  const piped = await field.command('import', file);
  expect([piped.status, piped.stdout, piped.stderr]).toEqual([
    0,
    `0 record(s) added, ${COUNT} were there already.\n`,
    '',
  ]);
}, 300_000);

test('a merge with a slow git says what it looks at, until git of the person has the terminal', async () => {
  field = makeField({ agents: { first: ['works'] }, tasks: [fileTask('a')] });
  expect((await field.run()).status).toBe(0);
  // With commits on both sides git must look at what the merge will be.
  writeFileSync(join(field.project, 'mine.txt'), 'mine\n');
  for (const [name, value] of Object.entries({ name: 'me', email: 'me@example.invalid' }))
    field.git('config', `user.${name}`, value);
  field.git('add', 'mine.txt');
  field.git('commit', '-qm', 'mine');
  const bin = join(field.folder, 'bin');
  mkdirSync(bin);
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n/bin/sleep 0.5\nexec ${git} "$@"\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH ?? ''}` };
  const seat = sitDown(field, ['merge'], { columns: 100, rows: 20, env });
  await seat.sees(/^looking at the run and your branch, \d+ s$/m, 20_000);
  await seat.sees(/^\$ git merge/m, 30_000);
  expect(await seat.ended()).toBe(0);
  expect(seat.bytes().split('$ git merge')[1]).not.toContain('looking at');
  expect(seat.screen().join('\n')).not.toContain('looking at');
});
