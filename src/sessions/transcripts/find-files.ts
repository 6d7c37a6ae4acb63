// Finds the files that may be the transcript of a session: by the names the agent gives them, written to since the
// session began, newest first.

import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type LinesSpec, slugOf } from '../../kernel/transcript.ts';

export interface Wanted {
  /** With links resolved. */
  readonly base: string;
  /** The names under which the agent may know the working directory. */
  readonly cwds: readonly string[];
  readonly sessionId?: string;
  readonly startedAfterMs: number;
}

interface NamedFile {
  readonly path: string;
  /** From its name. */
  readonly sessionId?: string;
}

export interface FoundFile extends NamedFile {
  /** Milliseconds since 1970; 0 where the file system does not say. */
  readonly bornMs: number;
  readonly changedMs: number;
}

/** Of folders that are dates; a session may have begun yesterday. */
const NEWEST_FOLDERS = 2;
/** Files that are followed at once: those of other sessions in the same folder are among them. */
const MOST_FILES = 4;

/** Newest first. Files that began since the session did come alone, if there are any: older ones that were written to
 *  are either its own, resumed, or of a session beside it. */
export async function findFiles(spec: LinesSpec, wanted: Wanted, most = MOST_FILES): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const pattern of patternsOf(spec, wanted))
    for (const file of await walk(spec, wanted, wanted.base, pattern.split('/'))) {
      const { mtimeMs, birthtimeMs } = (await stat(file.path).catch(() => undefined)) ?? { mtimeMs: 0, birthtimeMs: 0 };
      if (mtimeMs >= wanted.startedAfterMs) found.push({ ...file, bornMs: birthtimeMs, changedMs: mtimeMs });
    }
  const born = found.filter(({ bornMs }) => bornMs >= wanted.startedAfterMs);
  return (born.length > 0 ? born : found).sort((a, b) => b.changedMs - a.changedMs).slice(0, most);
}

function patternsOf(spec: LinesSpec, { cwds, sessionId }: Wanted): readonly string[] {
  // A session's id is enough, and agents shorten the names of deep folders.
  const slugs = sessionId === undefined ? [...new Set(cwds.map((cwd) => slugOf(cwd, spec.slug ?? 'dashes')))] : ['*'];
  const patterns = spec.files.flatMap((file) =>
    file.includes('{slug}') ? slugs.map((slug) => file.split('{slug}').join(slug)) : [file],
  );
  return [...new Set(patterns)];
}

async function walk(
  spec: LinesSpec,
  wanted: Wanted,
  folder: string,
  [step = '', ...rest]: readonly string[],
): Promise<readonly NamedFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const fitting = entries.flatMap((entry) => {
    const fit = fitName(step, entry.name, wanted.sessionId);
    // Links are neither files nor folders here, so nothing outside is found.
    const isRight = rest.length === 0 ? entry.isFile() : entry.isDirectory();
    return fit === undefined || !isRight ? [] : [{ name: entry.name, ...fit }];
  });
  if (rest.length === 0) return fitting.map(({ name, ...fit }) => ({ path: join(folder, name), ...fit }));
  const names = fitting.map(({ name }) => name).sort();
  const isNarrow = spec.isDated === true && step === '*' && wanted.sessionId === undefined;
  const found: NamedFile[] = [];
  for (const name of isNarrow ? names.slice(-NEWEST_FOLDERS) : names) {
    const below = join(folder, name);
    // A session's id is in the records, and in a box the folder has another name.
    const mark = wanted.sessionId === undefined && step === '*' ? spec.mark : undefined;
    if (mark !== undefined && !(await isMarked(join(below, mark), wanted.cwds))) continue;
    const [session] = fitting.filter((one) => one.name === name);
    for (const file of await walk(spec, wanted, below, rest))
      found.push(session?.sessionId === undefined ? file : { sessionId: session.sessionId, ...file });
  }
  return found;
}

/** A folder without the mark may be anybody's. */
async function isMarked(mark: string, cwds: readonly string[]): Promise<boolean> {
  const text = await readFile(mark, 'utf8').catch(() => undefined);
  return text === undefined || cwds.includes(text.trim());
}

/** The session that a file's name holds, if it does. */
export function sessionInName(spec: LinesSpec, path: string): string | undefined {
  return spec.files
    .map((file) => fitName(basename(file), basename(path))?.sessionId)
    .find((sessionId) => sessionId !== undefined);
}

/** Whether the name is of that form; `*` and `{session}` are any characters, the latter returned. */
export function fitName(
  pattern: string,
  name: string,
  sessionId?: string,
): { readonly sessionId?: string } | undefined {
  const [before = '', after] = pattern.split('{session}');
  if (after === undefined) return fits(pattern, name) ? {} : undefined;
  if (!name.endsWith(after)) return undefined;
  const stem = name.slice(0, name.length - after.length);
  if (sessionId !== undefined)
    return stem.endsWith(sessionId) && fits(before, stem.slice(0, -sessionId.length)) ? { sessionId } : undefined;
  if (before === '') return stem === '' ? undefined : { sessionId: stem };
  // What ends the part before the id is one character, which is not in it; without any, the id is not known.
  if (before.endsWith('*')) return fits(before, stem) ? {} : undefined;
  const at = stem.lastIndexOf(before.at(-1) ?? '');
  return at !== -1 && fits(before, stem.slice(0, at + 1)) ? { sessionId: stem.slice(at + 1) } : undefined;
}

function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop() ?? '';
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
