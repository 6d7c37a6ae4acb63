// Export and import of a store, loaded only by the commands that do it.

import type { Stores } from '../kernel/stores.ts';

/** Everything in a store, as the values of JSON lines; secrets that became known since are taken out. */
export async function* exportLines(stores: Stores, redact: (text: string) => string): AsyncIterable<unknown> {
  const { exportRedacted } = await import('../stores/transfer.ts');
  yield* exportRedacted(stores, redact);
}

/** Adds what the store lacks. The text is checked whole before the store is opened. */
export async function importLines(
  text: string,
  into: {
    readonly stores: () => Promise<Stores>;
    readonly where: string;
    readonly redact: (text: string) => string;
  },
): Promise<{ readonly added: number; readonly kept: number }> {
  const { importLines: take } = await import('../stores/transfer.ts');
  const { checkLine } = await import('../config/schemas/records.ts');
  return take(text, into.stores, { ...into, check: checkLine });
}
