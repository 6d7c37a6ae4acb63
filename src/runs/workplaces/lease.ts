// Who uses which checkout. A lease is a file beside the checkout, written only by who has the turn, so that no two processes take
// the same one. A process that died holds nothing. Its checkout may have work that was not kept yet, so another task gets
// a checkout of its own while there are few.

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { replaceFile } from '../../system/files/atomic.ts';
import { type CheckoutPlaces, inState, type RunPlaces } from '../../system/files/project-state.ts';
import { openTurns, type TurnOwner } from './turns.ts';

/** The work that lies in a checkout. */
export interface CheckoutWork {
  readonly run: string;
  readonly task: string;
  /** The commit at which it began; empty when there was none. */
  readonly start: string;
}

export interface Lease {
  readonly places: CheckoutPlaces;
  /** What lies in it; `undefined` when it must be reset. */
  readonly work: CheckoutWork | undefined;
  /** `undefined` while it is being reset. */
  write(work: CheckoutWork | undefined): void;
  /** Another process may use it for anything. */
  release(): void;
}

export interface Leases {
  take(wanted: Pick<CheckoutWork, 'run' | 'task'>): Promise<Lease>;
  /** All checkouts, while nobody can take one. */
  withAll<T>(work: (all: readonly LookedCheckout[]) => Promise<T>): Promise<T>;
  /** The same without a turn: another process may take one meanwhile. */
  look(): readonly LookedCheckout[];
}

export interface LookedCheckout {
  readonly places: CheckoutPlaces;
  /** Nobody uses it. */
  readonly isFree: boolean;
  /** Work in it that is not kept anywhere else. */
  readonly work: CheckoutWork | undefined;
}

interface Written {
  readonly owner?: string;
  readonly work?: CheckoutWork;
}

/** Above it, also a checkout with work of a process that died is used for another task. */
const MANY = 40;

export function openLeases(places: RunPlaces, owner: TurnOwner): Leases {
  const turns = openTurns(places.turns, owner);
  const mine = new Set<string>();
  const isFree = (at: CheckoutPlaces) => {
    const { owner: holder } = read(at);
    if (holder === undefined) return true;
    return holder === owner.name ? !mine.has(at.folder) : !owner.isAlive(holder);
  };
  const open = (at: CheckoutPlaces, work: CheckoutWork | undefined): Lease => {
    const hold = (now: CheckoutWork | undefined) =>
      write(at, { owner: owner.name, ...(now === undefined ? {} : { work: now }) });
    hold(work);
    mine.add(at.folder);
    return {
      places: at,
      work,
      write: hold,
      release: () => {
        mine.delete(at.folder);
        write(at, {});
      },
    };
  };
  const look = (): readonly LookedCheckout[] =>
    numbersIn(places.checkouts).map((number) => {
      const at = places.checkout(number);
      return { places: at, isFree: isFree(at), work: read(at).work };
    });
  return {
    take: (wanted) =>
      turns.take(async () => {
        const all = look();
        const free = all.filter((one) => one.isFree);
        const same = free.find(({ work }) => work?.run === wanted.run && work.task === wanted.task);
        if (same !== undefined) return open(same.places, same.work);
        const chosen = free.find(({ work }) => work === undefined) ?? (all.length < MANY ? undefined : free[0]);
        return open(chosen?.places ?? places.checkout(nextNumber(places.checkouts)), undefined);
      }),
    withAll: (work) => turns.take(() => work(look())),
    look,
  };
}

function nextNumber(folder: string): number {
  const taken = new Set(numbersIn(folder));
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}

function numbersIn(folder: string): number[] {
  const names = inState(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return readdirSync(folder);
  });
  return names
    .filter((name) => /^[1-9]\d{0,5}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** One that is missing or cut off is that of a checkout which nobody uses. */
function read(at: CheckoutPlaces): Written {
  try {
    return JSON.parse(readFileSync(at.lease, 'utf8')) as Written;
  } catch {
    return {};
  }
}

function write(at: CheckoutPlaces, lease: Written): void {
  inState(at.folder, () => {
    mkdirSync(at.folder, { recursive: true, mode: 0o700 });
    replaceFile(at.lease, JSON.stringify(lease), { mode: 0o600, isSynced: false });
  });
}
