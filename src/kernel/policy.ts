// Policy: what a change in this repository may touch and how large it may be. The file's shape is config/schemas/policy.ts.

export interface Policy {
  /** Rules as text, `patch-only`; shown, not enforced. */
  readonly rules?: readonly string[];
  /** Globs that may be changed; absent or empty means everywhere. */
  readonly allow?: readonly string[];
  /** Globs that may not; stronger than `allow`. */
  readonly deny?: readonly string[];
  readonly limits?: {
    readonly max_lines_added?: number;
    readonly max_lines_removed?: number;
    readonly max_files?: number;
  };
}
