// Follows a log that only grows: each call reads only what is new.

import type { Log } from '../kernel/stores.ts';

/** Entries read at once. */
export const CHUNK = 2000;

export interface LogTail<T extends { readonly id: string }> {
  /** Everything so far; the same array as long as nothing is new. Throws what the store throws. */
  follow(log: Log<T>): Promise<readonly T[]>;
  /** The next call starts from the beginning. */
  forget(): void;
}

/** `keep` is applied once to each entry. */
export function tailOf<T extends { readonly id: string }>(keep: (value: T) => T): LogTail<T> {
  let values: readonly T[] = [];
  let last = 0;
  const forget = (): void => {
    values = [];
    last = 0;
  };
  return {
    forget,
    follow: async (log) => {
      const [newest] = await log.last(1);
      // The log was started again, by hand or by a server that lost its data.
      if ((newest?.number ?? 0) < last) forget();
      const fresh: T[] = [];
      while (last < (newest?.number ?? 0)) {
        const entries = await log.read({ after: last, limit: CHUNK });
        for (const { value } of entries) fresh.push(keep(value));
        last = entries.at(-1)?.number ?? newest?.number ?? last;
      }
      if (fresh.length > 0) values = [...values, ...fresh];
      return values;
    },
  };
}
