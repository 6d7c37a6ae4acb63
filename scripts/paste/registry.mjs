// A registry of packages on loopback, for `npm install` without a network: foreword as `npm pack` made it, and the packages it
// needs, packed from node_modules as they lie there.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Serves `tarball` as foreword; `folder` keeps the packed dependencies. Answers `{ url, close }`. */
export async function openRegistry(tarball, folder) {
  const packages = new Map([['foreword', { manifest: manifestIn(tarball), file: tarball }]]);
  for (const [name, path] of installedPackages()) {
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    packages.set(name, { manifest, file: () => packed(path, folder) });
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname).slice(1);
    const found = packages.get(path.replace(/\.tgz$/, ''));
    if (found === undefined) return void response.writeHead(404).end('{}');
    if (path.endsWith('.tgz')) return void response.end(readFileSync(fileOf(found)));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(document(found.manifest, server.address().port)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** What users get: everything in the lockfile that is not for development and fits this machine. */
function installedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path)))
    .map(([path]) => [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), join(root, path)]);
}

function document(manifest, port) {
  const { name, version } = manifest;
  const dist = { tarball: `http://127.0.0.1:${port}/${name}.tgz` };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

function fileOf(found) {
  if (typeof found.file === 'function') found.file = found.file();
  return found.file;
}

/** A tarball as registries have them: everything below `package/`. Without compression: it does not leave this machine. */
function packed(path, folder) {
  const file = join(folder, `${path.slice(root.length).replaceAll('/', '+')}.tgz`);
  const name = basename(path);
  execFileSync('tar', ['-cf', file, '-C', join(path, '..'), '--transform', `s,^${name},package,`, name]);
  return file;
}

function manifestIn(tarball) {
  return JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }));
}
