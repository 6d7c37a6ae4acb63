// How other processes reach a session: one JSON value per line over a unix socket in a private folder. Nothing that
// comes in can do more than put a text in line, pause, or ask; a line that is too long or no JSON ends the connection.

import { createServer, connect as open, type Server, type Socket } from 'node:net';
import { ForewordError } from '../kernel/errors.ts';

const MOST_LINE_CHARS = 4_000_000;

export type SocketMessage = Readonly<Record<string, unknown>> & { readonly kind: string };

export interface Peer {
  send(message: SocketMessage): void;
  /** Called once, when it is gone. */
  onClose(listener: () => void): void;
}

export function serveSocket(
  path: string,
  onMessage: (message: SocketMessage, peer: Peer) => void,
): Promise<{ close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const peer: Peer = {
      send: (message) => {
        if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
      },
      onClose: (listener) => socket.once('close', listener),
    };
    readLines(socket, (message) => onMessage(message, peer));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () =>
      resolve({
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => closed());
          }),
      }),
    );
  });
}

/** Sends one message and calls `onMessage` with each reply until that returns true; resolves then. Throws
 *  `session-gone` when the session cannot be reached or leaves before. */
export function askSocket(
  path: string,
  message: SocketMessage,
  onMessage: (answer: SocketMessage) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = open(path);
    let isDone = false;
    const gone = (cause?: unknown): void => {
      if (isDone) return;
      isDone = true;
      reject(
        new ForewordError('session-gone', 'The session cannot be reached.', {
          hint: 'foreword sessions shows which ones run.',
          cause,
        }),
      );
    };
    socket.on('error', gone);
    socket.on('close', () => gone());
    socket.on('connect', () => socket.write(`${JSON.stringify(message)}\n`));
    readLines(socket, (answer) => {
      if (isDone || !onMessage(answer)) return;
      isDone = true;
      socket.end();
      resolve();
    });
  });
}

/** Sends one message and calls `onMessage` with each reply, until it is closed or the session leaves. */
export function watchSocket(
  path: string,
  message: SocketMessage,
  onMessage: (answer: SocketMessage) => void,
): { close(): void } {
  const socket = open(path);
  socket.on('error', () => socket.destroy());
  socket.on('connect', () => socket.write(`${JSON.stringify(message)}\n`));
  readLines(socket, onMessage);
  return { close: () => void socket.destroy() };
}

/** Whether somebody listens there. */
export function canReach(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = open(path);
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function readLines(socket: Socket, onMessage: (message: SocketMessage) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    rest += text;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MOST_LINE_CHARS) return void socket.destroy();
    for (const line of lines) {
      const message = parse(line);
      if (message === undefined) return void socket.destroy();
      onMessage(message);
    }
  });
}

function parse(line: string): SocketMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
    return isMessage ? (value as SocketMessage) : undefined;
  } catch {
    return undefined;
  }
}
