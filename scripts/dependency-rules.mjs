// Who may import whom. Prints every breach with its rule and exits 1 if there is one; types count like values, except for
// cycles, which types cannot make. Each rule is broken once in test/house-rules.test.ts.
// Usage: node scripts/dependency-rules.mjs [FOLDER]   (default: the project)

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = process.argv[2] ?? join(import.meta.dirname, '..');
/** Product code may not import these; they may import anything. */
const TEST = /\.test\.ts$|^src\/stores\/contract(\/|\.ts$)|^src\/testing\//;
const INPUT_OUTPUT = /^node:(fs|child_process|net|http|https|os|path|process|timers|worker_threads)/;

/** A file that matches `from` may not import what matches `to` (a path from the root, or a package's name). */
const RULES = [
  { name: 'core-is-pure', from: /^src\/core\//, to: /^(?!src\/core\/)/ },
  { name: 'formats-are-pure', from: /^src\/(formats|schemas)\//, to: INPUT_OUTPUT },
  { name: 'formats-know-core', from: /^src\/(formats|schemas)\//, to: /^src\/(?!core\/|formats\/|schemas\/)/ },
  {
    name: 'sources-know-no-store',
    from: /^src\/sources\//,
    to: /^src\/(?!core\/|files\/|git\/|formats\/|schemas\/|sources\/)/,
  },
  { name: 'stores-know-core', from: /^src\/stores\//, to: /^src\/(?!core\/|stores\/)/ },
  { name: 'rooms-know-no-catalog', from: /^src\/(files|git)\//, to: /^src\/(?!core\/|files\/|git\/)/ },
  { name: 'composer-knows-only-core', from: /^src\/composer\//, to: /^src\/(?!core\/|formats\/|schemas\/|composer\/)/ },
  {
    name: 'commands-are-thin',
    from: /^src\/(commands|cli)\//,
    to: /^src\/(?!core\/|commands\/|cli\/|composer\/|(wire(-\w+)?|config)\.ts$)/,
  },
  {
    name: 'only-wire-joins',
    from: /^src\/(main|config|start)\.ts$/,
    to: /^src\/(stores|sources|git|composer|supervisor|processes)\//,
  },
  { name: 'agents-are-data', from: /^src\/agents\/(?!index)/, to: /^(?!src\/core\/agent\.ts$)/ },
  { name: 'supervisor-knows-only-core', from: /^src\/supervisor\//, to: /^(?!src\/(core|supervisor)\/)/ },
  {
    name: 'rooms-know-no-catalog',
    from: /^src\/(processes|patterns)\//,
    to: /^src\/(?!core\/|processes\/|patterns\/)/,
  },
  {
    name: 'rooms-know-no-catalog',
    from: /^src\/(observers|sandboxes|validation|trust)\//,
    to: /^src\/(?!core\/|files\/|git\/|patterns\/|observers\/|sandboxes\/|validation\/|trust\/)/,
  },
  {
    name: 'workplaces-know-files-and-git',
    from: /^src\/workplaces\//,
    to: /^src\/(?!core\/|files\/|git\/|observers\/|workplaces\/)/,
  },
  {
    name: 'sessions-know-ports',
    from: /^src\/sessions\//,
    to: /^(?!src\/(core|sessions)\/|node:)/,
  },
  { name: 'model-knows-core', from: /^src\/model\//, to: /^src\/(?!core\/|model\/)/ },
  { name: 'terminals-know-processes', from: /^src\/terminals\//, to: /^src\/(?!core\/|processes\/|terminals\/)/ },
  { name: 'transcripts-know-files', from: /^src\/transcripts\//, to: /^src\/(?!core\/|files\/|transcripts\/)/ },
  { name: 'lab-knows-files', from: /^src\/lab\//, to: /^src\/(?!core\/|files\/|processes\/|lab\/)/ },
  {
    name: 'verify-knows-the-lab',
    from: /^src\/verify\//,
    to: /^src\/(?!core\/|files\/|lab\/|model\/|patterns\/|processes\/|sessions\/|terminals\/|verify\/)/,
  },
  { name: 'install-knows-formats', from: /^src\/install\//, to: /^src\/(?!core\/|files\/|formats\/|install\/)/ },
  {
    name: 'hooks-are-light',
    from: /^src\/hooks\//,
    to: /^src\/(?!core\/|files\/|formats\/|hooks\/|(environment|wire-hook)\.ts$)/,
  },
  { name: 'dashboard-reads-core', from: /^src\/dashboard\//, to: /^src\/(?!core\/|dashboard\/)/ },
  {
    name: 'page-is-for-browsers',
    from: /^src\/dashboard\/page\//,
    to: /^(?!src\/core\/|src\/dashboard\/(page\/|shown\.ts$))/,
  },
  { name: 'node-pty-at-home', from: /^src\/(?!terminals\/)/, to: /^@lydell\/node-pty$/ },
  { name: 'xterm-at-home', from: /^src\/(?!terminals\/)/, to: /^@xterm\/headless$/ },
  { name: 'jsonc-parser-at-home', from: /^src\/(?!install\/)/, to: /^jsonc-parser$/ },
  { name: 'smol-toml-at-home', from: /^src\/(?!install\/)/, to: /^smol-toml$/ },
  { name: 're2js-at-home', from: /^src\/(?!patterns\/)/, to: /^re2js$/ },
  { name: 'nobody-imports-the-face', from: /^src\//, to: /^src\/index\.ts$/ },
  { name: 'libsql-at-home', from: /^src\/(?!stores\/sqlite\/)/, to: /^libsql$/ },
  { name: 'ioredis-at-home', from: /^src\/(?!stores\/redis\/)/, to: /^ioredis$/ },
  { name: 'valibot-at-home', from: /^src\/(?!config\.ts$|schemas\/)/, to: /^@?valibot/ },
  { name: 'js-yaml-at-home', from: /^src\/(?!formats\/)/, to: /^js-yaml$/ },
  {
    name: 'no-test-code-in-product',
    from: /^src\//,
    to: /^(vitest|fast-check|yaml|gpt-tokenizer)$|^test\/|^scripts\//,
  },
];

const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));
const known = packageNames();
const graph = new Map(files.map((file) => [file, importsOf(file)]));

const breaches = [];
for (const [file, imports] of graph) {
  if (TEST.test(file)) continue;
  for (const { to } of imports) {
    for (const rule of RULES)
      if (rule.from.test(file) && rule.to.test(to)) breaches.push(`${rule.name}: ${file} imports ${to}`);
    if (TEST.test(to)) breaches.push(`no-test-code-in-product: ${file} imports ${to}`);
    if (to.startsWith('src/') && !existsSync(join(root, to)))
      breaches.push(`nothing-unresolved: ${file} imports ${to}`);
    if (!/^(src\/|node:|\.)/.test(to) && !known.has(to)) breaches.push(`no-unlisted-package: ${file} imports ${to}`);
  }
}
for (const cycle of cycles()) breaches.push(`no-cycles: ${cycle.join(' -> ')}`);

for (const breach of breaches) console.error(breach);
const count = [...graph.values()].reduce((sum, imports) => sum + imports.length, 0);
console.log(`${files.length} files, ${count} imports, ${breaches.length} breaches`);
// A check that looked at nothing has not checked.
process.exitCode = breaches.length > 0 || count === 0 ? 1 : 0;

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
