// Everything that can happen, as one closed union, noun-verb. Journal, log, metrics and dashboard only read this:
// no counter is kept on the side. To add one: add a member with a sentence on when it is emitted.

export type ForewordEvent = { readonly id: string /** ISO time. */; readonly at: string } & Happening;

export type Happening =
  /** A continuity record was stored. */
  | { readonly kind: 'continuity-saved'; readonly continuity: string; readonly by: 'person' | 'agent' | 'session-end' }
  /** A source could not look, and the context was composed without it. */
  | { readonly kind: 'source-unavailable'; readonly source: string; readonly reason: string }
  /** An attempt's record lacked fields, so a hand-over was built without them. */
  | {
      readonly kind: 'attempt-incomplete';
      readonly task: string;
      readonly attempt: number;
      readonly missing: readonly string[];
    }
  /** A damaged or newer store file was moved out of the way. */
  | { readonly kind: 'store-set-aside'; readonly from: string; readonly to: string; readonly reason: string }
  /** Records were taken over from an export. */
  | { readonly kind: 'import-finished'; readonly added: number; readonly kept: number }
  /** session-state.json could not be written; the work went on. */
  | { readonly kind: 'state-dump-failed'; readonly reason: string };
