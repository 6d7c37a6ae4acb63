// Looks at the packages we depend on. `node scripts/supply-chain.mjs`: the lockfile pins every package by its content, none
// comes from elsewhere than the registry, and none runs a script at install but those named here. With `--advisories` it also
// asks the registry for known faults in what users install; where that cannot be asked the output says so.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** For our own build, and an optional part of the queue that tests of fleets use; users do not install them with foreword. */
const MAY_RUN_SCRIPTS = new Set(['node_modules/esbuild', 'node_modules/msgpackr-extract']);

/** Every fault of a lockfile and its package.json. */
export function lockFaults(lock, { dependencies = {}, devDependencies = {}, scripts = {} }) {
  const faults = [];
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    if (!/^\d+\.\d+\.\d+$/.test(version)) faults.push(`${name}: "${version}" is not one exact version`);
  for (const name of ['preinstall', 'install', 'postinstall'])
    if (scripts[name] !== undefined) faults.push(`package.json: a script "${name}" would run on every user's machine`);
  for (const [path, entry] of Object.entries(lock.packages ?? {})) {
    if (path === '') continue;
    if (entry.link === true || !path.startsWith('node_modules/')) faults.push(`${path}: is not from the registry`);
    else if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? ''))
      faults.push(`${path}: has no sha512 of its content`);
    if (/^(git|file|http:)/.test(entry.resolved ?? '')) faults.push(`${path}: is not from the registry`);
    if (entry.hasInstallScript === true && !MAY_RUN_SCRIPTS.has(path)) faults.push(`${path}: runs a script at install`);
  }
  return faults;
}

function readJson(name) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

/** The number of known faults, or why nobody can say. */
function advisories() {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
  try {
    const { metadata, vulnerabilities, error } = JSON.parse(stdout);
    if (metadata === undefined) return { why: error?.summary || 'the registry of this machine does not answer it' };
    return { count: metadata.vulnerabilities.total, names: Object.keys(vulnerabilities) };
  } catch {
    return { why: 'npm audit printed nothing that can be read' };
  }
}

if (process.argv[1] === import.meta.filename) {
  const faults = lockFaults(readJson('package-lock.json'), readJson('package.json'));
  for (const fault of faults) console.error(`package-lock.json: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  if (process.argv.includes('--advisories')) {
    const { count, names, why } = advisories();
    if (why !== undefined)
      console.log(`known faults of packages: not asked (${why.split('\n')[0].replace(/https?:\S+/g, 'the registry')})`);
    else console.log(`known faults of packages: ${count}${count === 0 ? '' : ` (${names.join(', ')})`}`);
    if (count > 0) process.exitCode = 1;
  }
}
