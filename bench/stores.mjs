// How much of the bare driver's speed is left behind the port: durable journal appends per second, through the store
// and with the driver alone doing the same SQL on the same disk, in turns, so that both meet the same moments.
//   node bench/stores.mjs [rounds] [seconds per round]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { importSource } from '../scripts/import-source.mjs';
import { median, table } from './measure.mjs';

const ROUNDS = Number(process.argv[2] ?? 7);
const ROUND_MS = Number(process.argv[3] ?? 1) * 1000;
const TARGET = 0.6;

const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));

try {
  const { openSqliteStores } = await importSource('src/stores/sqlite/open.ts');
  const { MIGRATIONS } = await importSource('src/stores/sqlite/schema.ts');

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
