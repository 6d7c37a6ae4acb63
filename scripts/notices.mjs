// The licences of packages whose code is bundled into dist/: their terms ask that the notice goes with every copy.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const ENTRIES = [
  'main',
  'host',
  'index',
  'testing/index',
  'app/session-host',
  'hooks/start',
  'app/hook-program',
  'plug-in',
];
/** Licences under which code may be bundled as long as the notice is kept. */
const KNOWN = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD']);

/** Packages under the MIT licence that come without its text: who holds the rights, as their sources name them. */
const WITHOUT_FILE = {
  '@xterm/headless': [
    'Copyright (c) 2014-2024 The xterm.js authors',
    'Copyright (c) 2012-2013 Christopher Jeffrey',
    'Copyright (c) 2011 Fabrice Bellard',
    'Copyright (c) Microsoft Corporation',
  ],
};

/** Writes the file. Throws when a package has no licence that allows it, or no text of it. */
export async function writeNotices(file, external) {
  const notices = (await bundledPackages(external)).map(noticeOf);
  const head = 'foreword contains code of these packages. Their licences:\n';
  writeFileSync(file, [head, ...notices].join(`\n${'-'.repeat(80)}\n\n`));
}

/** Names of the packages, in order. */
export async function bundledPackages(external) {
  const options = {
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    logLevel: 'error',
  };
  const entryPoints = ENTRIES.map((name) => `src/${name}.ts`);
  const built = await Promise.all([
    build({ ...options, platform: 'node', format: 'esm', splitting: true, external, entryPoints }),
    build({ ...options, platform: 'browser', entryPoints: ['src/dashboard/page/main.ts'] }),
  ]);
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const names = inputs.flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

function noticeOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!KNOWN.has(license)) throw new Error(`${name} has the licence ${license}, which is not one we may bundle.`);
  const file = readdirSync(folder).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  if (file === undefined && WITHOUT_FILE[name] === undefined) throw new Error(`${name} has no file with its licence.`);
  const text = file === undefined ? mit(WITHOUT_FILE[name]) : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

function mit(holders) {
  return `${holders.join('\n')}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.`;
}
