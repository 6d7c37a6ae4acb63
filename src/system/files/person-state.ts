// The state folder of the person who runs this process.

import { homedir } from 'node:os';
import { environment } from '../environment.ts';
import { stateFolder } from './project-state.ts';

export function ownStateFolder(): string {
  return stateFolder(environment(), homedir());
}
