// Joins what a person does with the work of runs to the project and its repositories. Loaded only by the commands for it.

import { homedir } from 'node:os';
import { openCheckouts } from '../runs/checkouts/index.ts';
import { Review } from '../runs/review/review.ts';
import { environment } from '../system/environment.ts';
import { projectPlaces, stateFolder } from '../system/files/project-state.ts';
import type { Project } from './project.ts';

export function openReview(project: Project): Review {
  const env = environment();
  const work = () => projectPlaces(stateFolder(env, homedir()), project.state.toWrite().id).work;
  return new Review({
    readStores: project.readStores,
    writeStores: project.writeStores,
    source: () => openCheckouts({ root: project.root, work: work(), env }),
    places: () => ({ snapshots: work().snapshots, away: [project.state.runs().ours] }),
    now: () => project.clock.now(),
  });
}
