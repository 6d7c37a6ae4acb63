// Those who watch: the records are read about once a second while there is somebody, and each is sent what it does not have
// yet. Server-sent events; a reader that does not keep up is let go, and its page asks again.

import type { ServerResponse } from 'node:http';

export interface PageWatchers {
  /** The response's head is written already. */
  add(response: ServerResponse): void;
  isFull(): boolean;
  close(): void;
}

export interface PageEvent {
  readonly event: string;
  /** One line. */
  readonly data: string;
}

const MOST_WATCHERS = 16;
/** Unsent bytes of one reader. */
const MOST_BEHIND = 4 * 1024 * 1024;
/** So many looks without news, and a line is sent that says nothing: whoever is gone shows by it. */
const QUIET_LOOKS = 15;

/** `look` never throws. */
export function openWatchers({ everyMs, look }: { everyMs: number; look(): Promise<PageEvent> }): PageWatchers {
  /** What each was sent last. */
  const sent = new Map<ServerResponse, string>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isAsked = false;
  let isClosed = false;
  let looks = 0;

  const send = (text: string): void => {
    looks += 1;
    for (const [response, last] of sent) {
      if (response.writableLength > MOST_BEHIND) response.destroy();
      else if (last !== text) response.write(text);
      else if (looks % QUIET_LOOKS === 0) response.write(': here\n\n');
      if (sent.has(response)) sent.set(response, text);
    }
  };

  const round = async (): Promise<void> => {
    clearTimeout(timer);
    // Somebody who came while the records were read gets what is read next, at once.
    isAsked = isLooking;
    if (isLooking) return;
    isLooking = true;
    const { event, data } = await look();
    isLooking = false;
    send(`event: ${event}\ndata: ${data}\n\n`);
    if (sent.size === 0 || isClosed) return;
    if (isAsked) return round();
    timer = setTimeout(() => void round(), everyMs);
  };

  return {
    isFull: () => sent.size >= MOST_WATCHERS,
    add: (response) => {
      sent.set(response, '');
      response.on('close', () => {
        sent.delete(response);
        if (sent.size === 0) clearTimeout(timer);
      });
      response.write('retry: 1000\n\n');
      void round();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      for (const response of sent.keys()) response.destroy();
    },
  };
}
