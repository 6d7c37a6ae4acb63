export interface Failure {
  readonly file: string | undefined;
  readonly name: string;
  readonly why: string;
}
export const REPORTERS: string[];
export function reporters(first: string): string[];
export function besides(report: string): string;
export function whatFailed(report: string): Failure[];
export function failureLines(failures: readonly Failure[]): string[];
export function skippedTests(report: string): string[];
export function countLine(report: string, isCured: boolean): string;
