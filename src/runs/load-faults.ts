// What is wrong with tasks and can be known before an agent is paid: patterns, paths, programs of checks, agents, targets. Every
// fault at once.

import { delimiter, isAbsolute, join, normalize, relative } from 'node:path';
import { faultInTask } from '../config/schemas/task-file.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import { nameSome } from '../kernel/name-some.ts';
import { nearest } from '../kernel/nearest.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { Check, Task } from '../kernel/task.ts';
import { isProgram } from '../system/git/environment.ts';
import { openRepository } from '../system/git/repository.ts';
import { checkMatcher } from './judging/checks/matcher.ts';
import { globFault } from './judging/glob.ts';

export interface LoadRequest {
  readonly tasks: readonly Task[];
  /** The lineup that the caller named for this run. */
  readonly lineup: readonly string[] | undefined;
  /** The reviewer that the caller named for this run, or `next`. */
  readonly review?: string | undefined;
  /** Names of all agents that are described. */
  readonly agents: readonly string[];
  readonly root: string;
  /** The PATH of checks. */
  readonly searchPath: string;
  /** `run.prepare` may install what checks need. */
  readonly isPrepared: boolean;
}

/** Throws `bad-input`, or `missing-program` when nothing is wrong but that this machine lacks programs. */
export function refuseLoadFaults(request: LoadRequest): void {
  refuseUndefined(request.tasks);
  const written = [...lineupFaults(request), ...repeatedFaults(request.tasks), ...inAll(request, writtenFaults)];
  const missing = inAll(request, programFaults);
  const faults = [...written, ...missing];
  if (faults.length === 0) return;
  const isWrong = written.length > 0;
  throw new ForewordError(
    isWrong ? 'bad-input' : 'missing-program',
    `The tasks have ${faults.length} fault(s); nothing was begun.`,
    { hint: isWrong ? 'Fix these and run it again.' : 'Install the programs, or correct the checks.', faults },
  );
}

/** More tasks than these with the same fault at the same place are one line. */
const MOST_ALIKE = 3;

function inAll(request: LoadRequest, find: (task: Task, request: LoadRequest) => readonly Fault[]): readonly Fault[] {
  const alike = new Map<string, { readonly task: string; readonly fault: Fault }[]>();
  for (const task of request.tasks) {
    for (const fault of find(task, request)) {
      const key = `${inTask(fault.path)}\n${fault.message}`;
      alike.set(key, [...(alike.get(key) ?? []), { task: task.task_id, fault }]);
    }
  }
  return [...alike.values()].flatMap((found) => {
    const [first, ...others] = found;
    if (first === undefined || found.length <= MOST_ALIKE) return found.map(({ fault }) => fault);
    const message = `${first.fault.message} The same in ${others.length} more tasks: ${nameSome(others.map(({ task }) => task))}.`;
    return [{ ...first.fault, message }];
  });
}

/** The path of a fault without the place of its task in the file. */
function inTask(path: string): string {
  return path.replace(/^(?:tasks)?\[\d+\]\.?/, '');
}

function lineupFaults({ lineup = [], review, agents }: LoadRequest): readonly Fault[] {
  const reviewers = review === undefined || review === 'next' ? [] : [review];
  const faults = (where: string, names: readonly string[]) =>
    names
      .filter((name) => !agents.includes(name))
      .map((name) => ({ where, path: '', message: noSuchAgent(name, agents) }));
  return [...faults('lineup (--agents)', lineup), ...faults('review (--review)', reviewers)];
}

/** A program may hand in tasks as people write them, whose lists have no defaults yet. */
function refuseUndefined(tasks: readonly Partial<Task>[]): void {
  const wrong = tasks.findIndex(
    (task) =>
      typeof task?.task_id !== 'string' ||
      [task.acceptance_criteria, task.depends_on, task.targets].some((list) => !Array.isArray(list)) ||
      task.retry_policy === undefined,
  );
  if (wrong === -1) return;
  throw new ForewordError('bad-usage', `tasks[${wrong}] is not a complete task.`, {
    hint: 'Make each with defineTask({ task_id, instructions }), which fills in the rest.',
  });
}

function repeatedFaults(tasks: readonly Task[]): readonly Fault[] {
  const repeated = tasks.filter(({ task_id }, index) => tasks.findIndex((one) => one.task_id === task_id) !== index);
  return [...new Set(repeated.map(({ task_id }) => task_id))].map((id) => ({
    where: `task ${oneLine(id, 100)}`,
    path: '',
    message: 'It is there more than once; a run does a task once.',
  }));
}

function writtenFaults(task: Task, { agents, root }: LoadRequest): readonly Fault[] {
  const faults: Fault[] = [];
  const add = (path: readonly (string | number)[], message: string) => faults.push(faultInTask(task, path, message));
  for (const [index, { check }] of task.acceptance_criteria.entries()) {
    const file = check === undefined ? undefined : fileOf(check);
    if (file === undefined) continue;
    const { key, path, pattern } = file;
    const at = ['acceptance_criteria', index, 'check', key];
    if (leavesTree(path))
      add(
        pattern === undefined ? at : [...at, 'path'],
        `${shown(path)} leads out of the project; a path begins at its root.`,
      );
    const refusal = pattern === undefined ? undefined : patternFault(pattern);
    if (refusal !== undefined) add([...at, 'pattern'], `Not a valid pattern: ${refusal}.`);
  }
  for (const [index, name] of (task.agents ?? []).entries())
    if (!agents.includes(name)) add(['agents', index], noSuchAgent(name, agents));
  for (const [index, glob] of task.targets.entries()) {
    const fault = globFault(glob) ?? (isBeyond(glob, root) ? 'leads out of the repository' : undefined);
    if (fault !== undefined) add(['targets', index], `${shown(glob)} ${fault}.`);
  }
  return faults;
}

function programFaults(task: Task, { root, searchPath, isPrepared }: LoadRequest): readonly Fault[] {
  if (isPrepared) return [];
  return task.acceptance_criteria.flatMap(({ check }, index) => {
    const program = check !== undefined && 'command' in check ? check.command[0] : undefined;
    if (program === undefined || isThere(program, root, searchPath)) return [];
    const where = program.includes('/') ? 'is not there' : 'is neither on the PATH nor in node_modules/.bin';
    const at = ['acceptance_criteria', index, 'check', 'command', 0];
    return [faultInTask(task, at, `The program ${shown(program)} ${where}.`)];
  });
}

/** A path inside the project may be what the task makes. */
function isThere(program: string, root: string, searchPath: string): boolean {
  if (program.includes('/')) return !isAbsolute(program) || isProgram(program);
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  return [...folders, join(root, 'node_modules/.bin')].some((folder) => isProgram(join(folder, program)));
}

/** `undefined` for a check that names no file. */
function fileOf(check: Check): { readonly key: string; readonly path: string; readonly pattern?: string } | undefined {
  if ('file_exists' in check) return { key: 'file_exists', path: check.file_exists };
  if ('not_file_exists' in check) return { key: 'not_file_exists', path: check.not_file_exists };
  if ('file_contains' in check) return { key: 'file_contains', ...check.file_contains };
  if ('not_file_contains' in check) return { key: 'not_file_contains', ...check.not_file_contains };
  return undefined;
}

/** Also a whole path into the project: agents work in a checkout of it, elsewhere. */
function leavesTree(path: string): boolean {
  const plain = normalize(path);
  return isAbsolute(path) || path.includes('\0') || plain === '..' || plain.startsWith('../');
}

const MATCHES = checkMatcher();

function patternFault(pattern: string): string | undefined {
  try {
    MATCHES(pattern, '');
    return undefined;
  } catch (error) {
    if (/\(\?<?[=!]/.test(pattern)) return 'look-ahead and look-behind are not supported';
    return error instanceof Error ? error.message : String(error);
  }
}

/** A project in a folder of a repository may have targets beside it. */
function isBeyond(glob: string, root: string): boolean {
  const up = /^(?:\.\.\/|\.\.$)*/.exec(glob)?.[0].split('..').length ?? 1;
  if (up === 1) return false;
  const top = topOf(root);
  const depth = top === root ? 0 : relative(top, root).split('/').length;
  return up - 1 > depth;
}

function topOf(root: string): string {
  try {
    return openRepository(root)?.root ?? root;
  } catch {
    // A broken one; whoever opens it for the run reports that.
    return root;
  }
}

function noSuchAgent(name: string, agents: readonly string[]): string {
  const meant = nearest(name, agents);
  return `No such agent ${shown(name)}; ${meant === undefined ? `the agents are ${agents.join(', ')}.` : `did you mean ${meant}?`}`;
}

function shown(text: string): string {
  return JSON.stringify(oneLine(text, 100));
}
