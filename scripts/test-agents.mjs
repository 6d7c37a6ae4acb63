// `npm run test:agents`: the tests of test/real with real agents at their pinned versions (scripts/lab/versions.json),
// installed where they are missing, against the loopback model. The agents run with homes of their own in a network
// namespace with loopback only: no account, no cost, no way out. Needs the built command (npm run build).
// Usage: node scripts/test-agents.mjs [AGENT…]   (claude codex gemini unless named)
// Exit: that of the tests; 1 when no agent could be installed; 2 a wrong name, or nothing is built; 3 there is no namespace.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from './import-source.mjs';
import { labPrograms } from './lab/install.mjs';
import { needSystemPackages } from './system-packages.mjs';

const USUAL = ['claude', 'codex', 'gemini'];

process.chdir(join(import.meta.dirname, '..'));
process.exitCode = await main(process.argv.slice(2));

async function main(named) {
  const wanted = named.length > 0 ? named : USUAL;
  if (!existsSync('dist/command/start.cjs')) {
    console.error('Nothing is built yet: npm run build');
    return 2;
  }
  needSystemPackages({ git: 'git', tmux: 'tmux', unshare: 'util-linux', ip: 'iproute2' });
  const { inNamespace } = await importSource('src/lab/namespace.ts');
  const namespace = inNamespace();
  if (!namespace.isAvailable) {
    console.error(`Agents are tested without network only: ${namespace.reason}.`);
    return 3;
  }
  const installed = spawnSync(process.execPath, ['scripts/lab/install.mjs', ...wanted], { stdio: 'inherit' });
  if (installed.status === 2) return 2;
  const programs = labPrograms();
  const agents = wanted.filter((name) => name in programs);
  const skipped = wanted.filter((name) => !(name in programs));
  const status = agents.length === 0 ? 1 : runTests(namespace, agents);
  for (const name of skipped) console.log(`skipped: ${name}, it could not be installed`);
  return status === 0 && skipped.length > 0 ? 1 : status;
}

function runTests(namespace, agents) {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-agents-'));
  const [report, figures] = ['report.json', 'figures.jsonl'].map((name) => join(folder, name));
  try {
    const vitest = ['node_modules/.bin/vitest', 'run', '--project', 'agents'];
    const reporters = ['--reporter', 'verbose', '--reporter', 'json', '--outputFile', report];
    const [program, ...args] = namespace.wrap([...vitest, ...reporters]);
    const env = { ...process.env, FOREWORD_TEST_AGENTS: agents.join(','), FOREWORD_TEST_FIGURES: figures };
    const { status } = spawnSync(program, args, { stdio: 'inherit', env });
    printFigures(figures, agents);
    printSkipped(report);
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One line per agent: how long each thing took, in the order of the tests. */
function printFigures(file, agents) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const all = lines.map((line) => JSON.parse(line));
  const programs = labPrograms();
  for (const name of agents) {
    const own = all.filter(({ agent }) => agent === name).map(({ what, ms }) => `${what} ${(ms / 1000).toFixed(1)} s`);
    console.log(`${name} ${programs[name].version}: ${own.length > 0 ? own.join(', ') : 'no figures'}`);
  }
}

/** A test that did not run proves nothing, so it is named. */
function printSkipped(file) {
  if (!existsSync(file)) return;
  const tests = JSON.parse(readFileSync(file, 'utf8')).testResults.flatMap((one) => one.assertionResults);
  for (const test of tests)
    if (['pending', 'skipped', 'todo'].includes(test.status)) console.log(`skipped: ${test.fullName}`);
}
