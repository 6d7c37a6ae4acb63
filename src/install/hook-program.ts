// The hook program that installed entries run: its path, and the words of the command.

import { accessSync, constants, lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { HookEvent } from '../kernel/hook-events.ts';

/** More links than any installation has; a cycle of links must end. */
const MOST_LINKS = 20;

/** Beside the command's file. Links to the file itself are followed, links of folders are not: a package manager that keeps
 *  several versions links a folder to the newest, and an update must not leave dead hooks behind. */
export function hookProgramBeside(commandFile: string | undefined): string {
  let file = resolve(commandFile ?? '.');
  for (let turn = 0; turn < MOST_LINKS && isLink(file); turn += 1) file = resolve(dirname(file), readlinkSync(file));
  return join(dirname(file), '../hook/foreword-hook');
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** npx runs packages from a cache that npm may clear. */
export function isThrowaway(hook: string): boolean {
  return /[\\/]_npx[\\/]/.test(hook);
}

export function hookWords(hook: string): (event: HookEvent, agent: string) => readonly string[] {
  return (event, agent) => [hook, event, agent];
}
