// What reading a text gives.

import type { Lines } from './places.ts';

export type Format = 'yaml' | 'json' | 'edn';

export type Parsed =
  | ({ readonly ok: true; readonly value: unknown } & Lines)
  | {
      readonly ok: false;
      /** 1-based; absent when the fault is of the whole text. */
      readonly line?: number;
      /** What is wrong, one sentence. */
      readonly message: string;
    };
