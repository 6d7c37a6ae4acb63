// Installs real agents at pinned versions (lab.ts in their folders) for tests that run them, outside the project:
// $FOREWORD_LAB or ${XDG_CACHE_HOME:-~/.cache}/foreword/lab, one folder per agent and version. No script of a package
// runs, except the step that an agent cannot do without, and that one without network. What is there whole stays; what
// was left half done is done again.
// Usage: node scripts/lab/install.mjs [AGENT…] [--older]   (all unless named)
// --older: the other versions that the same files name, below older/, so that nothing takes them for the pinned ones.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from '../import-source.mjs';

const node24 = JSON.parse(readFileSync(join(import.meta.dirname, 'node24.json'), 'utf8'));
const { LABS } = await importSource('src/agents/labs.ts');
const OLDER = 'older';
const agents = Object.fromEntries(Object.entries(LABS).map(([name, { pin }]) => [name, pin]));

/** Where everything is installed. */
export function labFolder() {
  if (process.env.FOREWORD_LAB) return process.env.FOREWORD_LAB;
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'foreword/lab');
}

/** What is pinned, by name: the agents, and `node24`, which some of them run with. */
export function labPins() {
  return { ...agents, node24 };
}

/** The older versions that are installed, each as in labPrograms and with its agent's name. */
export function olderPrograms(folder = labFolder()) {
  return Object.entries(agents).flatMap(([name, agent]) =>
    (agent.older ?? []).flatMap((version) => {
      const found = installedProgram(folder, join(folder, OLDER, name, version), { ...agent, version });
      return found === undefined ? [] : [{ name, ...found }];
    }),
  );
}

/** The installed agents by name: { program, path, version, packages }. `path` are the folders that PATH needs for the
 *  program to start, `packages` is its node_modules. What is not installed is not there. */
export function labPrograms(folder = labFolder()) {
  const installed = Object.entries(agents).flatMap(([name, agent]) => {
    const found = installedProgram(folder, join(folder, name, agent.version), agent);
    return found === undefined ? [] : [[name, found]];
  });
  return Object.fromEntries(installed);
}

function installedProgram(folder, place, agent) {
  const packages = join(place, 'node_modules');
  const program = join(packages, agent.program);
  const node = agent.needsNode24 ? node24Program(folder) : process.execPath;
  if (!existsSync(program) || !existsSync(node)) return undefined;
  return { program, path: [dirname(program), dirname(node)], version: agent.version, packages };
}

function node24Program(folder) {
  return join(folder, 'node24', node24.version, 'node_modules', node24.program);
}

/** Installs what is pinned unless it is there. */
async function install(folder, name, { below = name, ...entry }) {
  const place = join(folder, below, entry.version);
  if (existsSync(place)) return console.log(`${name} ${entry.version} is there`);
  mkdirSync(join(folder, below), { recursive: true });
  sweep(join(folder, below));
  const half = join(folder, below, `.half-${entry.version}-${process.pid}`);
  mkdirSync(half);
  // Without one npm would look for a project in the folders above.
  writeFileSync(join(half, 'package.json'), '{ "private": true }\n');
  const startedAt = Date.now();
  console.log(`${name} ${entry.version}: installing`);
  const env = { ...process.env };
  // A range is filled with the newest version that fits the Node that runs npm: an older one would silently install
  // other packages than the agent was released with.
  if (entry.needsNode24) env.PATH = `${dirname(node24Program(folder))}${delimiter}${env.PATH}`;
  const wanted = [entry.package, ...(entry.also ?? [])].map((name) => `${name}@${entry.version}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
  await run(['npm', 'install', ...flags, ...wanted], { cwd: half, env });
  if (entry.afterInstall) {
    const script = join(half, 'node_modules', entry.afterInstall);
    const home = join(half, 'home');
    mkdirSync(home);
    await run(withoutNetwork([process.execPath, script]), {
      cwd: dirname(script),
      env: { PATH: process.env.PATH, HOME: home },
    });
    rmSync(home, { recursive: true });
  }
  try {
    renameSync(half, place);
  } catch (error) {
    // Another install was faster.
    if (!existsSync(place)) throw error;
    rmSync(half, { recursive: true });
  }
  console.log(`${name} ${entry.version}: installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** What an install that is no longer running left. */
function sweep(folder) {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('.half-')) continue;
    const pid = Number(name.slice(name.lastIndexOf('-') + 1));
    if (!isRunning(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function withoutNetwork(command) {
  return process.getuid?.() === 0 ? ['unshare', '-n', ...command] : ['unshare', '-rn', ...command];
}

function run([program, ...args], options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (status, signal) => {
      if (status === 0) resolve();
      else reject(new Error(`${program} ${args[0]} in ${options.cwd} ended with ${signal ?? status}`));
    });
  });
}

async function main(args) {
  const isOlder = args.includes('--older');
  const names = args.filter((name) => name !== '--older');
  const unknown = names.filter((name) => !(name in agents));
  if (unknown.length > 0) {
    console.error(`No agent ${unknown.join(', ')}; there are ${Object.keys(agents).join(', ')}.`);
    return 2;
  }
  const folder = labFolder();
  const chosen = names.length > 0 ? names : Object.keys(agents);
  let failed = 0;
  const attempt = async (name, entry) => {
    try {
      await install(folder, name, entry);
    } catch (error) {
      failed += 1;
      console.error(`${name} ${entry.version}: ${error.message}`);
    }
  };
  if (chosen.some((name) => agents[name].needsNode24)) await attempt('node24', node24);
  for (const name of chosen) {
    const { older = [], ...pinned } = agents[name];
    if (!isOlder) await attempt(name, pinned);
    else for (const version of older) await attempt(name, { ...pinned, version, below: join(OLDER, name) });
  }
  const programs = labPrograms(folder);
  for (const name of chosen) if (name in programs) console.log(`${name}: ${programs[name].program}`);
  return failed > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
