// Agents that cannot be boxed, where a box is required (`run.confine`): for the run they are as if they were not installed.

import type { Task } from '../kernel/task.ts';
import type { AgentBoxes } from './box/box.ts';
import { cannotBox } from './box/index.ts';
import type { RunSettings } from './ports.ts';

/** Asks about every agent that this run may start. Throws `missing-program` when none of those that work is left. */
export async function withoutUnboxed(
  boxes: AgentBoxes | undefined,
  settings: RunSettings,
  tasks: readonly Task[],
): Promise<RunSettings> {
  if (boxes?.isRequired !== true) return settings;
  const { lineup, judging, agents } = settings;
  const workers = new Set([...lineup, ...tasks.flatMap((task) => task.agents ?? [])]);
  const asked = [...workers, judging.helper ?? '', judging.review.by ?? ''];
  const unboxed = new Map<string, string>();
  for (const name of new Set(asked)) {
    const agent = settings.installed.has(name) ? agents.get(name) : undefined;
    const choice = agent === undefined ? undefined : await boxes.choose(agent);
    if (choice?.kind === 'refused') unboxed.set(name, choice.why);
  }
  const installed = new Set([...settings.installed].filter((name) => !unboxed.has(name)));
  const isNoneLeft = unboxed.size > 0 && ![...workers].some((name) => installed.has(name));
  if (isNoneLeft) throw cannotBox([...new Set(unboxed.values())].join('; '));
  return { ...settings, installed, unboxed };
}
