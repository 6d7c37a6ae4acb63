// The functions of the library that reach files, stores and programs: whatever goes wrong in them is a ForewordError.

import { openProject as open, type Project } from './app/project.ts';
import { prepareRun as prepare } from './app/run.ts';
import { contextOf } from './context/project-context.ts';
import { promptOf } from './context/project-prompt.ts';
import { startupOf } from './context/project-startup.ts';
import { ours } from './kernel/errors.ts';
import type { PreparedRun, RunOptions } from './runs/run-options.ts';
import { openPty as startPty } from './terminals/pty/pty.ts';

/** Opens the project around `cwd`: root, settings, sources, stores. Throws `bad-config` with every fault. Close it when done. */
export const openProject = ours(open);

/** The header (repository, queue, rules, next work) as a value, with the faults of files that could not be read. */
export const composeContext = ours(contextOf);

/** The whole prompt of a task. Throws `bad-input` with every fault, and `unknown-task`. */
export const composeTaskPrompt = ours(promptOf);

/** What a new session reads at its start. */
export const composeStartupContext = ours(startupOf);

/** Starts a program in a terminal of its own. */
export const openPty = ours(startPty);

/** Prepares a supervised run of tasks and runs nothing yet: `run()` of what it resolves to does. Throws `bad-input` with every fault
 *  of the tasks, and `missing-program` without git or a program of their checks. */
export const prepareRun = ours(async (project: Project, options: RunOptions): Promise<PreparedRun> => {
  const { lineup, installed, composeFirst, run } = await prepare(project, options);
  return { lineup, installed, composeFirst: ours(composeFirst), run: ours(run) };
});
