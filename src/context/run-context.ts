// What a run needs of the texts for agents, handed to it by app/run.ts.

import { savedInAttempt } from './attempt-notes.ts';
import { composeTaskPrompt } from './compose-prompt.ts';

export const runContext = { composeTaskPrompt, savedNotes: savedInAttempt };
