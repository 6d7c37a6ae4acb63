// Measures code search: `node bench/search.mjs [files]` makes a repository of generated files (default 5000) in the
// temporary folder, indexes it, indexes it again, after ten changes, and asks fifty questions. The second run is set
// against the least it could cost: git's list of files and one lstat for each.

import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importSource } from '../scripts/import-source.mjs';

const FILES = Number(process.argv[2] ?? 5000);
const QUERIES = 50;
const ROUNDS = 9;
const NOUNS = 'invoice order customer session breaker receipt journal terminal screen budget ledger queue worker'.split(
  ' ',
);
const VERBS = 'parse render compose deliver retry validate open close read write observe advance claim renew'.split(
  ' ',
);
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-search-'));

try {
  const { openRepository, openCodeSearch, openSearchIndex } = await load();
  const root = join(folder, 'repository');
  const bytes = generate(root);
  // A file changed within two seconds of being read is read again: let the files settle, as in real life.
  await sleep(2_500);
  const repository = openRepository(root, process.env.PATH);
  const indexFile = join(folder, 'index.db');
  const index = await openSearchIndex(indexFile);
  const search = openCodeSearch({ root, repository, index, redact: (text) => text });

  const [firstMs, first] = await timed(() => search.refresh());
  const bare = [];
  const second = [];
  let unchanged;
  for (let round = 0; round < ROUNDS; round++) {
    bare.push((await timed(() => listAndStat(root)))[0]);
    const [ms, report] = await timed(() => search.refresh());
    second.push(ms);
    unchanged = report;
  }
  for (let i = 0; i < 10; i++) writeFileSync(join(root, pathOf(i * 7)), source(i * 7, 'changedLately'));
  const [changedMs, changed] = await timed(() => search.refresh());
  const queries = [];
  let hits = 0;
  for (let i = 0; i < QUERIES; i++) {
    const words = [
      NOUNS[i % NOUNS.length],
      VERBS[(i * 3) % VERBS.length],
      `module${i * 11}`,
      'invoice',
      'retry',
      'token',
    ];
    const [ms, found] = await timed(() => search.find(words, 5));
    queries.push(ms);
    hits += found.length;
  }
  search.close();

  const share = median(second) / median(bare);
  console.log(
    `${FILES} files, ${(bytes / 1e6).toFixed(1)} MB; index ${(statSync(indexFile).size / 1e6).toFixed(1)} MB`,
  );
  row('first run', firstMs, `${first.updated} indexed`);
  row('list and lstat alone', median(bare), `median of ${ROUNDS}`);
  row(
    'second run, nothing changed',
    median(second),
    `${unchanged.read} read; ${share.toFixed(2)} times list and lstat`,
  );
  row('after 10 changed', changedMs, `${changed.read} read, ${changed.updated} indexed`);
  row('query, median', median(queries), `${QUERIES} queries, ${hits} hits; target 20`);
  row('query, slowest', Math.max(...queries), '');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function load() {
  const [repository, code, index] = await Promise.all(
    ['src/system/git/repository.ts', 'src/context/sources/code.ts', 'src/stores/sqlite/search-index.ts'].map(
      importSource,
    ),
  );
  return { ...repository, ...code, ...index };
}

function generate(root) {
  let bytes = 0;
  for (let i = 0; i < FILES; i++) {
    const path = join(root, pathOf(i));
    if (i % 20 === 0) mkdirSync(dirname(path), { recursive: true });
    const text = source(i, 'first');
    bytes += text.length;
    writeFileSync(path, text);
  }
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['init', '--quiet'], { cwd: root, env });
  execFileSync('git', ['add', '--all'], { cwd: root, env });
  return bytes;
}

function pathOf(i) {
  const group = Math.floor(i / 20);
  return `src/${NOUNS[group % NOUNS.length]}/part${group}/${VERBS[i % VERBS.length]}-module${i}.ts`;
}

/** About 4 KB. */
function source(i, word) {
  const pick = (list, n) => list[(i * 7 + n * 13) % list.length];
  const lines = [`// ${word}: ${pick(VERBS, 1)} the ${pick(NOUNS, 2)} of module${i}`];
  for (let n = 0; n < 60; n++) {
    const name = `${pick(VERBS, n)}${capital(pick(NOUNS, n + 1))}${n}`;
    lines.push(`export const ${name} = (value: string) => value + '${pick(NOUNS, n * 3)}';`);
  }
  return `${lines.join('\n')}\n`;
}

async function listAndStat(root) {
  const list = execFileSync('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 1 << 26, encoding: 'utf8' });
  let count = 0;
  for (const path of list.split('\0')) if (path !== '' && lstatSync(join(root, path)).isFile()) count++;
  return count;
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function row(name, ms, note) {
  console.log(`${name.padEnd(30)}${ms.toFixed(1).padStart(9)} ms   ${note}`);
}
