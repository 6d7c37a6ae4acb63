// Reads the store for the dashboard and changes nothing in it. What other commands do beside reading (import the events of
// hooks, record the end of a session that died) is left to them.

import type { ForewordEvent } from '../kernel/events.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import type { Receipt } from '../kernel/receipt.ts';
import type { Stores } from '../kernel/stores.ts';
import { tailOf } from './log-tail.ts';

/** The store to read, and what hooks wrote beside it. */
export interface ReadSource {
  /** Changes when the store was replaced by another. */
  identity(): string;
  open(): Promise<Stores>;
  /** Events of hooks that no command has imported yet; the same array as long as nothing is new. */
  spooled(): readonly ForewordEvent[];
  redact(text: string): string;
}

export interface RecordReader {
  /** Throws what the store throws. Calls at the same time share one reading. */
  read(): Promise<RecordReading>;
  close(): Promise<void>;
}

export interface RecordReading {
  readonly stores: Stores;
  /** Redacted, the prompts left out; the same array as long as nothing is new. */
  readonly events: readonly ForewordEvent[];
  readonly receipts: readonly Receipt[];
}

export function openReader(source: ReadSource): RecordReader {
  const store = followStore(source);
  const journal = joinSpool(source);
  let reading: Promise<RecordReading> | undefined;
  const once = async (): Promise<RecordReading> => {
    const { stores, events, receipts } = await store.read();
    return { stores, receipts, events: journal(events, source.spooled()) };
  };
  return {
    read: () => {
      reading ??= once().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    close: async () => {
      await reading?.catch(() => undefined);
      await store.close();
    },
  };
}

/** Opens the store again when it was replaced by another, and after an error: it may be replaced by then. */
function followStore(source: ReadSource): RecordReader {
  const journal = tailOf<ForewordEvent>((event) => mapStrings(withoutPrompt(event), source.redact));
  const receipts = tailOf<Receipt>((receipt) => ({
    ...mapStrings(receipt, source.redact),
    delivery: receipt.delivery,
    session: receipt.session,
  }));
  let open: Stores | undefined;
  let known = '';
  const close = async (): Promise<void> => {
    const closing = open;
    open = undefined;
    await closing?.close();
  };
  return {
    close,
    read: async () => {
      const identity = source.identity();
      if (identity !== known) {
        await close();
        journal.forget();
        receipts.forget();
        known = identity;
      }
      open ??= await source.open();
      const stores = open;
      try {
        const events = await journal.follow(stores.journal);
        return { stores, events, receipts: await receipts.follow(stores.receipts) };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

type JoinEvents = (stored: readonly ForewordEvent[], spooled: readonly ForewordEvent[]) => readonly ForewordEvent[];

/** Each event once, the stored ones first. Computed again only when one of the two is another array. */
function joinSpool({ redact }: ReadSource): JoinEvents {
  let last: { readonly stored: readonly ForewordEvent[]; readonly spooled: readonly ForewordEvent[] } | undefined;
  let joined: readonly ForewordEvent[] = [];
  return (stored, spooled) => {
    if (last?.stored !== stored || last.spooled !== spooled) {
      const known = new Set(stored.map(({ id }) => id));
      const fresh = spooled.filter(({ id }) => !known.has(id) && known.add(id));
      joined = fresh.length === 0 ? stored : [...stored, ...fresh.map((event) => mapStrings(event, redact))];
    }
    last = { stored, spooled };
    return joined;
  };
}

/** A prompt is long, and the page requests it by itself. */
function withoutPrompt(event: ForewordEvent): ForewordEvent {
  return event.kind === 'prompt-composed' ? { ...event, original: '', handover: '' } : event;
}
