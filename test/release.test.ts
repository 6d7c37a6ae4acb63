// A release: what refuses it, what it writes, and that a package's page can follow every link.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { changelogFaults, isNewer } from '../scripts/changelog.mjs';
import { packageHome, relativeLinks, withWholeLinks } from '../scripts/package-links.mjs';
import { temporaryFolder } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const folder = temporaryFolder('release');
const GOOD =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n\n### Added\n\n- The first.\n';

afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  for (const name of ['release.mjs', 'changelog.mjs', 'package-links.mjs'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  write('CHANGELOG.md', GOOD);
  write(
    'README.md',
    '![it moves](docs/a.svg) [pages](docs/) [there](https://example.com) [here](#more) [x](docs/x.md)\n',
  );
  write('package.json', JSON.stringify(ownPackage('someone'), null, 2));
  write('package-lock.json', JSON.stringify({ name: 'foreword', version: '0.1.0', lockfileVersion: 3, packages: {} }));
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.com');
  commit();
});

describe('a release is refused with', () => {
  test.each([
    ['an empty Unreleased', GOOD.replace('- A thing.\n', ''), '"## Unreleased" has no entry'],
    ['a misspelt Unreleased', GOOD.replace('Unreleased', 'Unrelased'), 'has "## Unrelased" on top'],
    ['another way to write it', GOOD.replace('Unreleased', '[Unreleased]'), 'has "## [Unreleased]" on top'],
    [
      'no Unreleased',
      GOOD.replace('## Unreleased\n\n### Added\n\n- A thing.\n', ''),
      'has "## 0.1.0 - 2026-01-01" on top',
    ],
    ['a misspelt group', GOOD.replace('### Added', '### Add'), 'line 5: "### Add" must be one of "### Breaking"'],
    ['an entry under no group', GOOD.replace('### Added\n\n', ''), 'line 5: the entry stands under no group'],
    ['a second Unreleased', GOOD.replace('0.1.0 - 2026-01-01', 'Unreleased'), 'line 9: "## Unreleased" must be'],
  ])('%s', (_, changelog, fault) => {
    write('CHANGELOG.md', changelog);
    commit();
    const before = git('rev-parse', 'HEAD');
    const { status, stderr } = release('0.2.0');
    expect([status, stderr]).toEqual([1, expect.stringContaining(`CHANGELOG.md ${fault}`)]);
    expect([git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')]).toEqual([before, '', '']);
  });

  test('a version that is none, or is not newer', () => {
    expect(release('soon').stderr).toContain('"soon" is no version such as 1.2.3.');
    expect(release('0.1.0').stderr).toContain('0.1.0 is not newer than 0.1.0');
    expect([isNewer('0.10.0', '0.9.9'), isNewer('1.0.0', '1.0.1')]).toEqual([true, false]);
  });

  test('work that is not committed', () => {
    write('new.txt', 'x');
    expect(release('0.2.0').stderr).toContain('?? new.txt');
  });

  test('nobody who owns the repository, and links that do not follow from it', () => {
    write('package.json', JSON.stringify({ ...ownPackage('OWNER'), bugs: 'https://example.com' }, null, 2));
    commit();
    const { stderr } = release('0.2.0');
    expect(stderr).toContain('repository.url names no owner yet (https://github.com/OWNER/foreword)');
    expect(stderr).toContain('bugs must follow from repository.url: https://github.com/OWNER/foreword/issues');
    expect(stderr).toContain('Write the owner instead of OWNER there, in homepage, bugs and mcpName');
    expect(spawnSync(process.execPath, ['scripts/release.mjs', '--pack'], { cwd: folder }).status).toBe(1);
  });

  test('an owner in one place and OWNER in another', () => {
    write('package.json', JSON.stringify({ ...ownPackage('someone'), mcpName: 'io.github.OWNER/foreword' }, null, 2));
    commit();
    expect(release('0.2.0').stderr).toContain('mcpName must follow from repository.url: io.github.someone/foreword');
    write('package.json', JSON.stringify({ ...ownPackage('someone'), mcpName: 'io.github.someone/foreword' }, null, 2));
    mkdirSync(join(folder, 'examples/ci'), { recursive: true });
    write('examples/ci/github.yml', 'uses: OWNER/foreword@v0.1.0\n');
    commit();
    expect(release('0.2.0')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('examples/ci/github.yml: still says OWNER. Write the owner'),
    });
    expect(git('tag')).toBe('');
  });

  test('our own package.json, until it names an owner', () => {
    write('package.json', readFileSync(join(root, 'package.json'), 'utf8'));
    commit();
    const hasOwner = packageHome(JSON.parse(read('package.json'))).hasOwner;
    expect(release('9.9.9').stderr.includes('names no owner yet')).toBe(!hasOwner);
  });
});

test('a release is a section with its date, a version, a commit and a tag', () => {
  expect(release('0.2.0')).toMatchObject({ status: 0, stderr: '' });
  const today = new Date().toISOString().slice(0, 10);
  expect(read('CHANGELOG.md')).toBe(GOOD.replace('Unreleased\n', `Unreleased\n\n## 0.2.0 - ${today}\n`));
  expect([JSON.parse(read('package.json')).version, JSON.parse(read('package-lock.json')).version]).toEqual([
    '0.2.0',
    '0.2.0',
  ]);
  expect([git('log', '-1', '--format=%s'), git('tag'), git('status', '--porcelain')]).toEqual([
    'release: 0.2.0\n',
    'v0.2.0\n',
    '',
  ]);
  expect(release('0.3.0').stderr).toContain('has no entry');
});

test('what is published has a README whose links work on the page of the package', () => {
  const done = spawnSync(process.execPath, ['scripts/release.mjs', '--pack', 'out'], { cwd: folder, encoding: 'utf8' });
  expect(done).toMatchObject({ status: 0 });
  const packed = execFileSync('tar', ['-xzOf', done.stdout.trim(), 'package/README.md'], { encoding: 'utf8' });
  const home = 'https://github.com/someone/foreword';
  expect(packed).toBe(
    `![it moves](${home}/raw/v0.1.0/docs/a.svg) [pages](${home}/tree/v0.1.0/docs/) [there](https://example.com) [here](#more) [x](${home}/blob/v0.1.0/docs/x.md)\n`,
  );
});

test('our own README, changelog and package.json can become a release once there is an owner', () => {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(changelogFaults(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), { mayBeEmpty: true })).toEqual([]);
  const page = withWholeLinks(readFileSync(join(root, 'README.md'), 'utf8'), packageHome(own), own.version);
  expect(relativeLinks(page)).toEqual([]);
  expect(own).toMatchObject({
    publishConfig: { provenance: true },
    keywords: expect.arrayContaining(['coding-agents']),
  });
});

function ownPackage(owner: string) {
  const url = `https://github.com/${owner}/foreword`;
  const links = {
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
    repository: { type: 'git', url: `git+${url}.git` },
  };
  return { name: 'foreword', version: '0.1.0', ...links, files: ['README.md'] };
}

function release(version: string) {
  // Without the settings of whoever runs this, who may sign commits.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
  return spawnSync(process.execPath, ['scripts/release.mjs', version], { cwd: folder, encoding: 'utf8', env });
}

function commit(): void {
  git('add', '.');
  git('commit', '-q', '-m', 'x');
}

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'commit.gpgSign=false', '-c', 'tag.gpgSign=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
