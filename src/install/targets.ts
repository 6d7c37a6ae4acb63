// The agents that init knows: those with an install.ts in their folder.

import { HOOKS } from '../agents/hooks.ts';
import { INSTALLS } from '../agents/installs.ts';
import { makeTarget } from './make-target.ts';
import type { Target } from './target.ts';

export const TARGETS: readonly Target[] = Object.entries(INSTALLS).map(([agent, facts]) =>
  makeTarget(agent, facts, HOOKS[agent]),
);
