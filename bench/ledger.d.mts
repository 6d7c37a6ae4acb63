export interface LedgerRow {
  readonly row: string;
  readonly version: string;
  readonly load: readonly [number, number];
  readonly [count: string]: unknown;
}

export interface LedgerRun {
  readonly id: string;
  readonly commit: string;
  readonly rows: readonly LedgerRow[];
}

export type LedgerTotal = LedgerRow & { readonly commits: readonly string[]; readonly runs: number };

export function readLedger(name: string): readonly LedgerRun[];
export function writeRun(name: string, run: LedgerRun): readonly LedgerRun[];
export function withRun(runs: readonly LedgerRun[], run: LedgerRun): readonly LedgerRun[];
export function totals(runs: readonly LedgerRun[]): readonly LedgerTotal[];
export function commitNow(): string;
export function writeFigures(heading: string, body: string): void;
