// Counts of trials that take hours: a run adds its own to a file in bench/ledger/, so that several runs, on several days, add up to the
// published number. A run that is written twice counts once. Counts of one version of an agent are never added to those of another.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The runs of a ledger, oldest first: { id, commit, rows }. A row has `row`, `version`, numbers, and `load` as [least, most]. */
export function readLedger(name) {
  const file = ledgerFile(name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/** Adds a run, or replaces it by its id. Returns all runs. */
export function writeRun(name, run) {
  const runs = withRun(readLedger(name), run);
  const file = ledgerFile(name);
  mkdirSync(dirname(file), { recursive: true });
  const lines = runs.map((one) => JSON.stringify(one)).join(',\n');
  writeFileSync(file, `[\n${lines}\n]\n`);
  return runs;
}

export function withRun(runs, run) {
  return [...runs.filter(({ id }) => id !== run.id), run].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** One result per row and version, in the order in which they were first seen; `runs` is how many runs it has, `commits` of which code. */
export function totals(runs) {
  const all = new Map();
  for (const { commit, rows } of runs)
    for (const one of rows) {
      const key = `${one.row}\n${one.version}`;
      const before = all.get(key);
      const commits = [...new Set([...(before?.commits ?? []), commit])];
      all.set(key, { ...added(before, one), commits, runs: (before?.runs ?? 0) + 1 });
    }
  return [...all.values()];
}

function added(before, one) {
  if (before === undefined) return one;
  const numbers = Object.entries(one).filter(([, value]) => typeof value === 'number');
  const load = [Math.min(before.load[0], one.load[0]), Math.max(before.load[1], one.load[1])];
  return { ...before, ...Object.fromEntries(numbers.map(([key, value]) => [key, (before[key] ?? 0) + value])), load };
}

/** Of the code that is measured. */
export function commitNow() {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=9', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return stdout.trim() || 'unknown';
}

/** Puts a body between a heading of docs/figures.md and the next one of the same level, or the end. */
export function writeFigures(heading, body) {
  const file = join(import.meta.dirname, '../docs/figures.md');
  const before = readFileSync(file, 'utf8');
  const at = before.indexOf(`${heading}\n`);
  const next = at === -1 ? -1 : before.indexOf('\n## ', at + heading.length);
  const start = at === -1 ? `${before.trimEnd()}\n\n` : before.slice(0, at);
  writeFileSync(file, `${start}${heading}\n\n${body}\n${next === -1 ? '' : before.slice(next)}`);
}

function ledgerFile(name) {
  return join(import.meta.dirname, 'ledger', `${name}.json`);
}
