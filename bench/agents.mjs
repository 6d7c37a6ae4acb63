// `npm run bench:agents`: how often and how soon the startup context reaches the model of a real agent, by the usual
// ladder, typed, without foreword, and by the naive way; also with a question at the start, a busy agent and a busy
// machine. One start at a time, agents and rows in turns. Each start is kept as a line of a log, and a run that was stopped goes
// on where it was: hours for 50 of each. Needs the built command and the agents (scripts/lab/install.mjs).
// Usage: node bench/agents.mjs [AGENT…] [--starts N] [--disturbed N] [--rows TEXT] [--log FILE] [--write] [--if-possible]
// --starts: of each row without a disturbance (50). --disturbed: of each row with one (the same). --rows: only rows whose
// name begins so. --write: also saves bench/agents/figures.json and the section of docs/figures.md.
// Exit: 0 all that was wanted came about; 1 not; 3 there is no namespace, an agent is missing, or the log is in use. With
// --if-possible a missing namespace or agent is named in one line and fails nothing.

import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from '../scripts/import-source.mjs';
import { labFolder, labPrograms } from '../scripts/lab/install.mjs';
import { missed, section, summarise } from './agents/summary.mjs';

const USUAL = ['claude', 'codex', 'gemini'];
const text = { type: 'string' };
const { values, positionals } = parseArgs({
  options: {
    starts: text,
    disturbed: text,
    rows: text,
    log: text,
    write: { type: 'boolean' },
    'if-possible': { type: 'boolean' },
  },
  allowPositionals: true,
});
const agents = positionals.length > 0 ? positionals : USUAL;
const starts = Number(values.starts ?? 50);
const disturbed = Number(values.disturbed ?? starts);
const log = values.log ?? join(labFolder(), 'starts.jsonl');
/** What nothing can be quicker than; there is none where a person's answer or another turn comes first. */
const BOUNDS = { none: 'bound', load: 'bound, under load' };
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
    const install = `node scripts/lab/install.mjs ${missing.join(' ')}`;
    const why = namespace.isAvailable ? `not installed: ${missing.join(', ')} (${install})` : namespace.reason;
    console.error(values['if-possible'] ? `skipped: starts of real agents, ${why}` : why);
    return values['if-possible'] ? 0 : 3;
  }
  const status = runAgainInside(namespace);
  if (status !== undefined) return status;
  const { ROWS, startOnce } = await import('./agents/ways.mjs');
  const rows = ROWS.filter(({ row }) => row.startsWith(values.rows ?? ''));
  if (!takeLog()) return 3;
  try {
    await measure(rows, startOnce);
  } finally {
    rmSync(`${log}.pid`, { force: true });
  }
  return report(rows);
}

/** Starts at the same time would slow each other down: one run per log. */
function takeLog() {
  const holder = existsSync(`${log}.pid`) ? Number(readFileSync(`${log}.pid`, 'utf8')) : 0;
  if (holder > 0 && existsSync(`/proc/${holder}`)) {
    console.error(`Process ${holder} measures already and writes to ${log}; give another one with --log.`);
    return false;
  }
  writeFileSync(`${log}.pid`, String(process.pid));
  return true;
}

/** All agents and rows in turns, so that a run that is stopped has something of each. */
async function measure(rows, startOnce) {
  const programs = labPrograms();
  for (let index = 0; index < Math.max(starts, disturbed); index += 1)
    for (const agent of agents)
      for (const row of rows) {
        if (isStopped) return;
        const done = of(kept(), { agent, version: programs[agent].version, row: row.row }).length;
        if (index < done || index >= (row.disturbance === undefined ? starts : disturbed)) continue;
        const one = await startOnce(agent, row);
        appendFileSync(log, `${JSON.stringify(one)}\n`);
        console.log(`${agent}, ${row.row} ${index + 1}: ${wordsOf(one)}`);
      }
}

function wordsOf(one) {
  const said = one.served ? `served after ${(one.servedMs / 1000).toFixed(2)} s` : 'not served';
  const more = ['acknowledged', 'dialogTouched', 'reason'].flatMap((name) =>
    one[name] ? [`${name} ${one[name]}`] : [],
  );
  return [said, ...more].join(', ');
}

function of(all, { agent, version, row }) {
  return all.filter((one) => one.agent === agent && one.version === version && one.row === row);
}

/** The starts so far, of the versions that are pinned. */
function kept() {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}

function report(rows) {
  const all = kept();
  const programs = labPrograms();
  const results = agents.flatMap((agent) => {
    const { version } = programs[agent];
    return rows.flatMap(({ row, disturbance }) => {
      const own = of(all, { agent, version, row });
      return own.length === 0 ? [] : [summarise(own, of(all, { agent, version, row: BOUNDS[disturbance ?? 'none'] }))];
    });
  });
  const machine = `${cpus().length} shared cores, Node ${process.versions.node}`;
  console.log(`\n${section({ results, machine })}`);
  for (const line of missed(results)) console.log(`MISSED: ${line}`);
  if (values.write) {
    const file = join(import.meta.dirname, 'agents/figures.json');
    writeFileSync(file, `${JSON.stringify({ machine, results }, null, 2)}\n`);
    writeSection(section({ results, machine }));
  }
  return missed(results).length === 0 ? 0 : 1;
}

/** Between its heading and the next one of the same level, or the end. */
function writeSection(body) {
  const file = join(import.meta.dirname, '../docs/figures.md');
  const before = readFileSync(file, 'utf8');
  const heading = '## Real agents\n';
  const at = before.indexOf(heading);
  const next = at === -1 ? -1 : before.indexOf('\n## ', at + heading.length);
  const rest = next === -1 ? '' : before.slice(next);
  const start = at === -1 ? `${before.trimEnd()}\n\n` : before.slice(0, at);
  writeFileSync(file, `${start}${heading}\n${body}\n${rest}`);
}
