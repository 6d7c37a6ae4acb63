// How core asks whether a pattern of the data is found in a line; the engine is in patterns/.

export interface Matcher {
  test(pattern: string, line: string): boolean;
  /** What the pattern's first group found, or the whole match where it has none; `undefined` when it is not found. */
  first(pattern: string, line: string): string | undefined;
}
