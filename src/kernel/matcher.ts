// The port through which pure files match a pattern of the data in a line; the engine is in system/patterns/.

export interface Matcher {
  test(pattern: string, line: string): boolean;
  /** The match of the pattern's first group, or the whole match of a pattern without groups; `undefined` without a match. */
  first(pattern: string, line: string): string | undefined;
}
