import type { LedgerRow } from './ledger.mjs';

export interface CleanHome {
  readonly agent: string;
  readonly load: number;
  readonly sessions: number;
  /** Of those, that were given a text of a hook at least. */
  readonly told: number;
  readonly prompts: number;
  readonly served: number;
  readonly findings: readonly { readonly kind: string; readonly count: number }[];
  /** Why not all of its sessions ran through. */
  readonly fault?: string;
}

export function cleanCounts(homes: readonly CleanHome[], versionOf: (agent: string) => string): readonly LedgerRow[];
export function cleanSection(counts: readonly LedgerRow[]): string;
