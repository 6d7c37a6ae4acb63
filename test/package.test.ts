// What `npm pack` ships is what a user gets: the command runs, the library loads, the types hold.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const folder = temporaryFolder('package');
const installed = join(folder, 'node_modules/foreword');
let files: string[] = [];
let tarball = '';

/** Of everything that `npm install foreword` brings. Measured: 40 MB. */
const MAX_INSTALLED_BYTES = 50_000_000;

/** Of the file that is downloaded. Measured: 5.7 MB. */
const MAX_PACKED_BYTES = 6_000_000;

beforeAll(() => {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const parsed = JSON.parse(packed);
  const [{ filename, files: listed }] = Array.isArray(parsed) ? parsed : Object.values(parsed);
  files = listed.map((file: { path: string }) => file.path);
  tarball = join(folder, filename);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
  for (const name of ['libsql', 'ioredis', '@types', 'undici-types']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

afterAll(() => rmSync(folder, { recursive: true }));

test('only what a user needs is shipped', () => {
  expect([...new Set(files.map((file) => file.split('/')[0]))].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
    'schema',
  ]);
  expect(files.filter((file) => /\.test\.|\.code$|\.tmp$|^dist\/(command|hook)\/.*\.map$/.test(file))).toEqual([]);
});

test('publint finds nothing wrong with the package', async () => {
  const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
  expect(messages).toEqual([]);
});

test('the types of every entry are found by every way of resolving ES modules', async () => {
  const { problems, types } = await typeProblems(readFileSync(tarball));
  expect(types).toBe(true);
  expect(problems).toEqual([]);
});

test('types that are missing are found', async () => {
  const broken = join(folder, 'broken');
  mkdirSync(broken);
  execFileSync('tar', ['-xzf', tarball, '-C', broken]);
  rmSync(join(broken, 'package/dist/types/testing/index.d.ts'));
  execFileSync('tar', ['-czf', join(broken, 'broken.tgz'), '-C', broken, 'package']);
  expect((await typeProblems(readFileSync(join(broken, 'broken.tgz')), ['testing'])).problems).toContain(
    './testing: UntypedResolution',
  );
});

test('the registry of MCP servers takes server.json: its description is short, its name is that of the package', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const server = read(join(root, 'server.json'));
  const { name, version, mcpName } = read(join(installed, 'package.json'));
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(mcpName).toMatch(/^[\w.-]+\/[\w.-]+$/);
  expect([server.name, server.version]).toEqual([mcpName, version]);
  expect(server.packages).toMatchObject([{ registryType: 'npm', identifier: name, version }]);
});

test('an installation is at most 50 MB', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages = Object.entries<{ readonly dev?: boolean }>(lock.packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path)))
    .map(([path]) => join(root, path));
  expect(packages.length).toBeGreaterThan(5);
  const bytes = [installed, ...packages].map(bytesIn).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(bytes).toBeLessThanOrEqual(MAX_INSTALLED_BYTES);
});

test('the command runs from its package, and keeps its compiled code beside it', () => {
  const start = join(installed, 'dist/command/start.cjs');
  expect(execFileSync(process.execPath, [start, '--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(readdirSync(join(installed, 'dist/command')).filter((name) => name.endsWith('.code'))).toEqual([
    'main.cjs.code',
  ]);
  expect(execFileSync(process.execPath, [start, 'context'], { encoding: 'utf8', cwd: folder })).toContain('next_work');
  writeFileSync(join(installed, 'dist/command/main.cjs.code'), 'not code at all');
  expect(spawnSync(process.execPath, [start, '--version'], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

test('kept code does not outlive a change of the file it was made from, also one of equal length', () => {
  const [start, main] = ['start.cjs', 'main.cjs'].map((name) => join(installed, 'dist/command', name));
  const version = () => execFileSync(process.execPath, [start ?? '', '--version'], { encoding: 'utf8' }).trim();
  const before = version();
  expect(version()).toBe(before);
  const other = before.replace(/\d/g, '9');
  writeFileSync(
    main ?? '',
    readFileSync(main ?? '', 'utf8').replaceAll(`"${before}"`, () => `"${other}"`),
  );
  expect(version()).toBe(other);
});

test('the library and its test aids load, and nothing but the two is exported', () => {
  const script = `
    import * as face from 'foreword';
    import { memoryStores, storeContract } from 'foreword/testing';
    for (const { run } of storeContract) await run(async () => memoryStores());
    const inner = await import('foreword/dist/index.js').then(() => 'open', () => 'closed');
    console.log(typeof face.openProject, storeContract.length > 50, inner);`;
  writeFileSync(join(folder, 'use.mjs'), script);
  expect(execFileSync(process.execPath, ['use.mjs'], { cwd: folder, encoding: 'utf8' })).toBe('function true closed\n');
});

test('an error of the library prints its message and a short line, not a page of code', () => {
  writeFileSync(join(folder, 'wrong.mjs'), "import { defineTask } from 'foreword';\ndefineTask({ task_id: 'a' });\n");
  const plain = spawnSync(process.execPath, ['wrong.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(plain.stderr).toContain('instructions: Missing');
  expect(plain.stderr).toContain('\nForewordError: This task');
  expect(plain.stderr).not.toContain('[ForewordError]');
  expect(plain.stderr.length).toBeLessThan(3000);
  const mapped = spawnSync(process.execPath, ['--enable-source-maps', 'wrong.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(mapped.stderr).toContain('src/config/define.ts');
});

test('a user of the types is checked by them', () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { buildRetryContext, composeHandover, type Stores, type Task } from 'foreword';
import { manualClock, memoryStores } from 'foreword/testing';
const stores: Stores = memoryStores();
export const now: number = manualClock().now();
export const listed: Promise<readonly unknown[]> = stores.tasks.list();
export const text: string = buildRetryContext({ attemptNumber: 2, previousValidationErrors: ['x'] });
// @ts-expect-error a priority that is no number
export const wrong: Pick<Task, 'priority'> = { priority: 'soon' };
export const none = composeHandover({ attempts: [], nextAgent: 'codex' }).type;
`,
  );
  const options = {
    strict: true,
    module: 'nodenext',
    moduleResolution: 'nodenext',
    target: 'es2022',
    noEmit: true,
    types: ['node'],
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['use.ts', 'api-*.ts'] }),
  );
  for (const name of readdirSync(join(root, 'examples')).filter((one) => /^api-.*\.ts$/.test(one)))
    writeFileSync(join(folder, name), readFileSync(join(root, 'examples', name)));
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  expect(tsc.stdout + tsc.stderr).not.toContain('error');
  expect(tsc.status).toBe(0);
});

test.each([[['es2022']], [['es2022', 'dom']]])('the types hold without the types of Node, with %j', (lib) => {
  const plain = join(folder, `plain-${lib.length}`);
  mkdirSync(join(plain, 'node_modules'), { recursive: true });
  symlinkSync(installed, join(plain, 'node_modules/foreword'));
  writeFileSync(
    join(plain, 'use.ts'),
    `import { type Clock, type ContextInjector, defineTask, eventLine, openProject, prepareRun } from 'foreword';
import { memoryStores } from 'foreword/testing';
const clock: Clock = { now: () => 0, wait: async () => undefined };
export const run = async () =>
  (await prepareRun(openProject({ clock, stores: memoryStores() }), {
    tasks: [defineTask({ task_id: 'a', instructions: 'x' })],
    onEvent: (event) => eventLine(event).length,
  })).run();
export function listen(injector: ContextInjector): void {
  injector.on('injection:failed', ({ reason }) => reason.length);
  // @ts-expect-error no such event
  injector.on('injection:fail', () => undefined);
}
`,
  );
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', lib, types: [], noEmit: true };
  writeFileSync(
    join(plain, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: false }, include: ['use.ts'] }),
  );
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', plain, '--preserveSymlinks'], { encoding: 'utf8' });
  expect(tsc.stdout + tsc.stderr).toBe('');
});

test('the package to download is at most 6 MB', () => {
  expect(statSync(tarball).size).toBeLessThanOrEqual(MAX_PACKED_BYTES);
});

/** Of the ways that ES modules are resolved: the package has no other form, and says so by its `exports`. */
async function typeProblems(packed: Uint8Array, entrypoints?: string[]) {
  const analysis = await checkPackage(
    createPackageFromTarballData(packed),
    entrypoints === undefined ? {} : { entrypoints },
  );
  const problems = 'problems' in analysis ? analysis.problems : [];
  const found = problems.flatMap((problem) => {
    if (!('entrypoint' in problem)) return [problem.kind];
    return problem.resolutionKind === 'node10' || problem.resolutionKind === 'node16-cjs'
      ? []
      : [`${problem.entrypoint}: ${problem.kind}`];
  });
  return { problems: found, types: analysis.types !== false };
}

function bytesIn(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
    .reduce((sum, size) => sum + size, 0);
}
