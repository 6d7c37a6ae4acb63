// What a launch of an agent carries besides its own arguments, for this launch alone: the first prompt, or our hooks.

import type { Interactive } from '../kernel/agent.ts';
import { fillLaunchHook } from './launch-hook.ts';

export interface LaunchPlan {
  readonly args: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** Files to write first. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

export const PLAIN_LAUNCH: LaunchPlan = { args: [], set: {}, files: [] };

/** The text as the first prompt; `undefined` for an agent that takes none. Arguments that a person gave come before it,
 *  since a prompt ends the options of most agents. */
export function launchWithPrompt(agent: Interactive, text: string): LaunchPlan | undefined {
  const template = agent.launch?.prompt;
  if (template === undefined) return undefined;
  return { ...PLAIN_LAUNCH, args: template.map((part) => part.split('{text}').join(text)) };
}

/** Our hooks for this launch; `undefined` for an agent that takes none. */
export function launchWithHooks(
  agent: Interactive,
  given: { readonly folder: string; readonly command: (event: string) => string; readonly plugIn: string },
): LaunchPlan | undefined {
  const hook = agent.launch?.hook;
  if (hook === undefined) return undefined;
  const { args, set, file } = fillLaunchHook(hook, given);
  return { args, set, files: file === undefined ? [] : [file] };
}
