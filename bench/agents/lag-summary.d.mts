export interface LagStart {
  readonly agent: string;
  readonly version: string;
  readonly row: string;
  readonly round: number;
  readonly load: number;
  readonly served: boolean;
  readonly servedMs?: number;
  readonly copies: number;
}

export interface Lag {
  readonly agent: string;
  readonly row: string;
  readonly starts: number;
  readonly rounds: number;
  readonly served: number;
  readonly overMs: number;
  readonly pairedMs: number;
  readonly limitMs: number;
}

export function lags(starts: readonly LagStart[]): readonly Lag[];
export function lagLines(starts: readonly LagStart[]): readonly string[];
export function laggards(starts: readonly LagStart[], options?: { readonly factor?: number }): string[];
