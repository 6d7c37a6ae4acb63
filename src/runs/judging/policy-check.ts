// Whether an attempt changed only what it may change. Decided on observed files, never on an agent's claims.

import { nameSome } from '../../kernel/name-some.ts';
import type { Policy } from '../../kernel/policy.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { CriterionResult } from '../../kernel/verdict.ts';
import type { Changes } from '../changes.ts';
import { compileGlob } from './glob.ts';

/** Files named per reason; the rest is counted. */
const MAX_NAME = 120;

/** `targets` empty means everywhere in the project, and so does an empty `allow`; `deny` is stronger than both, and the only one
 *  that counts ignored files. Every breach is in the detail. */
export function checkPolicy(asked: {
  readonly changes: Changes;
  readonly targets: readonly string[];
  readonly policy: Policy | undefined;
  /** For names of files, before they are shortened. */
  readonly redact?: (text: string) => string;
}): CriterionResult {
  const { changes, targets, policy = {}, redact = (text) => text } = asked;
  const { created, updated, deleted } = changes;
  const files = [...new Set([...created, ...updated, ...deleted])].sort();
  const all = [...new Set([...files, ...(changes.ignored ?? [])])].sort();
  const { max_files, max_lines_added, max_lines_removed } = policy.limits ?? {};
  const breaches = [
    list('outside the targets of the task', outside(files, targets), redact),
    list(
      'outside what the policy allows',
      policy.allow === undefined || policy.allow.length === 0 ? [] : outside(files, policy.allow),
      redact,
    ),
    list('denied by the policy', denied(all, policy.deny ?? []), redact),
    over('file', 'changed', files.length, max_files),
    over('line', 'added', changes.linesAdded, max_lines_added),
    over('line', 'removed', changes.linesRemoved, max_lines_removed),
  ].filter((breach) => breach !== undefined);
  if (breaches.length === 0) return { criterion: 'policy', outcome: 'passed', by: 'policy' };
  return { criterion: 'policy', outcome: 'failed', detail: breaches.join('; '), by: 'policy' };
}

/** Files of the repository outside the project (`../`) are outside, unless a glob names them so. */
function outside(files: readonly string[], globs: readonly string[]): readonly string[] {
  const leading = globs.filter((glob) => glob.startsWith('../'));
  const [beyond, within] = [files.filter(isBeyond), files.filter((file) => !isBeyond(file))];
  const allowed = new Set([...inside(beyond, leading), ...(globs.length === 0 ? within : inside(within, globs))]);
  return files.filter((file) => !allowed.has(file));
}

/** Outside the project, what lies there counts as if it lay in the project. */
function denied(files: readonly string[], globs: readonly string[]): readonly string[] {
  const matchers = globs.map(compileGlob);
  const plain = (file: string) => file.replace(/^(\.\.\/)+/, '');
  return files.filter((file) => matchers.some((matches) => matches(file) || matches(plain(file))));
}

function isBeyond(file: string): boolean {
  return file.startsWith('../');
}

function inside(files: readonly string[], globs: readonly string[]): readonly string[] {
  const matchers = globs.map(compileGlob);
  return files.filter((file) => matchers.some((matches) => matches(file)));
}

function list(reason: string, files: readonly string[], redact: (text: string) => string): string | undefined {
  if (files.length === 0) return undefined;
  return `${reason}: ${nameSome(files.map((file) => oneLine(redact(file), MAX_NAME)))}`;
}

function over(what: string, done: string, count: number, max: number | undefined): string | undefined {
  if (max === undefined || count <= max) return undefined;
  return `${count} ${what}${count === 1 ? '' : 's'} ${done}, at most ${max} allowed`;
}
