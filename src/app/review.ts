// Joins what a person does with the work of runs to the project and its repositories. Loaded only by the commands for it.

import { withCarry } from '../fleet/carry.ts';
import { openCheckouts } from '../runs/checkouts/index.ts';
import type { CleanPorts } from '../runs/review/clean-runs.ts';
import * as clean from '../runs/review/clean-runs.ts';
import type { Leftover } from '../runs/review/leftovers.ts';
import { Review } from '../runs/review/review.ts';
import { environment } from '../system/environment.ts';
import { isOwnerAlive, ownerName } from '../system/processes/owner.ts';
import type { Project } from './project.ts';

export function openReview(project: Project): Review {
  const { readStores, writeStores, clock, state } = project;
  return new Review({
    readStores,
    writeStores,
    source: sourceOf(project),
    places: () => ({ snapshots: state.runs().work.snapshots, away: [state.runs().ours] }),
    now: () => clock.now(),
    emit: project.emit,
    redact: project.redact,
  });
}

/** What runs left in this project and on this machine. Changes nothing. */
export function listLeftovers(project: Project): Promise<readonly Leftover[]> {
  return clean.listLeftovers(cleaning(project));
}

/** Removes it. What stayed has a reason. */
export function removeLeftovers(project: Project): Promise<readonly Leftover[]> {
  return clean.removeLeftovers(cleaning(project));
}

function cleaning(project: Project): CleanPorts {
  const { readStores, state, clock } = project;
  return {
    readStores,
    state,
    source: sourceOf(project),
    owner: { name: ownerName(), isAlive: isOwnerAlive },
    now: () => clock.now(),
  };
}

export function sourceOf({ root, state, redact }: Project) {
  const hasSecret = (content: string) => redact(content) !== content;
  return async () => withCarry(await openCheckouts({ root, work: state.runs().work, env: environment() }), hasSecret);
}
