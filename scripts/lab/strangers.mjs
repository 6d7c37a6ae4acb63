// Installs tools of others that hook into agents, at pinned versions (strangers.json), for the tests of `foreword xray`: from the npm
// registry, with their dependencies, into the lab's folder outside the project. No script of a package runs, so that nothing fetches
// programs from elsewhere. What is there whole stays; what was left half done is done again.
// Usage: node scripts/lab/strangers.mjs   (test/real/xray-strangers.test.ts runs when all are there)

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { labFolder } from './install.mjs';

const PINS = JSON.parse(readFileSync(join(import.meta.dirname, 'strangers.json'), 'utf8'));

/** By name: { version, packages }, `packages` is its node_modules. What is not installed is not there. */
export function strangers(folder = labFolder()) {
  return Object.fromEntries(
    Object.entries(PINS).flatMap(([name, { version }]) => {
      const packages = join(placeOf(folder, name, version), 'node_modules');
      return existsSync(packages) ? [[name, { version, packages }]] : [];
    }),
  );
}

/** Why the tests with them cannot run; `undefined` when they can. */
export function missingStrangers(folder = labFolder()) {
  const missing = Object.keys(PINS).filter((name) => !(name in strangers(folder)));
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}; node scripts/lab/strangers.mjs`;
}

function placeOf(folder, name, version) {
  return join(folder, 'strangers', name, version);
}

/** `plugIn`: a folder of the package that is all an agent gets of it, with dependencies of its own. */
async function install(folder, name, { version, also = {}, plugIn }) {
  const place = placeOf(folder, name, version);
  if (existsSync(place)) return console.log(`${name} ${version} is there`);
  const half = `${place}.half-${process.pid}`;
  mkdirSync(half, { recursive: true });
  try {
    writeFileSync(join(half, 'package.json'), '{ "private": true }\n');
    const wanted = Object.entries({ ...(plugIn === undefined ? { [name]: version } : {}), ...also });
    await npmInstall(
      half,
      wanted.map(([one, at]) => `${one}@${at}`),
    );
    if (plugIn !== undefined) await npmInstall(join(await unpacked(half, `${name}@${version}`), plugIn), []);
    renameSync(half, place);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
  console.log(`${name} ${version}: installed`);
}

/** The folder of the package, without its dependencies. */
async function unpacked(half, spec) {
  const place = join(half, 'node_modules', spec.slice(0, spec.lastIndexOf('@')));
  mkdirSync(place, { recursive: true });
  await run(['npm', 'pack', '--silent', '--pack-destination', half, spec], half);
  const [packed] = readdirSync(half).filter((file) => file.endsWith('.tgz'));
  await run(['tar', 'xzf', join(half, packed), '-C', place, '--strip-components', '1'], half);
  return place;
}

function npmInstall(cwd, wanted) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--omit=dev', '--loglevel=error'];
  return run(['npm', 'install', ...flags, ...wanted], cwd);
}

function run([program, ...args], cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (status, signal) =>
      status === 0 ? resolve() : reject(new Error(`${program} ${args[0]} in ${cwd} ended with ${signal ?? status}`)),
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, pin] of Object.entries(PINS))
    await install(labFolder(), name, pin).catch((error) => {
      console.error(`${name} ${pin.version}: ${error.message}`);
      process.exitCode = 1;
    });
