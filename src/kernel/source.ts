// Source: observes one kind of fact. Observing never throws: a source that fails returns the reason, and the caller
// decides (a person's command ends with every fault, a hook continues without the source and names it).
// How to add a source: CONTRIBUTING.md, "Add a source".

import type { Fault } from './errors.ts';

export type Observed<T> =
  | {
      readonly kind: 'found';
      readonly value: T /** The file or place, as the person knows it. */;
      readonly from: string;
    }
  /** The source works, and there is nothing. */
  | { readonly kind: 'absent' }
  /** The source failed: broken file, no permission. Every fault at once. */
  | { readonly kind: 'unavailable'; readonly from: string; readonly faults: readonly Fault[] };
