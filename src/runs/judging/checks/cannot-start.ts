// A check that cannot start decides nothing, whoever works on the task: it is found before an agent is paid, and stops the run. A
// program that neither the checkout nor the person's tree has at that path may be what the task is to make.

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ForewordError } from '../../../kernel/errors.ts';
import type { ProcessEnd } from '../../../kernel/process.ts';
import type { Criterion } from '../../../kernel/task.ts';
import type { TaskRun } from '../../attempts/task-run.ts';
import { checkContext } from '../check-context.ts';
import { type Baseline, takeBaseline } from './baseline.ts';
import { entryWith, type IgnoredEntry, shareHint, type Unstarted, wantedIn } from './share-line.ts';

/** A shell's exit codes for a program that it did not find, or may not run. */
const SHELL_CODES: readonly (number | null)[] = [126, 127];

/** The baseline of a task. Throws `missing-program` when a check cannot start. */
export async function takeStartedBaseline(
  run: Pick<TaskRun, 'ports' | 'settings' | 'workplace' | 'task' | 'signal'>,
): Promise<Baseline> {
  const context = checkContext(run);
  const ends: { readonly command: readonly string[]; readonly end: ProcessEnd }[] = [];
  const watched: typeof context = {
    ...context,
    run: async (request, signal) => {
      const end = await context.run(request, signal);
      ends.push({ command: request.command, end });
      return end;
    },
  };
  const baseline = await takeBaseline(run.task.acceptance_criteria, watched, run.signal);
  for (const { command, end } of ends) {
    const unstarted = unstartedOf(run.task.acceptance_criteria, command, end);
    if (unstarted !== undefined) await refuse(run, unstarted, end.startError === undefined);
  }
  return baseline;
}

function unstartedOf(
  criteria: readonly Criterion[],
  command: readonly string[],
  end: ProcessEnd,
): Unstarted | undefined {
  const [program = ''] = command;
  const { text: criterion = '' } = criteria.find(({ check }) => isCommand(check, command)) ?? {};
  if (end.startError !== undefined) return { criterion, program, why: end.startError, wanted: [program] };
  if (end.endedBy !== undefined || !SHELL_CODES.includes(end.exitCode)) return undefined;
  const wanted = wantedIn(`${end.stdout.text}\n${end.stderr.text}`);
  return { criterion, program, why: `Its shell did not find a program (exit code ${end.exitCode}).`, wanted };
}

function isCommand(check: Criterion['check'], command: readonly string[]): boolean {
  return check !== undefined && 'command' in check && JSON.stringify(check.command) === JSON.stringify(command);
}

/** What a shell did not find is only refused when the person's tree has it: otherwise the task may be to add it. */
async function refuse(
  { settings, workplace, task }: Pick<TaskRun, 'settings' | 'workplace' | 'task'>,
  unstarted: Unstarted,
  isInShell: boolean,
): Promise<void> {
  const { ignored, share } = await workplace.leftBehind();
  const entries = ignored.map((path) => lookInto(settings.root, path));
  const entry = entryWith(unstarted, entries);
  const { program } = unstarted;
  const isPath = program.includes('/') && !isAbsolute(program);
  const [isHere, isThere] = [settings.root, workplace.cwd].map((folder) => existsSync(join(folder, program)));
  if (isInShell && entry === undefined) return;
  if (isPath && isHere === false && isThere === false) return;
  const isUncommitted = isPath && isHere === true && isThere === false && entry === undefined;
  throw new ForewordError(
    'missing-program',
    `The check "${unstarted.criterion}" of task ${task.task_id} cannot start: ${unstarted.why}`,
    { hint: isUncommitted ? `Commit ${program}: checkouts have what is committed.` : shareHint(entry, entries, share) },
  );
}

/** Programs lie right in a folder, or in the `bin` of it. */
function lookInto(root: string, path: string): IgnoredEntry {
  const full = join(root, path);
  if (!path.endsWith('/')) return { path, programs: [path.slice(path.lastIndexOf('/') + 1)], isBound: false };
  const programs = ['', '.bin', 'bin'].flatMap((folder) => namesIn(join(full, folder)));
  return { path, programs, isBound: existsSync(join(full, 'pyvenv.cfg')) };
}

function namesIn(folder: string): readonly string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  try {
    return readdirSync(folder);
  } catch {
    // Another user's: nothing in it can be named.
    return [];
  }
}
