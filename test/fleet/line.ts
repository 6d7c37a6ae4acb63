// A line between a machine and a server, for tests: it carries every byte until it is cut. A cut line is silent: nobody is told, and no
// connection is ended. When it is whole again, new connections work and old ones stay silent, as behind a router that forgot them.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Line {
  readonly port: number;
  cut(): void;
  mend(): void;
  end(): Promise<void>;
}

export async function openLine(to: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (part: Buffer) => other.write(part));
      one.on('end', () => other.end());
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroySoon();
      });
      if (isCut) one.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
    },
    end: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
