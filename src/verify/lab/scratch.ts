// Scratch: a separate home and project for one agent, made from its recipe.

import { mkdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LabFacts, LabQuestion } from '../../kernel/agent-lab.ts';
import { replaceFile } from '../../system/files/atomic.ts';

export interface ScratchOptions {
  /** Made if missing; the scratch owns and removes it. Must not be inside a folder that the agent could take for a
   *  repository. */
  readonly folder: string;
  /** Where the model listens, `http://127.0.0.1:PORT`. */
  readonly modelUrl: string;
  /** Folders with the agent's program and its Node; they come first on its PATH. */
  readonly path?: readonly string[];
  /** The dialogs that the agent may show; all others are answered in advance. */
  readonly asks?: readonly LabQuestion[];
}

export interface Scratch {
  readonly home: string;
  readonly project: string;
  /** The whole environment of the agent; it inherits nothing from this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Arguments for use in a terminal. */
  readonly terminalArgs: readonly string[];
  oneshotArgs(prompt: string): readonly string[];
  /** Removes the folder. A process that the agent left behind may still write there: removal is retried for some seconds,
   *  then the error of the file system is thrown. */
  remove(): Promise<void>;
}

const REMOVE_TRIES = 30;
const REMOVE_PAUSE_MS = 100;

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];

export function makeScratch(recipe: LabFacts, options: ScratchOptions): Scratch {
  mkdirSync(options.folder, { recursive: true });
  // The real path, since agents remember trust by it.
  const folder = realpathSync(options.folder);
  const place = { home: join(folder, 'home'), project: join(folder, 'project'), modelUrl: options.modelUrl };
  const [temporary, bin] = [join(folder, 'tmp'), join(folder, 'bin')];
  for (const each of [place.home, place.project, temporary, bin]) mkdirSync(each, { recursive: true });
  // It takes the home from the password file, not from HOME, and would read the person's ~/.ssh/config there.
  replaceFile(join(bin, 'ssh'), '#!/bin/sh\nexit 255\n', { mode: 0o755 });
  const asks = new Set(options.asks);
  for (const [path, content] of Object.entries(recipe.files(place, asks))) {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, content);
  }
  return {
    home: place.home,
    project: place.project,
    env: {
      PATH: [bin, ...(options.path ?? []), ...SYSTEM_PATH].join(delimiter),
      HOME: place.home,
      // One agent refuses a home inside the temporary folder, so its TMPDIR is another folder.
      TMPDIR: temporary,
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      SHELL: '/bin/sh',
      USER: 'lab',
      ...recipe.env(place, asks),
    },
    terminalArgs: recipe.terminalArgs(asks),
    oneshotArgs: recipe.oneshotArgs,
    remove: () => removeFolder(folder),
  };
}

async function removeFolder(folder: string): Promise<void> {
  for (let tries = 1; tries < REMOVE_TRIES; tries += 1) {
    try {
      return await rm(folder, { recursive: true, force: true });
    } catch {
      await sleep(REMOVE_PAUSE_MS);
    }
  }
  await rm(folder, { recursive: true, force: true });
}
