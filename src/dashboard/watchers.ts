// Live updates of open pages: the records are read about once a second while a page is connected, and each page is sent what
// it does not have yet. Server-sent events; a page that does not keep up is disconnected, and connects again.

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

const MOST_PAGES = 16;
/** Unsent bytes of one page. */
const MOST_BEHIND = 4 * 1024 * 1024;
/** After this many reads without a change a comment line is sent: a write to a page that is gone fails. */
const KEEP_ALIVE_READS = 15;

/** `read` never throws. */
export function openWatchers({ everyMs, read }: { everyMs: number; read(): Promise<PageEvent> }): PageWatchers {
  /** The last message that each page was sent. */
  const sent = new Map<ServerResponse, string>();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let hasNewPage = false;
  let isClosed = false;
  let reads = 0;

  const sendAll = (text: string): void => {
    reads += 1;
    for (const [response, last] of sent) {
      if (response.writableLength > MOST_BEHIND) response.destroy();
      else if (last !== text) response.write(text);
      else if (reads % KEEP_ALIVE_READS === 0) response.write(': here\n\n');
      if (sent.has(response)) sent.set(response, text);
    }
  };

  const round = async (): Promise<void> => {
    clearTimeout(timer);
    // A page that connected while the records were read gets the result of the next read, at once.
    hasNewPage = isReading;
    if (isReading) return;
    isReading = true;
    const { event, data } = await read();
    isReading = false;
    sendAll(`event: ${event}\ndata: ${data}\n\n`);
    if (sent.size === 0 || isClosed) return;
    if (hasNewPage) return round();
    timer = setTimeout(() => void round(), everyMs);
  };

  return {
    isFull: () => sent.size >= MOST_PAGES,
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
