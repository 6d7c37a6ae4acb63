export interface Start {
  readonly agent: string;
  readonly version: string;
  readonly row: string;
  readonly load: number;
  readonly served: boolean;
  readonly servedMs?: number;
  readonly copies: number;
  readonly asked?: boolean;
  readonly acknowledged?: boolean;
  readonly attempts?: number;
  readonly channel?: string;
  readonly claimed?: boolean;
  readonly dialogTouched?: boolean;
  readonly interrupted?: boolean;
}

export interface Result {
  readonly row: string;
  readonly starts: number;
  readonly served: { readonly count: number; readonly atLeast: number };
  readonly firstAttempt?: { readonly count: number };
  readonly acknowledged?: { readonly count: number };
  readonly duplicates: number;
  readonly intoDialog?: number;
  readonly claimedNotServed?: number;
  readonly medianMs?: number;
  readonly boundMs?: number;
}

export function atLeast(k: number, n: number): number;
export function atMost(k: number, n: number): number;
export function summarise(starts: readonly Start[], bound: readonly Start[]): Result;
export function section(figures: { readonly results: readonly Result[]; readonly machine: string }): string;
export function missed(results: readonly Result[]): string[];
