// What a run's checkouts get beside the commit, from the settings of the project and the data of its agents.

import type { Agent } from '../kernel/agent.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { LeftOut } from './checkouts/index.ts';
import type { RunSettings } from './ports.ts';
import type { RunParts, RunProject } from './prepare-run.ts';
import type { ComingAlong, PrepareCommand } from './workplaces/come-along.ts';
import { prepareCommand } from './workplaces/prepare-command.ts';

/** More are only counted: a folder may have thousands of links. */
const MOST_LISTED = 50;

export function comingAlong(
  parts: Pick<RunParts, 'variables'> & {
    readonly project: Pick<RunProject, 'root' | 'config' | 'trust'>;
  },
  settings: Pick<RunSettings, 'lineup' | 'agents' | 'judging'>,
  run: { readonly signal: AbortSignal; room: PrepareCommand['room']; emit(event: NewEvent): Promise<void> },
): ComingAlong {
  const { project, variables } = parts;
  const { share, prepare: command, prepareTimeoutS } = project.config.run;
  const { root, trust } = project;
  const refusal = (cwd: string) => trust?.prepareRefusal?.(cwd);
  const common = { timeoutMs: prepareTimeoutS * 1000, root, variables, signal: run.signal, room: run.room, refusal };
  return {
    share,
    local: filesOf(settings, ({ localFiles = [] }) => localFiles),
    gitFiles: filesOf(settings, ({ gitFiles = [] }) => gitFiles),
    prepare: command === undefined ? undefined : prepareCommand({ ...common, command }),
    leftOut: (found) =>
      run.emit({
        kind: 'files-left-out',
        missing: found.slice(0, MOST_LISTED).map((one) => ({ what: one.kind, name: nameOf(one) })),
        more: Math.max(0, found.length - MOST_LISTED),
      }),
  };
}

/** Of the agents that this run may start. */
function filesOf(
  { lineup, agents, judging }: Pick<RunSettings, 'lineup' | 'agents' | 'judging'>,
  files: (agent: Agent) => readonly string[],
): readonly string[] {
  const names = new Set([...lineup, judging.helper ?? '', judging.review.by ?? '']);
  const started = [...agents.values()].filter(({ name }) => names.has(name));
  return [...new Set(started.flatMap(files))];
}

function nameOf(one: LeftOut): string {
  if (one.kind === 'filter') return one.name;
  return one.kind === 'filters-failed' ? one.reason : one.path;
}
