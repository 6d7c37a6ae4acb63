import type { LedgerRow } from '../ledger.mjs';

export interface HostileStart {
  readonly agent: string;
  readonly row: string;
  readonly receipts: number;
  readonly claimed: number;
  readonly untrue: number;
}

export function hostileCounts(
  starts: readonly HostileStart[],
  about: { readonly versionOf: (agent: string) => string; readonly load: readonly [number, number] },
): readonly LedgerRow[];
export function hostileSection(counts: readonly LedgerRow[]): string;
export function falseReceipts(starts: readonly HostileStart[]): readonly string[];
export function oracleLine(starts: readonly HostileStart[]): string;
