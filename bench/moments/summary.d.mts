import type { LedgerRow } from '../ledger.mjs';

export interface TrialPrefix {
  readonly step: string;
  readonly nth: number;
  readonly all: number;
  readonly kept?: number;
  readonly found?: number;
  readonly of?: number;
  readonly broken?: { readonly place: string; readonly part: number; readonly character: number };
}

export interface Trial {
  readonly row: string;
  readonly way: 'with' | 'without';
  readonly version: string;
  readonly load: number;
  readonly isRight: boolean;
  readonly prefixes?: readonly TrialPrefix[];
}

export interface RowResult {
  readonly row: string;
  readonly trials: number;
  readonly right: number;
  readonly without: number;
  readonly unlike: number;
  readonly compared: number;
  readonly shorter: readonly (TrialPrefix & { readonly without: number })[];
}

export function summarise(trials: readonly Trial[]): RowResult;
export function resultsOf(trials: readonly Trial[]): readonly RowResult[];
export function wrongIn(trials: readonly Trial[]): string[];
export function countsOf(trials: readonly Trial[]): readonly LedgerRow[];
export function section(counts: readonly LedgerRow[]): string;
