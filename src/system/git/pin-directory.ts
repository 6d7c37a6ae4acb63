// Holds a git directory open, so that git writes to the one that was checked: a program in the project could put a link to
// another repository in its place between our look and git's. A pipe in the place of a file that git reads would make it wait.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { platform } from '../platform.ts';

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = fs.constants;

/** Calls `use` with a path of the directory that nobody can exchange meanwhile, for this process and those it starts (on Linux;
 *  elsewhere it is `directory`). Links inside the directory are not looked at. Throws `bad-input` when it is a link, or gone, or
 *  when one of the files that git always reads is a pipe, a socket or a device. */
export async function withPinned<T>(directory: string, use: (pinned: string) => Promise<T>): Promise<T> {
  const descriptor = open(directory);
  try {
    const path = pathOf(descriptor) ?? directory;
    refuseSpecial(path, directory);
    return await use(path);
  } finally {
    fs.closeSync(descriptor);
  }
}

function open(directory: string): number {
  try {
    return fs.openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (cause) {
    throw new ForewordError('bad-input', `The git directory ${directory} is gone, or is a link by now.`, {
      hint: 'If it was moved, run the command again where it is now. Else end the program that exchanges it.',
      cause,
    });
  }
}

const READ = ['HEAD', 'config', 'commondir', 'packed-refs', 'shallow', 'objects/info/alternates'];

function refuseSpecial(path: string, directory: string): void {
  for (const name of READ) {
    const stat = fs.statSync(join(path, name), { throwIfNoEntry: false });
    if (stat === undefined || stat.isFile()) continue;
    throw new ForewordError('bad-input', `${join(directory, name)} is not a file, so git cannot work there.`, {
      hint: 'Put the file back, or work in a new clone of the repository.',
    });
  }
}

/** By our process id: for git, `self` is git. */
function pathOf(descriptor: number): string | undefined {
  if (platform.descriptors === undefined) return undefined;
  const path = join(platform.descriptors.replace('self', String(process.pid)), String(descriptor));
  // A container may lack /proc, or hide us from each other.
  return fs.existsSync(join(path, 'objects')) ? path : undefined;
}
