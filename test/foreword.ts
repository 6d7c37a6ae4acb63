// Runs the built command as a user does: a process of its own, an isolated home, an environment made from nothing.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { prepare } from '../examples/quickstart/prepare.mjs';
import { type ProjectState, stateOf } from '../src/system/files/open-state.ts';
import { stateFolder } from '../src/system/files/project-state.ts';
import { temporaryFolder } from './bundle.ts';

const MAIN = join(import.meta.dirname, '../dist/command/start.cjs');

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Standard input; nothing and closed when absent. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function foreword(args: readonly string[], options: RunOptions): Promise<Ran> {
  if (!existsSync(MAIN)) throw new Error('dist/ is not built: run npm run build');
  const env = { PATH: process.env.PATH ?? '', HOME: homeFor(options.cwd), ...options.env };
  // Checkouts stay in the state folder: what a test made goes with its folder.
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: options.cwd,
    env: { FOREWORD_CHECKOUTS: env.HOME, ...env },
  });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, stdout: await stdout, stderr: await stderr };
}

/** Beside a project that has a temporary folder around it: state in the project would show as new files. */
export function homeFor(cwd: string): string {
  return basename(dirname(cwd)).startsWith('foreword-') ? dirname(cwd) : cwd;
}

/** The file of a project's own store; the project is made if no command did. */
export function ownStore(project: string, home = homeFor(project)): string {
  return stateIn(project, home).toWrite().store;
}

/** Whether any command made state for the project. */
export function hasState(project: string, home = homeFor(project)): boolean {
  return stateIn(project, home).toLook() !== undefined;
}

function stateIn(project: string, home: string): ProjectState {
  return stateOf(project, stateFolder({ HOME: home }));
}

/** A fresh copy of the quickstart project, in git. The caller removes it. */
export function shop(): string {
  const folder = join(temporaryFolder('shop'), 'shop');
  prepare(folder);
  return folder;
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = '';
  stream.setEncoding('utf8');
  for await (const part of stream) all += part;
  return all;
}
