// Stores that retry: while the server is unreachable, a call is repeated until it succeeds. For runs, whose results must not be
// lost because of a restart of the server. A full disk is waited for only for seconds: nobody frees it in the night. A call whose reply was lost may have been carried
// out, so the result of a second try is compared with what is stored: nothing is done twice.

import type { Clock } from '../kernel/clock.ts';
import { type ErrorCode, isForewordError } from '../kernel/errors.ts';
import type { FleetStore } from '../kernel/fleet.ts';
import { isSameValue } from '../kernel/same-value.ts';
import type { Log, Stores, Versioned } from '../kernel/stores.ts';
import type { Spool, SpooledWrite } from './spool.ts';

export interface Patience {
  readonly clock: Pick<Clock, 'wait'>;
  /** When it is aborted, nothing is retried any more and errors are thrown at once. */
  readonly signal: AbortSignal;
  /** Called once when the retries begin, and once when they end. */
  note(text: string): void;
  /** After this long the error is thrown as it is. */
  readonly giveUpMs: number;
  /** Keeps results while the store is away; without one they are in memory only. */
  readonly spool?: Spool | undefined;
}

const PAUSE_MS = 500;
const PASSING: readonly ErrorCode[] = ['store-unreachable', 'disk-full'];
/** Temporary files of other programs come and go; after this the run ends and says why. */
const DISK_FULL_MS = 3_000;

export function patientStores(stores: Stores, patience: Patience): Stores {
  const again = makeRetry(patience);
  /** From the second try on it is kept; when the store still is away at the end, it stays. */
  const spooled = async (write: SpooledWrite, call: (isSecond: boolean) => Promise<void>): Promise<void> => {
    let remove: (() => void) | undefined;
    try {
      await again((isSecond) => {
        if (isSecond) remove ??= patience.spool?.keep(write);
        return call(isSecond);
      });
    } catch (error) {
      if (isForewordError(error) && PASSING.includes(error.code)) throw error;
      remove?.();
      throw error;
    }
    remove?.();
  };
  const { tasks, attempts } = stores;
  return {
    ...stores,
    journal: patientLog(stores.journal, again),
    receipts: patientLog(stores.receipts, again),
    continuity: patientLog(stores.continuity, again),
    breakers: patientVersioned(stores.breakers, again),
    deliveries: patientVersioned(stores.deliveries, again),
    sessions: patientVersioned(stores.sessions, again),
    runs: patientVersioned(stores.runs, again),
    works: patientVersioned(stores.works, again),
    tasks: {
      add: (record) => again(() => tasks.add(record)),
      get: (id) => again(() => tasks.get(id)),
      list: () => again(() => tasks.list()),
      recentFinished: (limit) => again(() => tasks.recentFinished(limit)),
      blocked: () => again(() => tasks.blocked()),
      holder: (id) => again(() => tasks.holder(id)),
      claim: (id, by) =>
        again(async (isSecond) => {
          const claim = await tasks.claim(id, by);
          if (claim !== undefined || !isSecond) return claim;
          const holder = await tasks.holder(id);
          return holder?.owner === by.owner ? holder : undefined;
        }),
      renew: (claim, lease) => again(() => tasks.renew(claim, lease)),
      update: (claim, record) =>
        spooled({ kind: 'update', claim, record }, (isSecond) =>
          tasks.update(claim, record).catch(async (error: unknown) => {
            if (!isSecond || !isSameValue(await tasks.get(claim.taskId), record)) throw error;
          }),
        ),
      amend: (record, now) => again(() => tasks.amend(record, now)),
    },
    ...(stores.fleet === undefined ? {} : { fleet: patientFleet(stores.fleet, again) }),
    attempts: {
      append: (id, record, claim) =>
        spooled({ kind: 'append', task: id, claim, record }, (isSecond) =>
          attempts.append(id, record, claim).catch(async (error: unknown) => {
            if (!isSecond || !isSameValue((await attempts.list(id)).at(-1), record)) throw error;
          }),
        ),
      list: (id) => again(() => attempts.list(id)),
      open: (id) => again(() => attempts.open(id)),
      clear: (id) => again(() => attempts.clear(id)),
      clearedUpTo: (id) => again(() => attempts.clearedUpTo(id)),
      taskIds: () => again(() => attempts.taskIds()),
    },
  };
}

/** `isSecond`: an earlier try may have been carried out though its reply was lost. */
type Retry = <T>(call: (isSecond: boolean) => Promise<T>) => Promise<T>;

function makeRetry(patience: Patience): Retry {
  let isAway = false;
  // Once it was waited for in vain, every further call fails at once: the run has to come to its end.
  let diskFullMs = DISK_FULL_MS;
  return async (call) => {
    for (let waited = 0; ; waited += PAUSE_MS) {
      try {
        const answer = await call(waited > 0);
        if (isAway) patience.note('the store is reachable again; continuing.');
        isAway = false;
        return answer;
      } catch (error) {
        const isPassing = isForewordError(error) && PASSING.includes(error.code);
        if (!isPassing || patience.signal.aborted) throw error;
        const isFull = error.code === 'disk-full';
        if (waited >= (isFull ? Math.min(diskFullMs, patience.giveUpMs) : patience.giveUpMs)) {
          if (isFull) diskFullMs = 0;
          throw error;
        }
        const until = isFull ? `for ${DISK_FULL_MS / 1000} s` : 'until it works; nothing is lost';
        if (!isAway) patience.note(`${error.message} Retrying ${until}.`);
        isAway = true;
        await patience.clock.wait(PAUSE_MS, patience.signal);
      }
    }
  };
}

/** A turn that was lost with its reply is somebody's later; a sign is repeated by itself. */
function patientFleet(fleet: FleetStore, again: Retry): FleetStore {
  return {
    ...fleet,
    rules: (wanted) => again(() => fleet.rules(wanted)),
    keptRules: () => again(() => fleet.keptRules()),
    signs: () => again(() => fleet.signs()),
    now: () => again(() => fleet.now()),
    leases: (tasks) => again(() => fleet.leases(tasks)),
    server: () => again(() => fleet.server()),
  };
}

function patientLog<T extends { readonly id: string }>(log: Log<T>, again: Retry): Log<T> {
  return {
    append: (entry) => again(() => log.append(entry)),
    read: (range) => again(() => log.read(range)),
    last: (count) => again(() => log.last(count)),
  };
}

function patientVersioned<T>(records: Versioned<T>, again: Retry): Versioned<T> {
  return {
    get: (id) => again(() => records.get(id)),
    list: (group) => again(() => records.list(group)),
    put: (id, value, expected) =>
      again(async (isSecond) => {
        if (await records.put(id, value, expected)) return true;
        const stored = isSecond ? await records.get(id) : undefined;
        return stored?.version === expected + 1 && isSameValue(stored.value, value);
      }),
  };
}
