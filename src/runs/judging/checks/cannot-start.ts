// A check that cannot start decides nothing, whoever works on the task: it is found before an agent is paid, and stops the run. A
// program that neither the checkout nor the person's tree has at that path may be what the task is to make.

import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ForewordError } from '../../../kernel/errors.ts';
import type { ProcessEnd } from '../../../kernel/process.ts';
import type { Criterion, Task } from '../../../kernel/task.ts';
import type { TaskRun } from '../../attempts/task-run.ts';
import type { LackingFiles } from '../../workplaces/workplace.ts';
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

/** Programs that checks name by a path, that the person's tree has and that no checkout will have: found for all tasks at once,
 *  before the first agent is paid. Throws `missing-program`. */
export async function refuseLacking(
  tasks: readonly Task[],
  root: string,
  lacking: (paths: readonly string[]) => Promise<LackingFiles>,
): Promise<void> {
  const named = tasks.flatMap((task) =>
    task.acceptance_criteria.flatMap(({ text: criterion, check }) => {
      const program = check !== undefined && 'command' in check ? (check.command[0] ?? '') : '';
      const isPath = program.includes('/') && !isAbsolute(program);
      const why = `${program} is not in the checkouts.`;
      return isPath ? [{ task, unstarted: { criterion, program, why, wanted: [] } }] : [];
    }),
  );
  if (named.length === 0) return;
  const { paths, ignored, share } = await lacking(named.map(({ unstarted }) => unstarted.program));
  const found = named.find(({ unstarted }) => paths.includes(unstarted.program));
  if (found === undefined) return;
  const entries = ignored.map((path) => lookInto(root, path));
  throw cannotStart(found.task, found.unstarted, hintFor(found.unstarted, { entries, share, isCommitted: false }));
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
  const isCommitted = !isPath || isThere === true;
  throw cannotStart(task, unstarted, hintFor(unstarted, { entries, share, isCommitted }));
}

function hintFor(
  unstarted: Unstarted,
  left: { readonly entries: readonly IgnoredEntry[]; readonly share: readonly string[]; readonly isCommitted: boolean },
): string {
  const entry = entryWith(unstarted, left.entries);
  if (entry === undefined && !left.isCommitted) return `Commit ${unstarted.program}: checkouts have what is committed.`;
  return shareHint(entry, left.entries, left.share);
}

function cannotStart(task: Task, { criterion, why }: Unstarted, hint: string): ForewordError {
  const message = `The check "${criterion}" of task ${task.task_id} cannot start: ${why}`;
  return new ForewordError('missing-program', message, { hint });
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
