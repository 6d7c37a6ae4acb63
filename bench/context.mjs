// The header: in process against a bare loop over the same notes, and as a command against a bare Node.
// Usage: node bench/context.mjs   (after npm run build)

import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from '../examples/quickstart/prepare.mjs';
import { importSource } from '../scripts/import-source.mjs';
import { interleave, ms, table, times } from './measure.mjs';

const { composeContext } = await importSource('src/context/compose-context.ts');
const { observeNotes } = await importSource('src/context/sources/notes.ts');
const { memoryStores } = await importSource('src/stores/memory.ts');
const FOLDERS = ['ready_for_review', 'proposed_tasks', 'notes_FROM_CTO', 'scratch'];
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));

const perNote = {};
for (const count of [10, 1000, 10_000]) {
  const root = join(folder, String(count));
  makeNotes(root, count);
  const stores = memoryStores();
  const sources = {
    git: async () => ({ kind: 'absent' }),
    changed: async () => ({ kind: 'absent' }),
    tasks: () => ({ kind: 'absent' }),
    policy: () => ({ kind: 'absent' }),
    notes: () => observeNotes(root, { now: Date.now(), recentSec: 180 }),
  };
  const ask = () => ({ sources, stores, redact: (text) => text, now: Date.now(), recentSec: 180, mode: 'propose' });
  const result = await interleave(
    { ours: () => composeContext(ask()), bare: () => bareLoop(root) },
    count > 1000 ? 15 : 40,
  );
  perNote[count] = result.ours / count;
  table(`header in process, ${count} notes`, [
    ['bare loop: list, stat, open', ms(result.bare)],
    ['ours', ms(result.ours), count === 10 ? 'under 10 ms' : '', count === 10 ? result.ours < 10 : undefined],
    [
      'ratio',
      times(result.ours / result.bare),
      ...(count === 10 ? [''] : ['at most 2 x', result.ours / result.bare <= 2]),
    ],
  ]);
}
table('growth', [
  [
    'per note, 10,000 against 1,000',
    times(perNote[10_000] / perNote[1000]),
    'linear: near 1 x',
    perNote[10_000] / perNote[1000] < 1.5,
  ],
]);

const project = join(folder, 'shop');
prepare(project);
const main = join(import.meta.dirname, '../dist/command/start.cjs');
const env = { PATH: process.env.PATH, HOME: folder };
const run = (command, args) => () => spawnSync(command, args, { cwd: project, env, stdio: 'ignore' });
const context = run(process.execPath, [main, 'context']);
const result = await interleave({ node: run(process.execPath, ['-e', '0']), ours: context }, 40);
execFileSync(process.execPath, [main, 'import', '.foreword/history.jsonl'], { cwd: project, env });
const withStore = await interleave({ node: run(process.execPath, ['-e', '0']), ours: context }, 40);
table('foreword context as a command, quickstart (it starts no git)', [
  ['node -e 0', ms(result.node)],
  ['ours', ms(result.ours)],
  ['ratio', times(result.ours / result.node), 'at most 2.5 x', result.ours / result.node <= 2.5],
  ['ours, with a store to read', ms(withStore.ours)],
  ['ratio', times(withStore.ours / withStore.node)],
]);
rmSync(folder, { recursive: true });

function makeNotes(root, count) {
  for (const name of FOLDERS) mkdirSync(join(root, '.foreword/notes', name), { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const name = `2026-01-01__task-${index}__note.md`;
    writeFileSync(
      join(root, '.foreword/notes', FOLDERS[index % 4], name),
      `---\nid: task-${index}\ntargets: [src/a.ts]\n---\nText.\n`,
    );
  }
}

function bareLoop(root) {
  for (const name of FOLDERS) {
    const path = join(root, '.foreword/notes', name);
    for (const note of readdirSync(path)) {
      statSync(join(path, note));
      closeSync(openSync(join(path, note), 'r'));
    }
  }
}
