// Whether the program behind a terminal reads key by key. Only the system knows; Node has no call for it, so `stty` is run.
// About 3 ms per call.

import { execFile } from 'node:child_process';
import { platform } from '../../system/platform.ts';

const LIMIT_MS = 2_000;

/** `tty` is the device. False when this cannot be found out: the device is gone, or there is no `stty`. */
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
