// Makes a release. Nothing is written before every fault was looked for.
//
//   node scripts/release.mjs VERSION     version in package.json and its lock, a section in CHANGELOG.md, a commit and a tag
//   node scripts/release.mjs --pack DIR  the tarball to publish: as `npm pack`, with links that work on the package's page
//   node scripts/release.mjs --check     whether CHANGELOG.md and package.json could become a release (part of npm run check)
//
// The tarball is published by a job that may sign for the repository (`npm publish FILE`): package.json asks for provenance,
// so npm refuses to publish it from anywhere else.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { changelogFaults, isNewer, releasedChangelog, releasedVersions } from './changelog.mjs';
import { packageHome, relativeLinks, withWholeLinks } from './package-links.mjs';

const [first = '', second] = process.argv.slice(2);
/** What people copy; it names the version. */
const WORKFLOW = 'examples/ci/github.yml';
/** Files that name the owner. */
const NAMING = ['package.json', WORKFLOW, 'server.json', 'docs/pipelines.md'];
const read = (name) => readFileSync(name, 'utf8');
const own = JSON.parse(read('package.json'));
const home = packageHome(own);
const changelog = read('CHANGELOG.md');

if (first === '--check') end(checkFaults());
else if (first === '--pack') end(ownerFaults()) || pack(resolve(second ?? '.'));
else end(releaseFaults(first)) || release(first);

/** Prints the faults; true when there are some. */
function end(faults) {
  for (const fault of faults) console.error(`release: ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
  return faults.length > 0;
}

function checkFaults() {
  const follow = {
    homepage: `${home.url}#readme`,
    bugs: `${home.url}/issues`,
    // Where the registry of MCP servers looks for who may use the name.
    ...(own.mcpName === undefined ? {} : { mcpName: home.mcpName }),
  };
  const differ = Object.entries(follow).filter(([key, value]) => own[key] !== value);
  return [
    ...changelogFaults(changelog, { mayBeEmpty: true }).map((fault) => `CHANGELOG.md ${fault}`),
    ...differ.map(([key, value]) => `package.json: ${key} must follow from repository.url: ${value}`),
  ];
}

function ownerFaults() {
  const [place] = NAMING.flatMap((name) => (existsSync(name) && read(name).includes('OWNER/foreword') ? [name] : []));
  if (!home.hasOwner)
    return [
      `package.json: repository.url names no owner yet (${home.url}). Write the owner instead of OWNER there, in homepage, bugs and mcpName, and in ${WORKFLOW}; then npm run docs.`,
    ];
  return place === undefined
    ? []
    : [`${place}: still says OWNER. Write the owner of the repository there; then npm run docs.`];
}

function releaseFaults(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return [`"${version}" is no version such as 1.2.3.`];
  const last = releasedVersions(changelog)[0];
  const changes = execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
  return [
    ...checkFaults(),
    ...changelogFaults(changelog).map((fault) => `CHANGELOG.md ${fault}`),
    ...ownerFaults(),
    ...(last !== undefined && !isNewer(version, last)
      ? [`${version} is not newer than ${last}, the last release.`]
      : []),
    ...(changes === '' ? [] : [`The working tree has changes; commit them first:\n${changes.trimEnd()}`]),
  ].filter((fault, index, all) => all.indexOf(fault) === index);
}

function release(version) {
  writeFileSync('CHANGELOG.md', releasedChangelog(changelog, version, new Date().toISOString().slice(0, 10)));
  // Not by `npm version`, which formats package.json in its own way.
  writeFileSync('package.json', read('package.json').replace(/"version": *"[^"]*"/, `"version": "${version}"`));
  const lock = JSON.parse(read('package-lock.json'));
  lock.version = version;
  if (lock.packages?.[''] !== undefined) lock.packages[''].version = version;
  writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  if (existsSync(WORKFLOW)) writeFileSync(WORKFLOW, read(WORKFLOW).replace(/(foreword@v)[\d.]+/g, `$1${version}`));
  // Pages and files that name the version are made from it.
  execFileSync('npm', ['run', 'docs', '--if-present'], { stdio: 'ignore' });
  execFileSync('git', ['add', '--update']);
  execFileSync('git', ['commit', '-q', '-m', `release: ${version}`]);
  execFileSync('git', ['tag', '-a', `v${version}`, '-m', `foreword ${version}`]);
  console.log(`Committed and tagged v${version}. Next: git push --follow-tags; the job for the tag runs`);
  console.log('  node scripts/release.mjs --pack . && npm publish foreword-*.tgz');
}

/** What `npm pack` makes, with the README for the package's page. */
function pack(target) {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-release-'));
  try {
    const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { encoding: 'utf8' });
    const name = packed.trim().split('\n').at(-1);
    execFileSync('tar', ['-xzf', join(folder, name), '-C', folder]);
    const readme = join(folder, 'package/README.md');
    writeFileSync(readme, withWholeLinks(readFileSync(readme, 'utf8'), home, own.version));
    const left = relativeLinks(readFileSync(readme, 'utf8'));
    if (left.length > 0) throw new Error(`README.md still has links that a package's page cannot follow: ${left}`);
    execFileSync('tar', ['-czf', join(folder, name), '-C', folder, 'package']);
    mkdirSync(target, { recursive: true });
    cpSync(join(folder, name), join(target, name));
    console.log(join(target, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
