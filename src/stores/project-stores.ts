// The stores of one opened project: each is opened once, at its first use, and all are closed together. Writes pass the
// redactor, are retried while the store is unreachable if the caller chose so, and keep the dump of the state current.

import type { Clock } from '../kernel/clock.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Stamp } from '../kernel/stamp.ts';
import type { Durability, Stores } from '../kernel/stores.ts';
import type { StateDump } from './guard.ts';
import { emptyStores, type StoreOpener } from './open.ts';
import type { Patience } from './patient.ts';
import type { Spool } from './spool.ts';

export interface ProjectStores {
  /** The store for reading; a store that was never written reads as empty and is not created. */
  readStores(): Promise<Stores>;
  /** Stores that hold nothing, for callers that go on when the real one cannot be opened. */
  emptyStores(): Promise<Stores>;
  /** The store for writing, created if it is missing. Everything written passes the redactor. */
  writeStores(): Promise<Stores>;
  /** Looks at the store without changing anything. Throws what is wrong with it. */
  examineStore(): Promise<Durability>;
  /** From now on the store for writing retries while it is unreachable, until the signal is aborted. */
  bePatient(signal: AbortSignal, giveUpMs: number, spool?: Spool): void;
  /** Appends to the journal of `writeStores`. */
  emit(event: NewEvent): Promise<void>;
}

export interface ClosableStores extends ProjectStores {
  close(): Promise<void>;
}

export interface ProjectStoreParts {
  readonly opener: StoreOpener;
  readonly clock: Clock;
  readonly stamp: Stamp;
  /** Named in what is written. */
  readonly writer: string;
  redact(text: string): string;
  /** Printed for the person. */
  note(text: string): void;
  /** Called before each read of our own store; it may write. */
  beforeRead(open: () => Promise<Stores>): Promise<void>;
  /** `undefined`: no dump is kept. */
  readonly dump: ((stores: Stores) => StateDump) | undefined;
}

export function projectStores(parts: ProjectStoreParts): ClosableStores {
  const { opener } = parts;
  const opened = new Set<Stores>();
  let patience: Patience | undefined;
  let reading: Promise<Stores | undefined> | undefined;
  let writing: Promise<Stores> | undefined;

  const keep = (stores: Stores): Stores => {
    opened.add(stores);
    return stores;
  };
  const writeStores = async (): Promise<Stores> => {
    writing ??= opener.write().then((stores) => wrapped(stores, parts, patience));
    try {
      return keep(await writing);
    } catch (error) {
      // A store that cannot be written to may still be read.
      writing = undefined;
      throw error;
    }
  };
  return {
    writeStores,
    emptyStores,
    examineStore: () => opener.examine(),
    readStores: async () => {
      if (!opener.isGiven) await parts.beforeRead(writeStores);
      reading ??= writing ?? opener.read();
      const stores = await reading;
      if (stores !== undefined) return keep(stores);
      // Another process may create it later.
      reading = undefined;
      return emptyStores();
    },
    bePatient: (signal, giveUpMs, spool) => {
      patience = { clock: parts.clock, signal, note: parts.note, giveUpMs, spool };
    },
    emit: async (event) => {
      await (await writeStores()).journal.append(parts.stamp(event));
    },
    close: async () => {
      for (const stores of opened) {
        opened.delete(stores);
        await stores.close();
      }
    },
  };
}

async function wrapped(stores: Stores, parts: ProjectStoreParts, patience: Patience | undefined): Promise<Stores> {
  const { dumpedStores, redactingStores, signedStores } = await import('./guard.ts');
  const patient = patience && (await import('./patient.ts')).patientStores(stores, patience);
  const guarded = signedStores(redactingStores(patient ?? stores, parts.redact), parts.writer);
  return parts.dump === undefined ? guarded : dumpedStores(guarded, parts.dump(guarded));
}
