// Who may import whom, by the rooms of scripts/rooms.mjs. Prints every breach with its rule and exits 1 if there is one; types
// count like values, except for cycles, which types cannot make. Each rule is broken once in test/house-rules.test.ts.
// Usage: node scripts/dependency-rules.mjs [FOLDER]   (default: the project)

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { writeCatalogs } from './agents-catalog.mjs';
import { isPure, isTestCode, productAndTestFiles, roomOf } from './house-files.mjs';
import { PACKAGE_HOMES, ROOMS } from './rooms.mjs';

const root = process.argv[2] ?? join(import.meta.dirname, '..');
writeCatalogs(root);
const INPUT_OUTPUT = /^node:(fs|child_process|net|http|https|os|path|process|timers|worker_threads)/;
const byName = new Map(ROOMS.map((room) => [room.name, room]));

/** Each says whether `file` may not import `to` (a path from the root, `node:…` or a package's name). */
const RULES = {
  'kernel-is-pure': (file, to) => roomOf(file) === 'kernel' && roomOf(to) !== 'kernel',
  'pure-stays-pure': (file, to) => isPure(file) && roomOf(file) !== 'kernel' && !isPure(to),
  'agents-are-data': (file, to) =>
    roomOf(file) === 'agents' &&
    roomOf(to) !== 'kernel' &&
    (agentOf(file) === undefined ? roomOf(to) !== 'agents' : agentOf(to) !== agentOf(file)),
  'features-meet-in-the-pure': (file, to) => isIn(file, 'features') && isForeign(file, to),
  'adapters-implement': (file, to) => isIn(file, 'adapters') && isForeign(file, to, { isPureEnough: false }),
  'commands-are-thin': (file, to) => roomOf(file) === 'cli' && isForeign(file, to),
  'formats-are-pure': (file, to) => /^src\/(system\/formats|config\/schemas)\//.test(file) && INPUT_OUTPUT.test(to),
  'page-is-for-browsers': (file, to) =>
    /^src\/dashboard\/page\//.test(file) && !/^src\/dashboard\/(page\/|shown\.ts$)/.test(to) && !isPure(to),
  'one-home-per-package': (file, to) =>
    Object.hasOwn(PACKAGE_HOMES, to) && !file.startsWith(`src/${PACKAGE_HOMES[to]}/`),
  'nobody-imports-the-face': (_file, to) => to === 'src/index.ts',
  'no-test-code-in-product': (_file, to) => isTestCode(to),
  'nothing-unresolved': (_file, to) => to.startsWith('src/') && !existsSync(join(root, to)),
  'no-unlisted-package': (_file, to) => isPackage(to) && !packages.has(to),
};

const packages = packageNames();
const files = productAndTestFiles(root);
const graph = new Map(files.map((file) => [file, importsOf(file)]));

const breaches = [];
for (const [file, imports] of graph) {
  if (isTestCode(file)) continue;
  for (const { to } of imports)
    for (const [name, isBreach] of Object.entries(RULES))
      if (isBreach(file, to)) breaches.push(`${name}: ${file} imports ${to}`);
}
for (const cycle of cycles()) breaches.push(`no-cycles: ${cycle.join(' -> ')}`);
for (const breach of lonelyKernelFiles()) breaches.push(breach);
const unknown = new Set(files.map(roomOf).filter((room) => room !== undefined && !byName.has(room)));
for (const room of unknown) breaches.push(`rooms-are-known: src/${room}/ is no room of scripts/rooms.mjs`);

for (const breach of breaches) console.error(breach);
const count = [...graph.values()].reduce((sum, imports) => sum + imports.length, 0);
console.log(`${files.length} files, ${count} imports, ${breaches.length} breaches`);
// A check that looked at nothing has not checked.
process.exitCode = breaches.length > 0 || count === 0 ? 1 : 0;

/** A kernel file serves three rooms or more. Adapters may import nothing else, so one more room is enough for them; what agents'
 *  folders share can stand nowhere else. */
function* lonelyKernelFiles() {
  const users = new Map();
  for (const [file, imports] of graph)
    if (!isTestCode(file)) for (const { to } of imports) users.set(to, [...(users.get(to) ?? []), file]);
  const roomsOf = (path, seen = new Set([path])) =>
    (users.get(path) ?? []).flatMap((user) => {
      if (roomOf(user) !== 'kernel') return [roomOf(user) ?? user];
      return seen.has(user) ? [] : roomsOf(user, seen.add(user));
    });
  for (const file of files) {
    if (roomOf(file) !== 'kernel' || isTestCode(file)) continue;
    const rooms = new Set(roomsOf(file));
    const hasAdapter = [...rooms].some((room) => byName.get(room)?.group === 'adapters');
    if (!rooms.has('agents') && rooms.size < (hasAdapter ? 2 : 3))
      yield `kernel-is-shared: ${file} is used by ${rooms.size} room(s): ${[...rooms].sort().join(', ')}`;
  }
}

function isIn(file, group) {
  return byName.get(roomOf(file))?.group === group;
}

/** Neither of the file's own room, nor pure (where that is enough), nor of a room that it may use. */
function isForeign(file, to, { isPureEnough = true } = {}) {
  if (!to.startsWith('src/')) return false;
  const room = roomOf(to);
  const { name, may } = byName.get(roomOf(file));
  return room !== name && !(isPureEnough && isPure(to)) && !may.includes('*') && !may.includes(room);
}

function isPackage(to) {
  return !/^(src\/|node:|\.|test\/|scripts\/)/.test(to);
}

/** The agent in whose folder the file is; `undefined` for the lists of all agents. */
function agentOf(path) {
  return /^src\/agents\/([^/]+)\//.exec(path)?.[1];
}

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^'"`;]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, isType, named, lazy, bare]) => ({
    to: resolve(file, named ?? lazy ?? bare),
    isType: isType !== undefined,
  }));
}

function resolve(file, specifier) {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(file), specifier));
  if (specifier.startsWith('node:')) return specifier;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function packageNames() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
}

/** Each cycle once, by walking in depth and looking back along the way. */
function cycles() {
  const found = [];
  const done = new Set();
  const walk = (file, way) => {
    const start = way.indexOf(file);
    if (start !== -1) return found.push([...way.slice(start), file]);
    if (done.has(file)) return;
    for (const { to, isType } of graph.get(file) ?? []) if (!isType) walk(to, [...way, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  return found;
}
