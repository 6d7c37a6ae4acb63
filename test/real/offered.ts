// What cannot be had of an agent, with the reason: those tests are skipped by name, and the script's closing lines say so.
// Whatever is not listed here must work.

import { test } from 'vitest';
import { AGENTS } from './field.ts';

export type What = 'trust' | 'gate' | 'compaction' | 'limit' | 'busy';

const NOT_OFFERED: Readonly<Record<string, Partial<Readonly<Record<What, string>>>>> = {
  opencode: { trust: 'it never asks whether a folder is trusted' },
};

/** One test per agent; `%s` in the title is its name. */
export function eachAgent(title: string, work: (name: string) => Promise<void>, what?: What): void {
  for (const name of AGENTS) {
    const reason = what === undefined ? undefined : NOT_OFFERED[name]?.[what];
    const named = title.replace('%s', () => name);
    if (reason === undefined) test(named, () => work(name));
    else test.skip(`${named}: not offered, ${reason}`);
  }
}
