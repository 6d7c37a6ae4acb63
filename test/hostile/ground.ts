// What a trap is, and what it is set with. A trap that starts a program leaves a file in the canary folder, under its name.

import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Outside } from './outside.ts';

export interface Trap {
  readonly name: string;
  /** What would happen to somebody who falls into it. */
  readonly would: string;
  set(ground: Ground): void | Promise<void>;
}

/** The repository in which traps are set. */
export interface Ground {
  readonly root: string;
  readonly outside: Outside;
  at(path: string): string;
  /** Replaces what is there, and makes the folders on the way. */
  write(path: string, content: string | Uint8Array): void;
  /** A link in place of what is there. */
  link(path: string, target: string): void;
  /** The path of a program in the repository that leaves `name` behind and then does as `then` says. */
  canary(name: string, then?: string): string;
  /** The same program at `path`. */
  program(path: string, name: string, then?: string): void;
}

export function openGround(root: string, outside: Outside): Ground {
  const at = (path: string): string => join(root, path);
  const clear = (path: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    if (lstatSync(at(path), { throwIfNoEntry: false }) !== undefined) rmSync(at(path), { recursive: true });
  };
  const write: Ground['write'] = (path, content) => {
    clear(path);
    writeFileSync(at(path), content);
  };
  const program: Ground['program'] = (path, name, then = 'exit 1') => {
    write(path, `#!/bin/sh\n: > '${join(outside.canary, name)}'\n${then}\n`);
    chmodSync(at(path), 0o755);
  };
  mkdirSync(root, { recursive: true });
  return {
    root,
    outside,
    at,
    write,
    link: (path, target) => {
      clear(path);
      symlinkSync(target, at(path));
    },
    program,
    canary: (name, then) => {
      program(`.traps/${name}`, name, then);
      return at(`.traps/${name}`);
    },
  };
}
