// Whether the program behind a terminal reads key by key. Only the system knows; `stty` is its voice, since Node has no way
// to ask. About 3 ms per question.

import { execFile } from 'node:child_process';
import { platform } from '../../system/platform.ts';

const LIMIT_MS = 2_000;

/** `tty` is the device. False when it cannot be asked: it is gone, or there is no `stty`. */
export function isRawMode(tty: string): Promise<boolean> {
  const args = [platform.sttyDevice, tty, '-a'];
  const options = { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile('stty', args, options, (error, stdout) => {
      const words = new Set(error === null ? stdout.split(/[\s;]+/) : []);
      resolve(words.has('-icanon') && words.has('-echo'));
    });
  });
}
