// Why a program did not start, in words for the person who named it.

import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProcessRequest } from '../../kernel/process.ts';

/** The system's error code. The text of an error is not shown for these: it may quote an argument. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to run it',
  E2BIG: 'its arguments and environment are longer than the system allows',
  ERR_INVALID_ARG_VALUE: 'the command is empty or has a zero byte in it',
  EMFILE: 'too many files are open',
  EAGAIN: 'the system allows no more processes',
  ENOMEM: 'there is no memory left',
};

/** The system returns ENOENT for three things: the command, the folder, and the interpreter in a script's first line. */
export function describeStartError({ command: [program], cwd }: ProcessRequest, error: NodeJS.ErrnoException): string {
  const why = () => {
    if (!isFolder(cwd)) return `there is no folder ${cwd} that we may enter`;
    if (error.code !== 'ENOENT') return REASONS[error.code ?? ''] ?? error.message;
    const isThere = program.includes('/') && existsSync(resolve(cwd, program));
    return isThere ? 'the interpreter that its first line names does not exist' : 'no such command';
  };
  return `Could not start ${program}: ${why()}.`;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
