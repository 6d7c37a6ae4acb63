// `npm run bench:first`: from nothing to a first served context, as a new user does it: `foreword` in a terminal, one yes, then Claude
// Code as always. The record of the loopback model is the oracle. Keys are those beside the words of the two commands. Needs the
// built command, tmux and the agent in the lab; runs without network.
// Usage: node bench/first-context.mjs [ROUNDS]   (3 unless named)

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { importSource } from '../scripts/import-source.mjs';
import { labPrograms } from '../scripts/lab/install.mjs';

const ROOT = join(import.meta.dirname, '..');
const COMMAND = join(ROOT, 'dist/command/start.cjs');
const LONGEST_MS = 90_000;

process.chdir(ROOT);
const { hasLoopbackOnly, inNamespace } = await importSource('src/system/network-namespace.ts');
if (hasLoopbackOnly()) for (let round = 0; round < Number(process.argv[2] ?? 3); round += 1) await measure();
else {
  const [program, ...args] = inNamespace().wrap([process.execPath, ...process.argv.slice(1)]);
  process.exitCode = spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
}

async function measure() {
  const { makeScratch } = await importSource('src/verify/lab/scratch.ts');
  const { recipeFor } = await importSource('src/verify/lab/recipe.ts');
  const { startModel } = await importSource('src/verify/model/server.ts');
  const folder = mkdtempSync(join(tmpdir(), 'foreword-first-'));
  const model = await startModel({ directives: false, standing: { kind: 'acknowledge' } });
  const bin = join(folder, 'programs');
  mkdirSync(bin);
  symlinkSync(labPrograms().claude.program, join(bin, 'claude'));
  writeFileSync(join(bin, 'foreword'), `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n`, { mode: 0o755 });
  const { project, env, terminalArgs } = makeScratch(recipeFor('claude'), { folder, modelUrl: model.url, path: [bin] });
  execFileSync('git', ['init', '-q'], { cwd: project });
  const tmux = (...args) =>
    execFileSync('tmux', ['-S', join(folder, 't'), '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const shell = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  tmux('new-session', '-d', '-x', '100', '-y', '40', `cd ${project} && exec env -i ${shell.join(' ')} sh`);
  const shows = async (text) => {
    for (const end = Date.now() + LONGEST_MS; Date.now() < end; await sleep(100))
      if (tmux('capture-pane', '-p', '-S', '-200').includes(text)) return;
    throw new Error(`the terminal never showed ${text}`);
  };
  let keys = 0;
  const press = (key) => {
    keys += 1;
    tmux('send-keys', key);
  };
  const enter = (words) => {
    tmux('send-keys', '-l', words);
    press('Enter');
  };
  try {
    await sleep(500);
    const startedAt = Date.now();
    enter('foreword');
    await shows('[y/N]');
    const asked = Date.now() - startedAt;
    press('y');
    await shows('Next:');
    enter(`claude ${terminalArgs.join(' ')} hello`);
    const isServed = ({ isMain, texts }) => isMain && texts.some(({ text }) => text.includes('[foreword startup fw_'));
    const served = await model.waitFor((request) => request.at >= startedAt && isServed(request), LONGEST_MS);
    const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
    const end = served === undefined ? 'not served' : `served after ${seconds(served.at - startedAt)}`;
    console.log(`asked after ${seconds(asked)}, ${keys} keys, ${end}; load ${loadavg()[0].toFixed(1)}`);
  } finally {
    tmux('kill-server');
    await model.close();
    // What the agent started ends a moment later.
    await sleep(2000);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}
