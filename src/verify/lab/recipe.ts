// The recipes of the agents, by name.

import { LABS } from '../../agents/labs.ts';
import type { LabFacts } from '../../kernel/agent-lab.ts';

export interface Recipe extends LabFacts {
  readonly agent: string;
}

export const recipes: readonly Recipe[] = Object.entries(LABS).map(([agent, lab]) => ({ agent, ...lab }));

export function recipeFor(agent: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.agent === agent);
}
