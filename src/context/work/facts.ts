// The record of a session from what was gathered of it and what git shows.

import { oneLine } from '../../kernel/safe-text.ts';
import type { CommandKind, EndedCommand, SessionFacts } from '../../kernel/session-work.ts';
import { type Gathering, promptsIn } from './gather.ts';

/** What git shows of the time of a session. */
export interface GitWork {
  /** Short id and subject, newest first. */
  readonly commits: readonly string[];
  readonly uncommitted: readonly string[];
  /** One of them was written to since the session began. */
  readonly isTouched?: true;
  /** What there was no time to ask for. `true` is of older records, and means all. */
  readonly isIncomplete?: 'all' | 'uncommitted' | true;
}

function missingOfGit({ isIncomplete }: GitWork): readonly string[] {
  if (isIncomplete === undefined) return [];
  const what = isIncomplete === 'uncommitted' ? 'uncommitted files' : 'commits and uncommitted files';
  return [`${what}, for which there was no time`];
}

/** Why a session is not known as a whole, as phrases. */
export function missingOf(kept: { readonly missing?: string; readonly isBehind?: boolean }): readonly string[] {
  const behind = 'the end of its transcript, for which there was no time';
  return [...(kept.missing === undefined ? [] : [kept.missing]), ...(kept.isBehind === true ? [behind] : [])];
}

const MOST = { files: 20, open: 10, commits: 10, uncommitted: 15, path: 160, line: 160 } as const;

/** `root` is the folder of the project, links resolved; edits outside of it are not this tree's. */
export function factsOf(
  gathered: Gathering,
  git: GitWork,
  about: { readonly root: string; readonly missing: readonly string[] },
): SessionFacts {
  const files = Object.entries(gathered.files)
    .flatMap(([path, edits]) => {
      const inside = insideOf(about.root, path);
      return inside === undefined ? [] : [{ path: oneLine(inside, MOST.path), edits }];
    })
    .reverse()
    .sort((one, other) => other.edits - one.edits);
  const open = gathered.list.filter(({ isDone }) => !isDone).map(({ text }) => text);
  const isUnknown = gathered.records >= LEAST_RECORDS && gathered.known === 0;
  const { known, unknown } = gathered.tools ?? { known: 0, unknown: 0 };
  const areToolsUnknown = promptsIn(gathered).promptCount > 0 && unknown >= LEAST_RECORDS && known === 0;
  const arePromptsUnknown = isWithoutPrompts(gathered);
  return {
    ...promptsIn(gathered),
    files: files.slice(0, MOST.files),
    fileCount: files.length,
    commands: (['tests', 'build'] as const).flatMap((kind) => endedOf(gathered, kind)),
    open: open.slice(0, MOST.open),
    openCount: open.length,
    commits: git.commits.slice(0, MOST.commits).map((line) => oneLine(line, MOST.line)),
    uncommitted: git.uncommitted.slice(0, MOST.uncommitted).map((line) => oneLine(line, MOST.path)),
    uncommittedCount: git.uncommitted.length,
    tasks: [],
    missing: [
      ...about.missing,
      ...(isUnknown ? ['its transcript has a format that is not known here'] : []),
      ...(arePromptsUnknown ? ['the prompts, which this version writes down in a way that is not known here'] : []),
      ...(areToolsUnknown ? ['what its tools did, whose names are not known here'] : []),
      ...missingOfGit(git),
    ],
  };
}

/** Fewer records, or calls, may just be the beginning. */
const LEAST_RECORDS = 3;

/** An agent that uses tools was asked for something; with fewer records that may not be written down yet. */
const LEAST_WITH_PROMPT = 10;

function isWithoutPrompts({ records, promptCount, isSpokenTo, tools }: Gathering): boolean {
  const used = (tools?.known ?? 0) + (tools?.unknown ?? 0);
  return promptCount === 0 && isSpokenTo !== true && records >= LEAST_WITH_PROMPT && used > 0;
}

/** Whether the session left anything: an edit or a commit, or a conversation. One prompt without an edit is a question, unless
 *  tests or builds ran (files may be edited by a shell, too) or items of a list are open. Of one that was asked nothing the work in
 *  git is somebody else's; where that cannot be known, because its transcript is not read, `isTouched` decides. */
export function isWorthKeeping(gathered: Gathering, facts: SessionFacts, isTouched = false): boolean {
  if (facts.fileCount > 0) return true;
  if (facts.promptCount === 0 && gathered.tools === undefined && facts.commands.length + facts.openCount === 0)
    return facts.missing.length > 0 && isTouched;
  if (facts.commits.length > 0) return true;
  if (gathered.isUnattended) return false;
  if (facts.commands.length > 0 || facts.openCount > 0) return true;
  return facts.promptCount > 1 || (facts.missing.length > 0 && facts.uncommittedCount > 0);
}

function insideOf(root: string, path: string): string | undefined {
  const isInside = path.startsWith(`${root}/`);
  const inside = isInside ? path.slice(root.length + 1) : path;
  return inside.startsWith('/') || inside.split('/').includes('..') ? undefined : inside;
}

function endedOf(gathered: Gathering, kind: CommandKind): readonly EndedCommand[] {
  const { failed, passed } = gathered.commands[kind] ?? {};
  const isFailing = (failed?.number ?? 0) > (passed?.number ?? 0);
  const all = [
    failed && { ...commandOf(kind, failed), isFailed: true, isNewest: isFailing },
    passed && { ...commandOf(kind, passed), isFailed: false, isNewest: !isFailing },
  ].filter((one) => one !== undefined);
  return isFailing ? all : all.reverse();
}

function commandOf(
  kind: CommandKind,
  { command, error, at }: { readonly command: string; readonly error?: string; readonly at?: number },
) {
  const when = at === undefined ? {} : { at: new Date(at).toISOString() };
  return { kind, command, ...(error === undefined ? {} : { error }), ...when };
}
