// The process that started this host, over Node's IPC channel. It may go away at any time; the session goes on without it.

import type { HostMessage, PreparedMessage } from './messages.ts';

export interface HostStarter {
  isConnected(): boolean;
  /** Does nothing when the starter is gone. */
  send(message: HostMessage): void;
  /** The first message; `undefined` when the starter goes away before it sends one. */
  receive(): Promise<PreparedMessage | undefined>;
}

/** The part of `process` that is used; a process without a parent that listens has no `send`. */
export interface ParentChannel {
  readonly connected: boolean;
  readonly send?:
    | ((message: HostMessage, handle: undefined, options: undefined, done: () => void) => boolean)
    | undefined;
  once(event: 'message', listener: (message: PreparedMessage) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

export function connectStarter(channel: ParentChannel): HostStarter {
  return {
    isConnected: () => channel.connected,
    send: (message) => {
      if (channel.connected) channel.send?.(message, undefined, undefined, () => undefined);
    },
    receive: () =>
      new Promise((resolve) => {
        channel.once('message', resolve);
        channel.once('disconnect', () => resolve(undefined));
        if (!channel.connected) resolve(undefined);
      }),
  };
}
