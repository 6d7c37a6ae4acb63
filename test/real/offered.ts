// What cannot be had of an agent, by its recipe: those tests are skipped by name, and the script's closing lines say so.
// Whatever is not named here must work.

import { test } from 'vitest';
import { AGENTS as KNOWN } from '../../src/agents/index.ts';
import { recipeFor } from '../../src/verify/lab/recipe.ts';
import { IS_LONG } from '../scale.ts';
import { AGENTS } from './field.ts';

export type What = 'trust' | 'gate' | 'compaction' | 'limit' | 'busy' | 'wait' | 'resume' | 'suspend';

/** It sleeps as long as the service asked, and prints nothing. */
const SLEEPS_SILENTLY = ['qwen'];

/** Everyday it is one agent, which is known to suspend itself. */
const SUSPENDS = ['claude'];

function whyNot(name: string, what: What | undefined): string | undefined {
  if (what === 'suspend' && !IS_LONG && !SUSPENDS.includes(name)) return 'it is tried in the long run';
  if (what === 'wait' && SLEEPS_SILENTLY.includes(name)) return 'it prints nothing while it waits';
  if (what === 'resume' && !canResume(name)) return 'a retry begins a new session';
  if (what !== 'trust' || recipeFor(name)?.questions.includes('trust') === true) return undefined;
  return 'it never asks whether a folder is trusted';
}

export function canResume(name: string): boolean {
  return KNOWN.find((agent) => agent.name === name)?.oneshot?.resume !== undefined;
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
