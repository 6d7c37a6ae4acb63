// Which context files a tool call read, by its input: files that it names, shell patterns that match them, names inside of their
// folder. A program that was given the folder may have read any of them: that is said, and not guessed. Pure.

import { compileGlob } from '../runs/judging/glob.ts';
import type { AgentCall } from './tool-calls.ts';

/** What is known about context files after the gate. */
export interface FilesRead {
  /** In the order in which they were read. */
  readonly read: readonly { readonly path: string; readonly isBeforeOther: boolean }[];
  /** Tool calls that did anything else. */
  readonly otherCalls: number;
  /** The first tool or program that was given their folder, where its input does not show which of them it read. */
  readonly unclear?: string;
}

/** `files` are paths below the project. */
export function afterCall(before: FilesRead, call: AgentCall, files: readonly string[]): FilesRead {
  const { named, isAboutFiles, unclear } = useOf(call, files);
  const isBeforeOther = before.otherCalls === 0;
  const added = named.filter((path) => !before.read.some((one) => one.path === path));
  const first = before.unclear ?? unclear;
  return {
    read: [...before.read, ...added.map((path) => ({ path, isBeforeOther }))],
    otherCalls: before.otherCalls + (isAboutFiles ? 0 : 1),
    ...(first === undefined ? {} : { unclear: first }),
  };
}

interface Use {
  readonly named: readonly string[];
  /** It reads or lists context files, or changes nothing but the agent's own list. */
  readonly isAboutFiles: boolean;
  readonly unclear?: string;
}

const WRITES = /write|edit|patch|create|replace/i;
const OWN_LIST = /todo|^update_plan$|^plan$/i;
const LISTS = /^(?:glob|ls|list|find|list_?dir\w*|file_search)$/i;

function useOf({ name, texts }: AgentCall, files: readonly string[]): Use {
  if (OWN_LIST.test(name)) return { named: [], isAboutFiles: true };
  if (WRITES.test(name)) return { named: [], isAboutFiles: false };
  const folders = [...new Set(files.map(folderOf))].filter((folder) => folder !== '');
  const pieces = texts.flatMap((text) => piecesOf(text));
  // One call is one shell: a folder that a word names holds for all of them.
  const inside = folders.filter((folder) => pieces.some(({ words }) => words.some((word) => isFolder(word, folder))));
  const isPiped = pieces.some(({ program }) => program === 'xargs');
  const readers = LISTS.test(name) ? [] : pieces.filter((piece) => isPiped || !onlyLists(piece));
  const words = readers.flatMap((piece) => piece.words);
  const named = files.filter((file) => words.some((word) => namesFile(word, file, inside)));
  if (named.length > 0) return { named, isAboutFiles: true };
  const opener = readers.find((piece) => piece.words.some((word) => folders.some((folder) => isFolder(word, folder))));
  if (opener !== undefined) return { named, isAboutFiles: true, unclear: titleOf(opener.program, name) };
  const isListed = pieces.some(({ words }) => words.some((word) => folders.some((folder) => isBelow(word, folder))));
  return { named, isAboutFiles: isListed && readers.length === 0 };
}

interface Piece {
  readonly program: string;
  readonly words: readonly string[];
}

const MOST_CHARS = 20_000;

/** The single commands of a shell line, without what they write to; any other text is one piece. */
function piecesOf(text: string): readonly Piece[] {
  return text
    .slice(0, MOST_CHARS)
    .replace(/\d?>>?\s*[^\s;&|]+/g, ' ')
    .split(/[;&|()`\n]+/)
    .map((piece) => piece.split(/[\s"'=]+/).filter((word) => word !== '' && word !== '$'))
    .map((words) => words.filter((word, index) => !(index === 0 && SHELL_WORDS.has(word))))
    .filter((words) => words.length > 0)
    .map((words) => ({ program: words[0]?.split('/').at(-1) ?? '', words }));
}

const SHELL_WORDS = new Set(['do', 'then', 'else', 'if', 'while', 'time', 'sudo', 'command', 'exec', '!', '{']);

/** Programs that print no file's content. */
const LISTERS = new Set(
  'ls cd pushd popd dir tree find fd stat test [ [[ echo printf pwd wc du file which mkdir touch rm mv cp chmod git'.split(
    ' ',
  ),
);

/** With one of these, `find` and `fd` run another program on what they found. */
const RUNNING = new Set(['-exec', '-execdir', '-x', '-X']);

function onlyLists({ program, words }: Piece): boolean {
  if (program === 'find' || program === 'fd') return !words.some((word) => RUNNING.has(word));
  // What git shows of a file is its content.
  if (program === 'git') return !words.some((word) => word === 'show' || word === 'cat-file' || word === 'diff');
  return LISTERS.has(program) || (program === 'sed' && words.some((word) => /^-i|^--in-place/.test(word)));
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

/** `.context`, `./.context/`, `/home/me/shop/.context` and `$PWD/.context`. */
function isFolder(word: string, folder: string): boolean {
  const bare = word.replace(/\/+$/, '');
  return bare === folder || bare.endsWith(`/${folder}`);
}

function isBelow(word: string, folder: string): boolean {
  return isFolder(word, folder) || word.startsWith(`${folder}/`) || word.includes(`/${folder}/`);
}

function namesFile(word: string, file: string, inside: readonly string[]): boolean {
  if (word.length > LONGEST_WORD) return false;
  const folder = folderOf(file);
  const path = word.replace(/^(?:\.\/)+/, '');
  if (path === file || path.endsWith(`/${file}`)) return true;
  const isPattern = /[*?[{]/.test(path);
  const matches = (pattern: string, text: string) => (isPattern ? compileGlob(pattern)(text) : pattern === text);
  if (inside.includes(folder) && matches(path, file.slice(folder.length + 1))) return true;
  // A shell's star matches no name that begins with a dot.
  const isBehind = path.startsWith(`${folder}/`);
  const from = isBehind ? 0 : path.indexOf(`/${folder}/`) + 1;
  if (!isBehind && from === 0 && /(?:^|\/)\./.test(file)) return false;
  return matches(path.slice(from), file);
}

const LONGEST_WORD = 500;

/** A name that can be stored and shown: of the program, else of the tool. */
function titleOf(program: string, tool: string): string {
  return [program, tool].find((one) => /^[\w.-]{1,40}$/.test(one)) ?? 'a program';
}
