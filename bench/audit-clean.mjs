// Sessions in which nothing is wrong, made by the real agents with the hooks of `foreword init`, and what `foreword audit` says of them: every
// finding is false, or a fault of foreword. Several short sessions share a home; the last of each home is a person's in a terminal with two prompts.
// Needs the built command and the agents (scripts/lab/install.mjs). Counts of several runs add up.
// Usage: node bench/audit-clean.mjs [AGENT…] [--homes N] [--at-once N] [--keep FOLDER] [--write]   (all seven unless named)
// --homes: of each agent, 6 unless given; a home has 5 sessions. --keep: homes with a finding are copied there. --write: adds the counts to
// bench/ledger/audit-clean.json and saves the section of docs/figures.md. A run that is stopped ends after the homes that are under way.
// Exit: 0 no finding; 1 a finding, or a session that did not run through; 3 there is no namespace or an agent is missing.

import { cpSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from '../scripts/import-source.mjs';
import { labPrograms } from '../scripts/lab/install.mjs';
import { cleanCounts, cleanSection } from './audit-clean-summary.mjs';
import { commitNow, totals, writeFigures, writeRun } from './ledger.mjs';

const SEVEN = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot', 'pi'];
const text = { type: 'string' };
const { values, positionals } = parseArgs({
  options: { homes: text, 'at-once': text, keep: text, write: { type: 'boolean' } },
  allowPositionals: true,
});
const agents = positionals.length > 0 ? positionals : SEVEN;
const ONE_SHOTS = 4;
/** In the mode it starts in, it asks a service whether a command may run. */
const UNASKED = { claude: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Write'] };
/** True here: the session vouches for hooks to which nobody agreed. */
const EXPECTED = { codex: ['untrusted'] };

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
  const id = new Date().toISOString();
  const homes = await allHomes();
  const counts = cleanCounts(homes, (name) => labPrograms()[name].version);
  console.log(`\n${cleanSection(counts)}`);
  if (values.write && counts.length > 0) {
    const runs = writeRun('audit-clean', { id, commit: commitNow(), rows: counts });
    writeFigures('## Audit of clean sessions', cleanSection(totals(runs)));
  }
  return homes.every(({ findings, fault }) => findings.length === 0 && fault === undefined) ? 0 : 1;
}

/** All agents in turns, so that a run that is stopped has something of each. */
async function allHomes() {
  const waiting = Array.from({ length: Number(values.homes ?? 6) }, () => agents).flat();
  const done = [];
  const worker = async () => {
    for (let agent = waiting.shift(); agent !== undefined && !isStopped; agent = waiting.shift()) {
      const home = await oneHome(agent);
      done.push(home);
      const found = home.findings.map((one) => JSON.stringify(one)).join('\n  ');
      console.log(
        `${agent}: ${home.sessions} sessions, ${home.told} told, load ${home.load.toFixed(1)} ${home.fault ?? ''} ${found}`,
      );
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once'] ?? 1) }, worker));
  return done;
}

async function oneHome(agent) {
  const { openField } = await import('./moments/field.mjs');
  const [load] = loadavg();
  const field = await openField([agent], { isOurs: true });
  try {
    await field.init(agent);
    const fault = await sessionsIn(field).catch((error) => String(error?.message ?? error));
    const { groups, findings } = JSON.parse((await field.must('audit', agent, '--json')).stdout);
    const wrong = findings.filter(({ kind }) => !EXPECTED[agent]?.includes(kind));
    if (wrong.length > 0 && values.keep !== undefined) keep(field, agent);
    const sum = (name) => groups.reduce((total, one) => total + one[name], 0);
    const counts = { sessions: sum('sessions'), told: sum('told'), prompts: sum('prompts'), served: sum('served') };
    return { agent, load, ...counts, findings: wrong, ...(fault === undefined ? {} : { fault }) };
  } finally {
    await field.leave();
  }
}

async function sessionsIn(field) {
  for (let session = 0; session < ONE_SHOTS; session += 1) {
    field.model.next(...work(field, session));
    await field.oneshot(`Make the file ${session}.`);
  }
  const { sitDown } = await import('./moments/person.mjs');
  const at = await field.openAlone(UNASKED[field.name]);
  const person = await sitDown(field, at);
  for (const prompt of ['first', 'second']) {
    field.model.next(...work(field, prompt), { kind: 'text', text: `The ${prompt} is done.` });
    await person.ask(`make the ${prompt} file`, 4);
  }
  await at.tmux('kill-server').catch(() => undefined);
}

function work({ recipe, project }, name) {
  const path = `made-${name}.txt`;
  const edit = recipe.editCall?.(path, 'made') ?? recipe.fileCall(join(project, path), 'made');
  const calls = [recipe.commandCall('echo one'), recipe.commandCall('echo two'), edit];
  return calls.map(({ tool, input }) => ({ kind: 'call', calls: [{ name: tool, input }] }));
}

/** The home with its transcripts, the state of foreword, and what the model was given. */
function keep(field, agent) {
  const folder = join(values.keep, `${agent}-${Date.now()}`);
  cpSync(field.env.HOME, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
}
