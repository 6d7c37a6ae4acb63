// The hook as agents run it: built into a folder of its own, started as a process with a made environment.

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildHook } from '../../scripts/build-hook.mjs';
import { IS_LONG } from '../scale.ts';

export interface Built {
  readonly folder: string;
  readonly script: string;
  remove(): void;
}

/** Lies in the project, so that packages resolve. */
export async function build(name: string): Promise<Built> {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/foreword-test', `hook-${name}-${process.pid}`);
  const script = await buildHook(folder);
  return { folder, script, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Shell {
  readonly name: string;
  readonly command: readonly string[];
  /** Why it cannot be used here. */
  readonly missing?: string;
}

/** The everyday run has the two that most machines call `sh`. */
export const SHELLS: readonly Shell[] = [
  shell('dash', ['dash']),
  shell('bash as sh', ['bash', '--posix']),
  ...(IS_LONG ? [shell('bash', ['bash']), shell('busybox sh', ['busybox', 'sh'])] : []),
];

function shell(name: string, command: readonly string[]): Shell {
  const [program = '', ...args] = command;
  const isThere = spawnSync(program, [...args, '-c', ':'], { stdio: 'ignore' }).status === 0;
  return isThere ? { name, command } : { name, command, missing: `${program} is not installed` };
}

/** For use as a test's name. */
export function titled(title: string, { name, missing }: Shell): string {
  return `${name}: ${title}${missing === undefined ? '' : ` (skipped: ${missing})`}`;
}

export interface Ran {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Written in these pieces, one after the other. */
  readonly input?: readonly (string | Uint8Array)[];
  /** Standard input stays open until the process ends. */
  readonly isLeftOpen?: boolean;
  readonly uid?: number;
}

export async function run(command: readonly string[], options: RunOptions): Promise<Ran> {
  const [program = '', ...args] = command;
  const begun = performance.now();
  const child = spawn(program, [...args, ...options.args], {
    cwd: options.cwd,
    env: options.env,
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  feed(child, options).catch(() => undefined);
  const [status, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on('close', (code, name) => resolve([code, name])),
  );
  const ms = performance.now() - begun;
  child.stdin.destroy();
  return { status, signal, stdout: await stdout, stderr: await stderr, ms };
}

async function feed(child: ChildProcessWithoutNullStreams, options: RunOptions): Promise<void> {
  // A hook that has read enough closes its end.
  child.stdin.on('error', () => undefined);
  const closed = new Promise((resolve) => child.once('close', resolve));
  for (const piece of options.input ?? []) {
    if (!child.stdin.write(piece)) {
      await Promise.race([closed, new Promise((resolve) => child.stdin.once('drain', resolve))]);
      if (child.exitCode !== null) return;
    } else await new Promise((resolve) => setTimeout(resolve, 1));
  }
  if (options.isLeftOpen !== true) child.stdin.end();
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = '';
  stream.setEncoding('utf8');
  for await (const part of stream) all += part;
  return all;
}

/** A folder with these programs and no others, to be the only one on PATH. */
export function onlyPrograms(folder: string, names: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const path = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).stdout.trim();
    symlinkSync(path, join(folder, name));
  }
  return folder;
}

/** A program that leaves a mark when it is started. */
export function canary(path: string, mark: string): string {
  writeFileSync(path, `#!/bin/sh\necho started >> '${mark}'\n`);
  chmodSync(path, 0o755);
  return path;
}
