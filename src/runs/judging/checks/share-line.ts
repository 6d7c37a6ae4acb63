// What a person must bring along so that a check can start: which of the ignored files that a checkout lacks has the program, and
// the line of the configuration that brings it. Pure; cannot-start.ts looks.

import { nameSome } from '../../../kernel/name-some.ts';

/** A command of a check that could not start, or whose shell did not find a program. */
export interface Unstarted {
  readonly criterion: string;
  readonly program: string;
  /** One sentence. */
  readonly why: string;
  /** Names of programs that it may lack. */
  readonly wanted: readonly string[];
}

/** An ignored entry of the person's tree: its path from the root, and the programs that lie in it. */
export interface IgnoredEntry {
  readonly path: string;
  readonly programs: readonly string[];
  /** A virtual environment: it holds its own path, so a copy of it does not work. */
  readonly isBound: boolean;
}

const MOST_NAMED = 8;

/** The entry that has the program: the one in which its path lies, or one with a program of a wanted name. */
export function entryWith(unstarted: Unstarted, ignored: readonly IgnoredEntry[]): IgnoredEntry | undefined {
  const path = unstarted.program.replace(/^(\.\/)+/, '');
  return (
    ignored.find((entry) => path === entry.path || (entry.path.endsWith('/') && path.startsWith(entry.path))) ??
    ignored.find(({ programs }) => unstarted.wanted.some((name) => programs.includes(name)))
  );
}

/** What to do, for a person. */
export function shareHint(
  entry: IgnoredEntry | undefined,
  ignored: readonly IgnoredEntry[],
  share: readonly string[],
): string {
  if (ignored.length === 0) return 'Install the program, or change the check.';
  const all = ignored.map(({ path }) => path);
  const left = `Checkouts are without the ignored ${nameSome(all, MOST_NAMED)}.`;
  if (entry?.isBound === true)
    return `${left} ${entry.path} holds its own path, so a copy does not work: set run.prepare to the command that makes it.`;
  const brought = entry === undefined ? all.slice(0, MOST_NAMED) : [entry.path];
  const shared = [...share, ...brought.map((path) => path.replace(/\/$/, ''))];
  const which = entry === undefined ? 'them' : entry.path;
  return `${left} This line of .foreword/config.yaml brings ${which} along: run: { share: [${shared.map(word).join(', ')}] }`;
}

/** As YAML and JSON read it. */
function word(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : JSON.stringify(path);
}

/** Names that an output with "not found" may mean. */
export function wantedIn(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => /not found|no such file|cannot find|permission denied/i.test(line));
  return [...new Set(lines.flatMap((line) => line.match(/[\w@.+-]+/g) ?? []))];
}
