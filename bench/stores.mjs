// How much of the bare driver's speed is left behind the port: durable journal appends per second, through the store
// and with the driver alone doing the same SQL on the same disk, in turns, so that both meet the same moments.
//   node bench/stores.mjs [rounds] [seconds per round]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import Libsql from 'libsql';
import { median, table } from './measure.mjs';

const ROUNDS = Number(process.argv[2] ?? 7);
const ROUND_MS = Number(process.argv[3] ?? 1) * 1000;
const TARGET = 0.6;

const root = join(import.meta.dirname, '..');
const outfile = join(root, 'node_modules/.cache/foreword-bench', `stores-${process.pid}.mjs`);
buildSync({
  stdin: {
    contents: `export { openSqliteStores } from './src/stores/sqlite/open.ts';
export { MIGRATIONS } from './src/stores/sqlite/schema.ts';`,
    resolveDir: root,
  },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));

try {
  const { openSqliteStores, MIGRATIONS } = await import(pathToFileURL(outfile).href);

  const stores = await openSqliteStores(join(folder, 'port.db'));
  let portCount = 0;
  const throughPort = async () => {
    const id = `evt_${portCount++}`;
    await stores.journal.append(sample(id));
  };

  const bare = new Libsql(join(folder, 'bare.db'));
  bare.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
  for (const migration of MIGRATIONS) bare.exec(migration);
  const insert = bare.prepare('INSERT INTO journal (key, body) VALUES (?, ?) ON CONFLICT (key) DO NOTHING');
  const body = JSON.stringify(sample('evt_0'));
  let bareCount = 0;
  const withDriver = async () => {
    insert.run(`evt_${bareCount++}`, body);
  };

  const rates = { port: [], bare: [] };
  await rateOf(throughPort, 200);
  await rateOf(withDriver, 200);
  for (let round = 0; round < ROUNDS; round++) {
    rates.port.push(await rateOf(throughPort, ROUND_MS));
    rates.bare.push(await rateOf(withDriver, ROUND_MS));
  }
  await stores.close();
  bare.close();

  const ratio = median(rates.port.map((rate, round) => rate / rates.bare[round]));
  const perSecond = (values) => `${median(values).toFixed(0)} /s`;
  const spread = (values) => `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`;
  table(`journal appends, synced at every commit; ${ROUNDS} rounds of ${ROUND_MS} ms in turns, median`, [
    ['bare driver', perSecond(rates.bare), spread(rates.bare)],
    ['through the port', perSecond(rates.port), spread(rates.port)],
    ['ratio', `${(ratio * 100).toFixed(0)} %`, `at least ${TARGET * 100} %`, ratio >= TARGET],
  ]);
} finally {
  rmSync(folder, { recursive: true });
  rmSync(outfile, { force: true });
}

function sample(id) {
  return { id, at: '2026-01-01T12:00:00.000Z', kind: 'source-unavailable', source: 'git', reason: 'no such command' };
}

async function rateOf(append, ms) {
  const begun = performance.now();
  let count = 0;
  while (performance.now() - begun < ms) {
    await append();
    count += 1;
  }
  return (count * 1000) / (performance.now() - begun);
}
