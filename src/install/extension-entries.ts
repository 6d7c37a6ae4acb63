// The hook entries of a plug-in: those that init would write, with the path of the program in the plug-in's own folder.

import { HOOKS } from '../agents/hooks.ts';
import { INSTALLS } from '../agents/installs.ts';
import { type HookEntry, hookEntries } from '../kernel/agent-hooks.ts';

/** `program` may begin with a variable, which a shell or the agent replaces. None for an agent without entries. */
export function entriesOf(agent: string, program: string): readonly HookEntry[] {
  const [facts, content] = [HOOKS[agent], INSTALLS[agent]?.content];
  if (facts === undefined || content?.kind !== 'entries') return [];
  return hookEntries(facts, content.entry, (event) => `sh "${program}" ${event} ${agent}`);
}
