// Whether a process of this machine answers at a unix socket.

import { connect } from 'node:net';

/** One that is stopped answers as well: the system takes the connection. Never rejects. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
