export function isNewer(version: string, than: string): boolean;
export function withVersion(text: string, version: string): string;

interface Verified {
  readonly agents: readonly {
    readonly agent: string;
    readonly arrivals: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  }[];
}
export function matrixChanges(before: Verified, after: Verified): string[];
export function looksSame(before: string, after: string): boolean;
