// `npm run bench:lag`: how much later than the bound a startup context reaches the model of a real agent, by the usual ladder and typed. The
// bound is the same agent alone with the same text as the prompt of its launch; nothing can be quicker. A round is one start of each
// way, in another order every time, so that whatever else the machine does hits all of them; a round with a start that was not
// served is kept and named. Each start is a line of a log, and a run that was stopped goes on where it was. One run is one log.
// Usage: node bench/lag.mjs [AGENT…] [--rounds N] [--load] [--log FILE]
// --rounds: 50 unless given. --load: two busy loops beside each start, and twice the time is allowed. --log: in the folder of the
// agents unless given. Exit: 0 within the limits; 1 not; 3 there is no namespace, an agent is missing, or the log is in use.

import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from '../scripts/import-source.mjs';
import { labFolder, labPrograms } from '../scripts/lab/install.mjs';
import { laggards, lagLines } from './agents/lag-summary.mjs';

const USUAL = ['claude', 'codex', 'gemini'];
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string' }, load: { type: 'boolean' }, log: { type: 'string' } },
  allowPositionals: true,
});
const agents = positionals.length > 0 ? positionals : USUAL;
const rounds = Number(values.rounds ?? 50);
const log = values.log ?? join(labFolder(), values.load ? 'lag-load.jsonl' : 'lag.jsonl');
const disturbance = values.load ? { disturbance: 'load' } : {};
const WAYS = [
  { row: 'ladder', way: 'ours', ...disturbance },
  { row: 'typed', way: 'ours', channel: 'typed', ...disturbance },
  { row: 'bound', way: 'bound', ...disturbance },
];
/** Every order once in six rounds. */
const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
];

/** A run that is stopped ends after the start that is under way, so that nothing stays behind. */
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopped = true;
  });

process.exitCode = await main();

async function main() {
  const { inNamespace, runAgainInside } = await importSource('src/system/network-namespace.ts');
  const namespace = inNamespace();
  const missing = agents.filter((name) => !(name in labPrograms()));
  if (!namespace.isAvailable || missing.length > 0) {
    console.error(namespace.isAvailable ? `not installed: ${missing.join(', ')}` : namespace.reason);
    return 3;
  }
  const status = runAgainInside(namespace);
  if (status !== undefined) return status;
  const holder = existsSync(`${log}.pid`) ? Number(readFileSync(`${log}.pid`, 'utf8')) : 0;
  if (holder > 0 && existsSync(`/proc/${holder}`)) {
    console.error(`Process ${holder} measures already and writes to ${log}; give another one with --log.`);
    return 3;
  }
  writeFileSync(`${log}.pid`, String(process.pid));
  try {
    await measure();
  } finally {
    rmSync(`${log}.pid`, { force: true });
  }
  const starts = kept();
  for (const line of lagLines(starts)) console.log(line);
  const late = laggards(starts, { factor: values.load ? 2 : 1 });
  for (const line of late) console.log(`MISSED: ${line}`);
  return late.length === 0 ? 0 : 1;
}

async function measure() {
  const { startOnce } = await import('./agents/ways.mjs');
  for (let round = 0; round < rounds; round += 1)
    for (const agent of agents)
      for (const index of ORDERS[round % ORDERS.length]) {
        if (isStopped) return;
        const way = WAYS[index];
        const { version } = labPrograms()[agent];
        const isDone = kept().some(
          (one) => one.agent === agent && one.row === way.row && one.round === round && one.version === version,
        );
        if (isDone) continue;
        const one = { round, ...(await startOnce(agent, way)) };
        appendFileSync(log, `${JSON.stringify(one)}\n`);
        const said = one.served ? `${(one.servedMs / 1000).toFixed(2)} s` : `not served ${one.reason ?? ''}`;
        console.log(`round ${round + 1}, ${agent}, ${way.row}: ${said}, load ${one.load}`);
      }
}

function kept() {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}
