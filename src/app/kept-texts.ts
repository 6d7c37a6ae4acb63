// Joins receipts to the texts that hooks keep.

import { findKeptText } from '../hooks/kept-texts.ts';
import { ownStateFolder } from '../system/files/person-state.ts';
import { rootPlaces } from '../system/files/project-state.ts';

/** `root` is the project's, without links. */
export const keptTextOfHook = (root: string, session: string, id: string) =>
  findKeptText(rootPlaces(ownStateFolder(), root), session, id);
