// Keeps a bounded number of connections, so that one program that opens many and sends nothing cannot keep the page from
// loading. Where there are too many, some are closed: first those that sent nothing, then those without a request that has
// the token, the oldest first; never one with a request under way. A new one is given a moment to send its request: they
// are accepted in bursts, and read afterwards. Refusing new connections instead (Node's maxConnections) would keep the silent
// ones and shut out the person.

export interface ConnectionState {
  readonly openedAt: number;
  readonly bytesRead: number;
  /** It sent a request with the token. */
  isKnown: boolean;
  /** Requests under way. */
  requests: number;
}

/** More than this many are closed, but the young ones; more than `hard` are closed in any case. */
const MOST = { soft: 64, hard: 512 };
const YOUNG_MS = 250;

/** Those to close; they are given in the order in which they were opened. */
export function connectionsToClose<T extends ConnectionState>(connections: readonly T[], now: number): readonly T[] {
  if (connections.length <= MOST.soft) return [];
  const idle = connections.filter(({ requests }) => requests === 0);
  // Stable: within a rank the oldest stays first.
  const ranked = idle.sort((one, other) => rankOf(one) - rankOf(other));
  const old = ranked.filter(({ openedAt }) => now - openedAt >= YOUNG_MS).slice(0, connections.length - MOST.soft);
  if (connections.length - old.length <= MOST.hard) return old;
  return ranked.slice(0, connections.length - MOST.hard);
}

function rankOf({ isKnown, bytesRead }: ConnectionState): number {
  if (isKnown) return 2;
  return bytesRead > 0 ? 1 : 0;
}
