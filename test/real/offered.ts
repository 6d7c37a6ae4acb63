// What cannot be had of an agent, by its recipe: those tests are skipped by name, and the script's closing lines say so.
// Whatever is not named here must work.

import { test } from 'vitest';
import { recipeFor } from '../../src/verify/lab/recipe.ts';
import { AGENTS } from './field.ts';

export type What = 'trust' | 'gate' | 'compaction' | 'limit' | 'busy';

function whyNot(name: string, what: What | undefined): string | undefined {
  if (what !== 'trust' || recipeFor(name)?.questions.includes('trust') === true) return undefined;
  return 'it never asks whether a folder is trusted';
}

/** One test per agent; `%s` in the title is its name. */
export function eachAgent(title: string, work: (name: string) => Promise<void>, what?: What): void {
  for (const name of AGENTS) {
    const reason = whyNot(name, what);
    const named = title.replace('%s', () => name);
    if (reason === undefined) test(named, () => work(name));
    else test.skip(`${named}: not offered, ${reason}`);
  }
}
