// A long text at a terminal, page by page: by the person's own pager, as git does.

import { spawnSync } from 'node:child_process';
import { environment, searchPath } from '../system/environment.ts';
import { findProgram } from '../system/processes/find-program.ts';

/** Of a pager that nobody set up: ends at once where all fits, shows colour, leaves the text on the screen, says how to leave. */
const LESS = '-FRX -Psspace\\: next page   q\\: back$';

/** False where there is no pager, or none is needed: then nothing was shown. */
export function isPaged(text: string, rows: number): boolean {
  if (text.split('\n').length <= rows - 2) return false;
  const env = environment();
  const named = env.PAGER;
  const where = { path: searchPath(env), cwd: process.cwd() };
  const line = named === undefined || named === '' ? '"$0"' : named;
  const less = findProgram('less', where);
  if (line === 'cat' || (line === '"$0"' && less === undefined)) return false;
  // Ctrl-C is for the pager.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  // The person's setting may hold flags.
  const ran = spawnSync('/bin/sh', ['-c', line, less ?? 'less'], {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS, ...env },
  });
  process.off('SIGINT', ignore);
  return ran.error === undefined && ran.status !== 127 && ran.status !== 126;
}
