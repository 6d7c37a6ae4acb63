// Joins adopt, clean and doctor to the state of projects on this machine.

import { homedir } from 'node:os';
import { hasRecords } from '../stores/records.ts';
import { environment } from '../system/environment.ts';
import { type Adopted, adoptProject } from '../system/files/adopt-project.ts';
import { goneStates, removeGoneStates } from '../system/files/gone-projects.ts';
import { stateFolder } from '../system/files/project-state.ts';
import { examineState } from '../system/files/state-finding.ts';
import type { Project } from './project.ts';

const folder = (): string => stateFolder(environment(), homedir());

export const listGoneStates = () => goneStates(folder());
export const cleanGoneStates = () => removeGoneStates(folder());
export const findState = (root: string) => examineState(root, folder());

export function adopt(project: Project, named: string): Promise<Adopted> {
  const { root, cwd } = project;
  return adoptProject(
    { root, cwd, stateFolder: folder(), hasRecords: async () => hasRecords(await project.readStores()) },
    named,
  );
}
