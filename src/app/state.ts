// Joins adopt, clean and doctor to the state of projects on this machine.

import { hasRecords } from '../stores/records.ts';
import { type Adopted, adoptProject } from '../system/files/adopt-project.ts';
import { goneStates, removeGoneStates } from '../system/files/gone-projects.ts';
import { ownStateFolder } from '../system/files/person-state.ts';
import { keptState, purgeState } from '../system/files/purge-state.ts';
import { examineState } from '../system/files/state-finding.ts';
import type { Project } from './project.ts';
import { SESSION_BASE } from './session-places.ts';

export { type MachineState, refuseWhileRunning } from '../system/files/purge-state.ts';

export const listGoneStates = () => goneStates(ownStateFolder());
export const cleanGoneStates = () => removeGoneStates(ownStateFolder());
export const keptOnThisMachine = () => keptState(ownStateFolder(), SESSION_BASE);
export const purgeThisMachine = () => purgeState(ownStateFolder(), SESSION_BASE);
export const findState = (root: string) => examineState(root, ownStateFolder());

export function adopt(project: Project, named: string): Promise<Adopted> {
  const { root, cwd } = project;
  return adoptProject(
    { root, cwd, stateFolder: ownStateFolder(), hasRecords: async () => hasRecords(await project.readStores()) },
    named,
  );
}
