// Programs of this machine that open connections and send nothing, or half a request, must not keep the person out.

import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Board, openBoard } from './field.ts';

let board: Board;
beforeAll(async () => {
  board = await openBoard();
});
afterAll(() => board.remove());

const CONNECTIONS = 1000;
const HALVES = ['', 'G', 'GET /state HTTP/1.1\r\nHost: 127.0.0.1\r\n', 'GET /state HTTP/1.1\r\nX: '] as const;

/** Opens them all, and opens each again that the server closes. */
function crowd(port: number): { readonly opened: () => number; leave(): void } {
  const open = new Set<Socket>();
  let opened = 0;
  let isOver = false;
  const enter = (kind: number): void => {
    if (isOver) return;
    const socket = connect(port, '127.0.0.1', () => {
      opened += 1;
      socket.write(HALVES[kind % HALVES.length] ?? '');
    });
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      setTimeout(() => enter(kind), 1000);
    });
  };
  for (let kind = 0; kind < CONNECTIONS; kind += 1) enter(kind);
  return {
    opened: () => opened,
    leave: () => {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

test('1,000 half-open connections that come back whenever they are closed: the page is served within a second', async () => {
  const attack = crowd(board.port);
  try {
    await expect.poll(attack.opened, { timeout: 10_000 }).toBeGreaterThanOrEqual(CONNECTIONS);
    const took: number[] = [];
    // Until a browser would have given up.
    const signal = AbortSignal.timeout(30_000);
    const headers = { Authorization: `Bearer ${board.token}`, Connection: 'close' };
    for (let look = 0; look < 20; look += 1) {
      const from = performance.now();
      const response = await fetch(`http://127.0.0.1:${board.port}/state`, { headers, signal });
      expect(response.status).toBe(200);
      await response.text();
      took.push(performance.now() - from);
    }
    expect(Math.max(...took)).toBeLessThan(1000);
  } finally {
    attack.leave();
  }
});
