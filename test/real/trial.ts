// A real agent in a terminal of its own, without foreword between: a home, a project, the loopback model, and the built command beside it.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LabProgram, labPrograms } from '../../scripts/lab/install.mjs';
import { AGENTS as KNOWN } from '../../src/agents/index.ts';
import { existingInstructionFiles, writeBlock } from '../../src/sessions/channels/file/managed-block-file.ts';
import { watchScreen } from '../../src/sessions/watch.ts';
import { systemClock } from '../../src/system/clock.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { openScreen } from '../../src/terminals/screen/screen.ts';
import type { DrivableAgent } from '../../src/verify/choose-agents.ts';
import { recipeFor } from '../../src/verify/lab/recipe.ts';
import { TrialWorkspace } from '../../src/verify/trial-workspace.ts';
import { COMMAND } from './field.ts';

export interface OpenedTrial {
  readonly opened: TrialWorkspace;
  readonly program: LabProgram;
}

/** Hooks find `node` first. The caller closes the workspace. */
export async function openTrial(
  name: string,
  node?: { readonly major: number; readonly folder: string },
): Promise<OpenedTrial> {
  const [agent, recipe, program] = [KNOWN.find((one) => one.name === name), recipeFor(name), labPrograms()[name]];
  if (agent?.interactive === undefined || recipe === undefined || program === undefined) throw new Error(name);
  // An agent that needs a newer Node than that brings its own; hooks then run with it.
  const isTooOld = node !== undefined && recipe.pin.needsNode24 === true && node.major < 22;
  const opened = await TrialWorkspace.open({
    agent: agent as DrivableAgent,
    recipe,
    program: program.program,
    path: node === undefined || isTooOld ? [...program.path] : [node.folder, ...program.path],
    folder: mkdtempSync(join(tmpdir(), `foreword-real-${name}-`)),
    command: [process.execPath, COMMAND],
    isKept: false,
    ports: {
      clock: systemClock,
      openTerminal: openPty,
      openScreen,
      watchScreen,
      blocks: { existing: existingInstructionFiles, write: writeBlock },
    },
  });
  return { opened, program };
}
