// Checks: criteria that a program or a file decides. A check runs in the work tree with the task file's authority; what
// helper agents propose runs elsewhere (sandbox).

import type { ProcessEnd, RunProcess } from '../../../kernel/process.ts';
import { oneLine } from '../../../kernel/safe-text.ts';
import type { Check, CheckKind, Criterion } from '../../../kernel/task.ts';
import type { CriterionResult } from '../../../kernel/verdict.ts';
import { findInTree, readFound } from './file-in-tree.ts';
import { failureLines } from './program-output.ts';

export interface CheckContext {
  /** The top of the work tree: where commands run and where paths begin. */
  readonly cwd: string;
  readonly run: RunProcess;
  /** The whole environment of a command. */
  readonly env: Readonly<Record<string, string>>;
  /** For a command whose check names no time of its own. */
  readonly timeoutMs: number;
  /** Whether the pattern is found in the text, in time linear in it. Throws for a pattern it refuses. */
  readonly matches: (pattern: string, text: string) => boolean;
  /** For what the task file names, before it is shortened. What `run` returns is redacted already. */
  readonly redact?: (text: string) => string;
  /** Called before each check of several. */
  readonly begin?: (criterion: Criterion) => void;
}

/** Details go into a record and the next hand-over: one line, safe to show. */
const MAX_DETAIL = 200;
const MAX_NAME = 100;

/** One after the other, in order: checks of one task may build in the same folder. An aborted run leaves the rest
 *  `not-run`. */
export async function runChecks(
  criteria: readonly Criterion[],
  context: CheckContext,
  signal?: AbortSignal,
): Promise<CriterionResult[]> {
  const results: CriterionResult[] = [];
  for (const criterion of criteria) {
    context.begin?.(criterion);
    results.push(await runCheck(criterion, context, signal));
  }
  return results;
}

/** Never throws for what a check finds. A criterion without a check is `not-run`, by `none`. */
export async function runCheck(
  criterion: Criterion,
  context: CheckContext,
  signal?: AbortSignal,
): Promise<CriterionResult> {
  const { text, check } = criterion;
  if (check === undefined) return { criterion: text, outcome: 'not-run', detail: 'it has no check', by: 'none' };
  if (signal?.aborted === true) return { criterion: text, outcome: 'not-run', detail: INTERRUPTED, by: 'check' };
  const found = await decide(check, context, signal);
  if (found.outcome === 'passed') return { criterion: text, outcome: 'passed', by: 'check' };
  return { criterion: text, outcome: found.outcome, detail: nameOf(found.detail, context, MAX_DETAIL), by: 'check' };
}

type Found = typeof PASSED | { readonly outcome: 'failed' | 'not-run'; readonly detail: string };

const PASSED = { outcome: 'passed' } as const;
const INTERRUPTED = 'it was interrupted';

function failed(detail: string): Found {
  return { outcome: 'failed', detail };
}

type Decide<One extends Check> = (check: One, context: CheckContext, signal?: AbortSignal) => Found | Promise<Found>;

/** How each kind is decided: a line for each. */
const KINDS: { readonly [Kind in CheckKind]: Decide<Extract<Check, Record<Kind, unknown>>> } = {
  command: runCommand,
  file_exists: (check, context) => checkExists(check.file_exists, context),
  not_file_exists: (check, context) => checkAbsent(check.not_file_exists, context),
  file_contains: (check, context) => checkContent(check.file_contains, true, context),
  not_file_contains: (check, context) => checkContent(check.not_file_contains, false, context),
};

async function decide(check: Check, context: CheckContext, signal: AbortSignal | undefined): Promise<Found> {
  const kind = (Object.keys(KINDS) as CheckKind[]).find((one) => one in check);
  // The kind was found in this very check, which the compiler cannot follow.
  return kind === undefined ? failed('the check has no kind') : (KINDS[kind] as Decide<Check>)(check, context, signal);
}

async function runCommand(
  check: Extract<Check, { command: unknown }>,
  context: CheckContext,
  signal?: AbortSignal,
): Promise<Found> {
  const [program, ...args] = check.command;
  if (program === undefined) return failed('the check names no command');
  const timeoutMs = check.timeout_s === undefined ? context.timeoutMs : check.timeout_s * 1000;
  const request = {
    command: [program, ...args] as [string, ...string[]],
    cwd: context.cwd,
    env: context.env,
    timeoutMs,
  };
  const end = await context.run(request, signal);
  if (end.endedBy === 'caller') return { outcome: 'not-run', detail: INTERRUPTED };
  if (end.startError !== undefined) return failed(end.startError);
  if (end.endedBy === undefined && end.exitCode === 0) return PASSED;
  const output = failureLines({ stdout: end.stdout.text, stderr: end.stderr.text }, MAX_DETAIL - 40);
  return failed(output === '' ? howItEnded(end, timeoutMs) : `${howItEnded(end, timeoutMs)}: ${output}`);
}

function howItEnded(end: ProcessEnd, timeoutMs: number): string {
  if (end.endedBy === 'silence') return 'printed nothing and was ended';
  if (end.endedBy === 'timeout') return `took longer than ${timeoutMs / 1000} s and was ended`;
  return end.exitCode === null ? `was ended by ${end.signal ?? 'a signal'}` : `exited with ${end.exitCode}`;
}

function checkExists(path: string, context: CheckContext): Found {
  const found = findInTree(context.cwd, path);
  if (found.kind === 'file') return PASSED;
  return failed(problemOf(found, nameOf(path, context)));
}

/** Anything at the path, also a folder or a broken link, fails the check. */
function checkAbsent(path: string, context: CheckContext): Found {
  const found = findInTree(context.cwd, path);
  const name = nameOf(path, context);
  if (found.kind === 'absent') return PASSED;
  return failed(found.kind === 'outside' ? problemOf(found, name) : `${name} is there, expected nothing`);
}

/** A file that cannot be looked into fails either way: a check that looked at nothing has not checked. */
function checkContent(
  wanted: { readonly path: string; readonly pattern: string },
  isWanted: boolean,
  context: CheckContext,
): Found {
  const name = nameOf(wanted.path, context);
  const found = findInTree(context.cwd, wanted.path);
  if (found.kind !== 'file') return failed(problemOf(found, name));
  const read = readFound(found);
  if ('problem' in read) return failed(`${name} ${read.problem}`);
  const pattern = nameOf(wanted.pattern, context, MAX_NAME / 2);
  try {
    if (context.matches(wanted.pattern, read.text) === isWanted) return PASSED;
    return failed(`${name} ${isWanted ? 'does not contain' : 'contains'} ${pattern}`);
  } catch (error) {
    return { outcome: 'not-run', detail: `the pattern ${pattern} is refused: ${messageOf(error)}` };
  }
}

function nameOf(text: string, { redact = (same) => same }: CheckContext, max = MAX_NAME): string {
  return oneLine(redact(text), max);
}

function problemOf(
  found: { kind: 'absent' } | { kind: 'outside' } | { kind: 'other'; what: string },
  name: string,
): string {
  if (found.kind === 'outside') return `${name} leads out of the work tree`;
  return found.kind === 'absent' ? `there is no file ${name}` : `${name} is ${found.what}, expected a file`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
