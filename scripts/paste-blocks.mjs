// Pastes every shell block of README and docs, in the order of its page, into bash and into zsh, in a project that is not
// ours, with foreword installed by npm from a registry on loopback that serves what `npm pack` makes. Each block must end with
// 0 and print what the page says, and no file that was there before may be changed when the page is done.
// Before the pages, `npx foreword` is tried in the same way, where nothing is installed.
// `--write` takes what bash prints as the new truth. Needs the built command.
// Usage: node scripts/paste-blocks.mjs [--write] [PAGE…]

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeHome } from '../examples/stand-ins/project.mjs';
import { blocksOf, changesOf, resultsOf, scriptOf, withOutput } from './paste/page.mjs';
import { openRegistry } from './paste/registry.mjs';
import { withoutChance } from './without-chance.mjs';

const root = join(import.meta.dirname, '..');
const MARK = '@@ end of block';
/** Three times what the slowest page takes on a busy machine. */
const PAGE_MS = 120_000;

const isWrite = process.argv.includes('--write');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
].filter((page) => wanted.length === 0 || wanted.includes(page));
const SHELLS = ['bash', 'zsh'];
const shells = SHELLS.filter((shell) => hasProgram(shell));
const folder = mkdtempSync('/tmp/foreword-paste-');
const agents = join(folder, 'agents');
let failed = 0;

try {
  mkdirSync(agents);
  for (const name of ['claude', 'codex']) symlinkSync(join(root, `examples/stand-ins/${name}.mjs`), join(agents, name));
  const registry = await openRegistry(packCheckout(), folder);
  try {
    await tryNpx(registry.url);
    const shared = await install(registry.url);
    const tryIn = async (shell) => {
      for (const page of pages) await tryPage(page, shell, { registry, shared });
    };
    // What bash writes is what zsh is compared with.
    if (isWrite) for (const shell of shells) await tryIn(shell);
    else await Promise.all(shells.map(tryIn));
  } finally {
    await registry.close();
  }
} finally {
  rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 200 });
}
// Not tried is not the same as passed.
for (const shell of SHELLS)
  if (!shells.includes(shell)) console.log(`skipped: the blocks in ${shell}, which is not installed`);
console.log(`${shells.join(' and ')}: ${failed === 0 ? 'every block prints what its page says' : `${failed} failed`}`);
process.exitCode = failed > 0 ? 1 : 0;

/** A copy of the built checkout; packing it is what the README says for people who install from the repository. */
function packCheckout() {
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'schema', 'scripts/pack.mjs', 'dist'])
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  const options = { cwd: checkout, encoding: 'utf8', env: environment({ home: folder }) };
  const name = execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], options).trim();
  return join(checkout, name);
}

/** For pages that begin with foreword installed. */
async function install(registry) {
  const home = join(folder, 'shared');
  mkdirSync(home);
  const env = environment({ home, registry });
  const done = await run('npm', ['install', '--global', 'foreword'], { cwd: home, env });
  if (done.status !== 0) throw new Error(`npm install --global foreword ended with ${done.status}\n${done.output}`);
  return join(home, '.npm-global/bin');
}

/** The first line of a new user, with nothing installed before it and nothing left in the project after it. */
async function tryNpx(registry) {
  const home = join(folder, 'npx');
  mkdirSync(home);
  const project = makeHome(home);
  const env = environment({ home, registry });
  const before = filesIn(home);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const failedBefore = failed;
  const expected = [
    [['--version'], (output) => output.endsWith(`${version}\n`)],
    [['init', '--dry-run'], (output) => /^hooks +\d+: Claude Code \d+, Codex \d+;/m.test(output)],
  ];
  const startedAt = performance.now();
  for (const [args, isRight] of expected) {
    const { status, output } = await run('npx', ['--yes', 'foreword', ...args], { cwd: project, env });
    if (status !== 0 || !isRight(output)) fail(`npx --yes foreword ${args.join(' ')} ended with ${status}\n${output}`);
  }
  const after = filesIn(home);
  const made = [...after.keys()].filter((path) => !before.has(path)).map((path) => `made ${path}`);
  for (const change of [...changesOf(before, after), ...made]) fail(`npx --yes foreword ${change}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (failed === failedBefore) console.log(`ok  npx --yes foreword, with nothing installed (${seconds} s)`);
}

async function tryPage(page, shell, { registry, shared }) {
  const text = readFileSync(join(root, page), 'utf8');
  const all = blocksOf(text);
  const blocks = all.filter(({ where }) => where !== 'claude');
  if (blocks.length === 0) return;
  // Of equal length in both shells: pages count the characters of a working directory.
  const home = join(folder, `${shells.indexOf(shell)}-${page.replaceAll('/', '-')}`);
  mkdirSync(home);
  const project = makeHome(home);
  const before = filesIn(home);
  const isInstalled = !blocks.some((block) => /^npm install --global/m.test(block.text));
  const env = environment({ home, registry: registry.url, bin: isInstalled ? shared : undefined });
  const file = join(folder, `${shell}-blocks.sh`);
  writeFileSync(
    file,
    scriptOf(
      blocks.map((block) => inPlace(block)),
      MARK,
    ),
  );
  const { output, seconds } = await run(shell, [file], { cwd: project, env });
  const { results, rest } = resultsOf(output.replaceAll(home, '/home/you'), MARK);
  const failedBefore = failed;
  const report = (what) => fail(`${page} in ${shell}: ${what}`);
  if (results.length < blocks.length) report(`ended early\n${rest}`);
  const between = `${MARK}\n`;
  const printed = withoutChance(results.map((result) => result.printed).join(between)).split(between);
  for (const [index, { status }] of results.entries()) {
    const { text: block, prints } = blocks[index];
    const first = block.trim().split('\n')[0];
    if (status !== 0) report(`"${first}" ended with ${status}\n${printed[index]}`);
    else if (prints !== undefined && prints !== printed[index] && !(isWrite && shell === 'bash'))
      report(`"${first}" prints something else than the page says; if that is right, --write it\n${printed[index]}`);
  }
  for (const change of changesOf(before, filesIn(home))) report(`it ${change}`);
  if (isWrite && shell === 'bash' && failed === failedBefore) writePage(page, text, { all, blocks, printed });
  if (failed === failedBefore) console.log(`ok  ${page} in ${shell}: ${blocks.length} block(s) (${seconds} s)`);
}

/** Blocks for a checkout run there, in a shell of their own. */
function inPlace(block) {
  if (block.where === 'project') return block;
  return { text: `(cd ${join(folder, 'checkout')} &&\n${block.text})\n` };
}

function writePage(page, text, { all, blocks, printed }) {
  const now = all.map((block) => printed[blocks.indexOf(block)]);
  const written = withOutput(text, now);
  if (written === text) return;
  writeFileSync(join(root, page), written);
  console.log(`wrote ${page}`);
}

/** Nothing of whoever runs this: a home, programs of the system, two agents, and the registry on loopback. */
function environment({ home, registry, bin }) {
  const own = join(home, '.npm-global');
  return {
    PATH: [join(own, 'bin'), bin, agents, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin']
      .filter((path) => path !== undefined)
      .join(':'),
    HOME: home,
    LANG: 'C.UTF-8',
    npm_config_prefix: own,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_update_notifier: 'false',
    ...(registry === undefined ? {} : { npm_config_registry: registry }),
  };
}

function run(command, args, { cwd, env }) {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: PAGE_MS });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('close', (status) =>
      resolve({ status, output, seconds: ((performance.now() - started) / 1000).toFixed(1) }),
    );
  });
}

/** Path → content. What npm and foreword keep for themselves is not the person's. */
function filesIn(home) {
  const files = new Map();
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(home.length + 1);
    if (entry.isFile() && !/^(\.npm|\.npm-global|\.local\/state\/foreword)\/|^shop\/\.git\//.test(path))
      files.set(path, readFileSync(join(home, path), 'utf8'));
  }
  return files;
}

function hasProgram(name) {
  return (process.env.PATH ?? '').split(':').some((path) => {
    try {
      return readdirSync(path).includes(name);
    } catch {
      return false;
    }
  });
}

function fail(why) {
  failed += 1;
  console.error(`FAILED  ${why}`);
}
