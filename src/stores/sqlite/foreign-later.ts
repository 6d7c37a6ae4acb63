// A database of another program, whose driver is loaded only when one is opened.

import type { OpenForeignDatabase } from '../../kernel/transcript.ts';

export const openForeignLater: OpenForeignDatabase = async (file) =>
  (await import('./foreign.ts')).openForeignDatabase(file);
