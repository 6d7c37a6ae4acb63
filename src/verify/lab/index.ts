// The recipes by the agent's name. Agents that are not here cannot be run against a model of ours: their loop is on a
// server of theirs, or they have no package to install.

import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';
import type { Recipe } from './recipe.ts';

export const recipes: readonly Recipe[] = [claude, codex, copilot, gemini, opencode, pi, qwen];

export function recipeFor(agent: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.agent === agent);
}
