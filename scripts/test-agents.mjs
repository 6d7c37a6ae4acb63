// `npm run test:agents`: the tests of test/real with real agents at their pinned versions (lab.ts in their folders),
// installed where they are missing, against the loopback model. The agents run with homes of their own in a network
// namespace with loopback only: no account, no cost, no way out. Needs the built command (npm run build).
// Usage: node scripts/test-agents.mjs [AGENT…] [--if-possible]   (claude codex gemini unless named)
// Exit: that of the tests; 1 when an agent could not be installed; 2 a wrong name, or nothing is built; 3 there is no
// namespace. With --if-possible what this machine does not offer (a namespace, a registry) is said and fails nothing; a
// test that fails always does, and so does one false receipt in any try of the hostile oracle.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { falseReceipts, oracleLine } from '../bench/agents/hostile-summary.mjs';
import { importSource } from './import-source.mjs';
import { labPrograms } from './lab/install.mjs';
import { onceMoreAlone } from './once-more-alone.mjs';
import { needSystemPackages } from './system-packages.mjs';
import { countLine, failureLines, reporters, skippedTests, whatFailed } from './what-failed.mjs';

const USUAL = ['claude', 'codex', 'gemini'];

process.chdir(join(import.meta.dirname, '..'));
process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { 'if-possible': { type: 'boolean' } },
    allowPositionals: true,
  });
  const isLenient = values['if-possible'] === true;
  const wanted = positionals.length > 0 ? positionals : USUAL;
  if (!existsSync('dist/command/start.cjs')) {
    console.error('Nothing is built yet: npm run build');
    return 2;
  }
  const needed = { git: 'git', tmux: 'tmux', unshare: 'util-linux', ip: 'iproute2' };
  needSystemPackages(needed, isLenient ? ['unshare', 'ip'] : []);
  const { inNamespace } = await importSource('src/system/network-namespace.ts');
  const namespace = inNamespace();
  if (!namespace.isAvailable) {
    const why = `Agents are tested without network only: ${namespace.reason}.`;
    if (!isLenient) console.error(why);
    else for (const name of wanted) console.log(`skipped: ${name}. ${why}`);
    return isLenient ? 0 : 3;
  }
  const installed = spawnSync(process.execPath, ['scripts/lab/install.mjs', ...wanted], { stdio: 'inherit' });
  if (installed.status === 2) return 2;
  const programs = labPrograms();
  const agents = wanted.filter((name) => name in programs);
  const skipped = wanted.filter((name) => !(name in programs));
  const status = agents.length === 0 ? 0 : await runTests(namespace, agents);
  for (const name of skipped) console.log(`skipped: ${name}, it could not be installed (see above)`);
  return status === 0 && skipped.length > 0 && !isLenient ? 1 : status;
}

async function runTests(namespace, agents) {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-agents-'));
  const [report, figures, counts] = ['report.json', 'figures.jsonl', 'counts.jsonl'].map((name) => join(folder, name));
  try {
    const env = {
      ...process.env,
      ...{ FOREWORD_TEST_AGENTS: agents.join(','), FOREWORD_TEST_FIGURES: figures, FOREWORD_TEST_COUNTS: counts },
    };
    const runVitest = (vitestArgs) => {
      const [program, ...args] = namespace.wrap(['node_modules/.bin/vitest', ...vitestArgs, '--project', 'agents']);
      return spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
    };
    const startedAt = Date.now();
    const status = runVitest(['run', ...reporters('verbose'), '--outputFile', report]);
    const again = status === 0 ? [] : await onceMoreAlone(report, runVitest);
    printFigures(figures, agents);
    // No second try makes a false receipt true.
    const starts = linesOf(counts);
    const wrong = falseReceipts(starts);
    if (starts.length > 0) console.log(oracleLine(starts));
    for (const line of wrong) console.log(`FAILED  ${line}`);
    // A test that did not run proves nothing, so it is named.
    for (const title of skippedTests(report)) console.log(`skipped: ${title}`);
    if (again.length === 0) for (const line of failureLines(whatFailed(report))) console.log(line);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(`${agents.join(', ')}: ${countLine(report, again.length > 0)}, in ${seconds} s`);
    if (wrong.length > 0) return 1;
    return again.length > 0 ? 0 : status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One line per agent: how long each thing took, in the order of the tests. */
function printFigures(file, agents) {
  const all = linesOf(file);
  const programs = labPrograms();
  for (const name of agents) {
    const own = all.filter(({ agent }) => agent === name).map(({ what, ms }) => `${what} ${(ms / 1000).toFixed(1)} s`);
    console.log(`${name} ${programs[name].version}: ${own.length > 0 ? own.join(', ') : 'no figures'}`);
  }
}

/** Whole lines of JSON: a test that was ended may leave half of one. */
function linesOf(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}
