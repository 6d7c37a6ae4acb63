// What a box costs: the same small program, started in a box and without one in turn, as an attempt and each of its checks are. The
// home has version managers and a folder of programs with links, as homes do. The self-test, once in a run, is measured apart.
// Usage: node bench/box.mjs [TIMES]

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from '../scripts/import-source.mjs';
import { median, ms, table } from './measure.mjs';

const TIMES = Number(process.argv[2] ?? 40);
const { openBoxes } = await importSource('src/runs/box/index.ts');
const { runProcess } = await importSource('src/system/processes/run-process.ts');
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
const home = join(folder, 'home');
const [top, state] = [join(home, 'project'), join(home, '.local/state/foreword')];
const tree = join(state, 'tree');
for (const path of [
  top,
  tree,
  join(home, '.local/bin'),
  join(home, '.nvm'),
  join(home, '.cargo/bin'),
  join(home, '.mine'),
])
  mkdirSync(path, { recursive: true });
for (let index = 0; index < 8; index += 1) {
  mkdirSync(join(home, `.local/share/tool${index}`), { recursive: true });
  writeFileSync(join(home, `.local/share/tool${index}/tool`), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync(`../share/tool${index}/tool`, join(home, `.local/bin/tool${index}`));
}
const variables = { HOME: home, PATH: `${join(home, '.local/bin')}:${process.env.PATH}` };
const agent = {
  name: 'mine',
  box: { writable: ['~/.mine'], readOnly: ['~/.mine/settings.json', '~/.mine/hooks/'], copied: ['~/.mine.json'] },
};
const boxes = (confine) =>
  openBoxes({
    confine,
    allow: [],
    readable: [],
    run: runProcess,
    variables,
    root: top,
    state,
    journal: { folder: join(state, 'placeholders'), owner: 'bench', isAlive: () => true },
    commandFile: undefined,
    emit: async () => undefined,
  });
const at = { cwd: tree, box: { tree, top, cwd: top, objects: [], folder: join(state, 'box') } };
const request = {
  command: ['/bin/sh', '-c', 'echo done > done.txt; echo I did it.'],
  env: variables,
  timeoutMs: 60_000,
};

const required = boxes('required');
const first = await timed(() => required.open(agent, at));
const rooms = { boxed: await required.open(agent, at), bare: await boxes('off').open(agent, at) };
const took = { boxed: [], bare: [] };
const loadBefore = loadavg()[0];
for (let index = 0; index < TIMES + 2; index += 1)
  for (const kind of index % 2 === 0 ? ['boxed', 'bare'] : ['bare', 'boxed']) {
    const spent = await timed(() => rooms[kind].run({ ...request, cwd: tree }));
    if (index >= 2) took[kind].push(spent);
  }
rmSync(folder, { recursive: true });
const sorted = took.boxed.toSorted((one, other) => one - other);
const more = median(took.boxed) - median(took.bare);
table(`a program in a box and without one, in turn, ${TIMES} each; medians`, [
  ['without', ms(median(took.bare))],
  ['in a box', ms(median(took.boxed))],
  ['more', ms(more), 'at most 40 ms', more <= 40],
  ['in a box, 90 of 100', ms(sorted[Math.floor(0.9 * (sorted.length - 1))])],
  ['looking for a box and its self-test, once in a run', ms(first)],
  ['load of the machine', `${loadBefore.toFixed(1)} to ${loadavg()[0].toFixed(1)}`],
]);

async function timed(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
