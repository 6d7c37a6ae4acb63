// `npm run bench:moments`: what the models of real agents were given at each moment, and what of their prompt cache was kept, with foreword and
// without it. One trial at a time, rows in turns; each trial is kept as a line of a log, and a run that was stopped goes on
// where it was. Needs the built command and the agents (scripts/lab/install.mjs).
// Usage: node bench/moments.mjs [ROW…] [--times N] [--without N] [--log FILE] [--list] [--write]
// ROW: only rows whose name begins so. --times: trials of each row with foreword (20). --without: of each row without it (3). --list: the
// rows. --write: also adds the counts to bench/ledger/moments.json and saves the section of docs/figures.md.
// Exit: 0 every trial was right and no prefix shorter; 1 not; 3 there is no namespace, an agent is missing, or the log is in use.

import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from '../scripts/import-source.mjs';
import { labFolder, labPrograms } from '../scripts/lab/install.mjs';
import { commitNow, totals, writeFigures, writeRun } from './ledger.mjs';
import { countsOf, section, wrongIn } from './moments/summary.mjs';

const SEVEN = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot', 'pi'];
const text = { type: 'string' };
const flag = { type: 'boolean' };
const { values, positionals } = parseArgs({
  options: { times: text, without: text, log: text, list: flag, write: flag },
  allowPositionals: true,
});
const times = Number(values.times ?? 20);
const without = Number(values.without ?? 3);
const log = values.log ?? join(labFolder(), 'moments.jsonl');

/** `agents`: the one that is measured, and others beside it. */
const ROWS = [
  ...SEVEN.map((agent) => ({ row: `headers ${agent}`, trial: 'headers', agents: [agent] })),
  ...SEVEN.map((agent) => ({ row: `closed terminal ${agent}`, trial: 'closed', agents: [agent], isOursOnly: true })),
  ...SEVEN.map((agent) => ({ row: `killed ${agent}`, trial: 'killed', agents: [agent], isOursOnly: true })),
  ...SEVEN.map((agent) => ({ row: `turns ${agent}`, trial: 'turns', agents: [agent] })),
  ...SEVEN.map((agent) => ({ row: `ten turns ${agent}`, trial: 'tenTurns', agents: [agent] })),
  ...['claude', 'codex', 'opencode', 'pi'].map((agent) => ({
    row: `compaction ${agent}`,
    trial: 'compaction',
    agents: [agent],
  })),
  ...['claude', 'codex', 'opencode', 'pi'].map((agent) => ({
    row: `full context ${agent}`,
    trial: 'autoCompaction',
    agents: [agent],
  })),
  ...['claude', 'codex'].map((agent) => ({ row: `sub-agent ${agent}`, trial: 'subAgent', agents: [agent] })),
  { row: 'switch claude to codex, PTY', trial: 'switchPty', agents: ['claude', 'codex'] },
  { row: 'switch claude to codex, tmux', trial: 'switchTmux', agents: ['claude', 'codex'] },
  ...SEVEN.map((agent) => ({ row: `next session ${agent}`, trial: 'nextSession', agents: [agent] })),
  ...[
    ['claude', 'codex'],
    ['codex', 'gemini'],
  ].map((agents) => ({ row: `next session ${agents.join(' to ')}`, trial: `nextSessionOf ${agents[1]}`, agents })),
];

/** A run that is stopped ends after the trial that is under way, so that nothing stays behind. */
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopped = true;
  });

process.exitCode = await main();

async function main() {
  const rows = ROWS.filter(({ row }) => positionals.length === 0 || positionals.some((name) => row.startsWith(name)));
  if (values.list) console.log(rows.map(({ row }) => row).join('\n'));
  if (values.list) return 0;
  const { inNamespace, runAgainInside } = await importSource('src/system/network-namespace.ts');
  const namespace = inNamespace();
  const missing = [...new Set(rows.flatMap(({ agents }) => agents))].filter((name) => !(name in labPrograms()));
  if (!namespace.isAvailable || missing.length > 0) {
    console.error(namespace.isAvailable ? `not installed: ${missing.join(', ')}` : namespace.reason);
    return 3;
  }
  const status = runAgainInside(namespace);
  if (status !== undefined) return status;
  if (!takeLog()) return 3;
  try {
    await measure(rows);
  } finally {
    rmSync(`${log}.pid`, { force: true });
  }
  return report(rows);
}

/** Trials at the same time would slow each other down: one run per log. */
function takeLog() {
  const holder = existsSync(`${log}.pid`) ? Number(readFileSync(`${log}.pid`, 'utf8')) : 0;
  if (holder > 0 && existsSync(`/proc/${holder}`)) {
    console.error(`Process ${holder} measures already and writes to ${log}; give another one with --log.`);
    return false;
  }
  writeFileSync(`${log}.pid`, String(process.pid));
  return true;
}

/** All rows in turns, so that a run that is stopped has something of each. */
async function measure(rows) {
  const trials = await trialsByName();
  const { openField } = await import('./moments/field.mjs');
  for (let index = 0; index < Math.max(times, without); index += 1)
    for (const row of rows)
      for (const way of row.isOursOnly ? ['with'] : ['with', 'without']) {
        if (isStopped) return;
        const version = versionOf(row.agents);
        const done = kept().filter((one) => one.row === row.row && one.way === way && one.version === version).length;
        if (index < done || index >= (way === 'with' ? times : without)) continue;
        const one = await tryOnce(trials[row.trial], row, { way, openField });
        appendFileSync(log, `${JSON.stringify({ row: row.row, way, version, ...one })}\n`);
        console.log(
          `${row.row}, ${way} ${index + 1}: ${one.isRight ? 'right' : `WRONG ${one.fault ?? ''}`} (${one.ms} ms)`,
        );
      }
}

async function tryOnce(trial, { agents }, { way, openField }) {
  const [load] = loadavg();
  const startedAt = Date.now();
  const field = await openField(agents, { isOurs: way === 'with' });
  try {
    const found = await trial(field).catch((error) => ({ isRight: false, fault: String(error?.message ?? error) }));
    const about = { at: new Date(startedAt).toISOString(), load: Math.round(load * 100) / 100 };
    return { ...about, ms: Date.now() - startedAt, ...found, prefixes: field.prefixes() };
  } finally {
    await field.leave();
  }
}

async function trialsByName() {
  const { turns, tenTurns, headers, compaction, autoCompaction, subAgent, nextSession, nextSessionOf, cutSession } =
    await import('./moments/trials.mjs');
  const { switchIn } = await import('./moments/switch.mjs');
  return {
    ...{ headers, autoCompaction, closed: cutSession('SIGHUP'), killed: cutSession('SIGKILL') },
    ...{
      turns,
      tenTurns,
      compaction,
      subAgent,
      nextSession,
      switchPty: switchIn([]),
      switchTmux: switchIn(['--tmux']),
    },
    ...Object.fromEntries(['codex', 'gemini'].map((name) => [`nextSessionOf ${name}`, nextSessionOf(name)])),
  };
}

function versionOf(agents) {
  return agents.map((name) => labPrograms()[name].version).join(', ');
}

function kept() {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}

function report(rows) {
  const trials = kept().filter((one) =>
    rows.some(({ row, agents }) => row === one.row && versionOf(agents) === one.version),
  );
  const counts = countsOf(trials);
  console.log(`\n${section(counts)}`);
  const wrong = wrongIn(trials);
  for (const line of wrong) console.log(`MISSED: ${line}`);
  const [first] = trials;
  if (values.write && first !== undefined) {
    const runs = writeRun('moments', { id: first.at, commit: commitNow(), rows: counts });
    writeFigures('## Moments', section(totals(runs)));
  }
  return wrong.length === 0 ? 0 : 1;
}
