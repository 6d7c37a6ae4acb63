// What `foreword doctor` finds: real levels, tested where they can be tested, and what would mend what is missing.

import type { Durability } from './core/stores.ts';
import { environment } from './environment.ts';
import { runProcess } from './processes/run-process.ts';
import { findSandbox } from './sandboxes/index.ts';
import type { Project } from './wire.ts';
import { agentsOf, installedAgents } from './wire-run.ts';

export interface Findings {
  readonly store: Durability;
  readonly sandbox: string;
  readonly agents: readonly string[];
  /** Each with its cure; empty when a run has all it needs. */
  readonly problems: readonly string[];
}

export async function examine(project: Project): Promise<Findings> {
  const { level, readOnly } = project.config.sandbox;
  const finding = await findSandbox({
    level,
    readOnly,
    run: runProcess,
    searchPath: environment().PATH ?? '',
    workTree: project.root,
  });
  const installed = installedAgents(agentsOf(project), project.root);
  const usable = project.config.lineup.filter((name) => installed.has(name));
  const store = await (await project.readStores()).durability();
  return {
    store,
    sandbox: finding.kind === 'ready' ? finding.sandbox.level : `none: ${finding.reason}`,
    agents: [...installed].sort(),
    problems: [
      ...(usable.length === 0
        ? [`No agent of the lineup (${project.config.lineup.join(', ')}) is installed. Install one, or set lineup.`]
        : []),
      ...(finding.kind === 'missing' ? [`Criteria without a check cannot be verified. ${finding.hint}`] : []),
    ],
  };
}
