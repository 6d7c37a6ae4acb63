// `npm run bench:hostile`: the hostile oracle in full. Real agents against models that fail and in sessions that are disturbed (test/real/hostile*.test.ts),
// many starts of each row. A receipt that no answered request of the model confirms is false. The counts add up over several runs.
// Usage: node bench/hostile.mjs [AGENT…] [--starts N] [--row TEXT] [--write]   (claude codex gemini unless named; needs the built command)
// --starts: of each row; 20 unless given, 5 of other agents. --row: only tests with this text in their name. --write: adds the counts to bench/ledger/hostile.json and saves
// the section of docs/figures.md. A run that is stopped with Ctrl-C keeps what it counted.
// Exit: that of the tests; 3 there is no namespace or an agent is missing.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from '../scripts/import-source.mjs';
import { labPrograms } from '../scripts/lab/install.mjs';
import { hostileCounts, hostileSection } from './agents/hostile-summary.mjs';
import { commitNow, totals, writeFigures, writeRun } from './ledger.mjs';

const FILES = ['test/real/hostile.test.ts', 'test/real/hostile-sessions.test.ts'];
const { values, positionals } = parseArgs({
  options: { starts: { type: 'string' }, row: { type: 'string' }, write: { type: 'boolean' } },
  allowPositionals: true,
});
const agents = positionals.length > 0 ? positionals : ['claude', 'codex', 'gemini'];

process.chdir(join(import.meta.dirname, '..'));
process.exitCode = await main();

async function main() {
  const { inNamespace } = await importSource('src/system/network-namespace.ts');
  const namespace = inNamespace();
  const missing = agents.filter((name) => !(name in labPrograms()));
  if (!namespace.isAvailable || missing.length > 0) {
    console.error(namespace.isAvailable ? `not installed: ${missing.join(', ')}` : namespace.reason);
    return 3;
  }
  const folder = mkdtempSync(join(tmpdir(), 'foreword-hostile-'));
  const file = join(folder, 'counts.jsonl');
  const id = new Date().toISOString();
  const loads = [loadavg()[0]];
  const looking = setInterval(() => loads.push(loadavg()[0]), 15_000);
  try {
    const status = await runTests(namespace, file);
    clearInterval(looking);
    const counts = hostileCounts(linesOf(file), {
      versionOf: (name) => labPrograms()[name].version,
      load: [Math.min(...loads), Math.max(...loads)].map((load) => Math.round(load * 10) / 10),
    });
    console.log(`\n${hostileSection(counts)}`);
    if (values.write && counts.length > 0) {
      const runs = writeRun('hostile', { id, commit: commitNow(), rows: counts });
      writeFigures('## The hostile oracle', hostileSection(totals(runs)));
    }
    return status;
  } finally {
    clearInterval(looking);
    rmSync(folder, { recursive: true, force: true });
  }
}

function runTests(namespace, file) {
  const env = {
    ...process.env,
    ...{ FOREWORD_TEST_AGENTS: agents.join(','), FOREWORD_TEST_LONG: '1', FOREWORD_TEST_COUNTS: file },
    ...(values.starts === undefined ? {} : { FOREWORD_TEST_STARTS: values.starts }),
  };
  const chosen = values.row === undefined ? [] : ['-t', values.row];
  const vitest = ['node_modules/.bin/vitest', 'run', '--project', 'agents', '--retry', '0', ...FILES, ...chosen];
  const [program, ...args] = namespace.wrap(vitest);
  const child = spawn(program, args, { stdio: 'inherit', env });
  // The terminal sends Ctrl-C to both; the tests clean up, and what they counted is kept.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function linesOf(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
}
