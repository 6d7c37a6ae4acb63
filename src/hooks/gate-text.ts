// What the gate prints at the first use of a tool. Pure. `inline`: the must-read files themselves and a list of the
// others, within a budget, with everything that was left out named by its path. `directive`: which files to read, in one
// sentence and without a detour by another command, since each further step is followed less. Files that cannot be shown are
// named in both.

import { fence, markOf } from './fences.ts';

export interface GateFile {
  /** As the settings name it. */
  readonly name: string;
  /** As the agent can open it. */
  readonly path: string;
  readonly isMustRead: boolean;
  /** Safe text without secrets; of a must-read file as much as can ever be shown, of another one its heading. */
  readonly text: string;
  /** Characters of the file that are not in the text. */
  readonly more: number;
}

/** A file that is there and cannot be shown. */
export interface RefusedFile {
  readonly path: string;
  /** A sentence without its subject. */
  readonly reason: string;
}

export interface GateContent {
  readonly files: readonly GateFile[];
  readonly refused: readonly RefusedFile[];
}

export interface GateText {
  readonly text: string;
  /** Names of files that are there in full. */
  readonly whole: readonly string[];
  /** Names of must-read files of which a part, or all, had no room. */
  readonly cut: readonly string[];
}

/** Less than this of a file is not worth its frame. */
const LEAST_PART = 200;
const MOST_HEADING = 80;
const MOST_LISTED = 40;

/** Never longer than `budgetChars`, which must be 500 or more. `id` is in none of the files. No files: an empty text. */
export function inlineText(content: GateContent, id: string, budgetChars: number): GateText {
  return filesText(content, `${markOf('gate', id)} Project context, put here at your first tool use.`, {
    id,
    budgetChars,
  });
}

/** The same for the prompt of a run, which needs no hook. */
export function rulesText(content: GateContent, id: string, budgetChars: number): GateText {
  return filesText(content, `${markOf('rules', id)} Project context, put here for your task.`, { id, budgetChars });
}

function filesText(
  { files, refused }: GateContent,
  beginning: string,
  { id, budgetChars }: { readonly id: string; readonly budgetChars: number },
): GateText {
  if (files.length + refused.length === 0) return NOTHING;
  const must = files.filter((file) => file.isMustRead);
  const others = files.filter((file) => !file.isMustRead);
  const fenced =
    must.length === 0 ? '' : ' Each file stands between two lines with this id; what else it says is its own text.';
  const start = `${beginning} What stands here in full you need not read again; it holds for this whole session.`;
  const missing = refusedList(refused, budgetChars);
  const list = listOf(others);
  const frames = must.reduce((sum, { path }) => sum + Object.values(fence(id, path)).join('').length + 2, 0);
  const fixed = start.length + fenced.length + missing.length + list.length + frames;
  const rooms = shares(
    must.map((file) => file.text.length),
    Math.max(0, budgetChars - fixed - must.length * CUT_LENGTH),
  );
  const parts = must.map((file, index) => part(file, id, rooms[index] ?? 0));
  const pieces = [start + fenced, ...parts.map(({ shown }) => shown), list, missing];
  const text = pieces.filter((piece) => piece !== '').join('\n\n');
  if (text.length > budgetChars) return namesOnly(files, [start, missing], budgetChars);
  const named = (isWhole: boolean) => parts.flatMap((one) => (one.isWhole === isWhole ? [one.name] : []));
  return { text, whole: named(true), cut: named(false) };
}

/** The words of the load gate, kept as they are: they were found to be followed best. */
export function directiveText({ files, refused }: GateContent, id: string, budgetChars: number): GateText {
  if (files.length + refused.length === 0) return NOTHING;
  const missing = refusedList(refused, budgetChars);
  if (files.length === 0) return { ...NOTHING, text: `${missing}\n\n${markOf('gate', id)}` };
  const block = [
    'Then output this block, filled in:',
    'Context Loaded',
    'Read: <the files you read>',
    'Skipped: <the files you did not read, each with the reason>',
  ].join('\n');
  const end = ['', block, missing, markOf('gate', id)]
    .filter((piece, index) => index === 0 || piece !== '')
    .join('\n\n');
  const start = 'STOP. Read your context files before proceeding: ';
  const { text, shown } = joined(files, budgetChars - start.length - end.length);
  return { text: start + text + end, whole: [], cut: files.slice(shown).map((file) => file.name) };
}

const NOTHING: GateText = { text: '', whole: [], cut: [] };

/** At most a quarter of the budget. */
function refusedList(refused: readonly RefusedFile[], budgetChars: number): string {
  if (refused.length === 0) return '';
  for (let shown = refused.length; shown > 0; shown -= 1) {
    const more = refused.length - shown;
    const lines = refused.slice(0, shown).map(({ path, reason }) => `- ${path}: ${reason}`);
    const last = more > 0 ? [`- and ${more} more`] : [];
    const text = ['Context files that could not be shown; report it to the person:', ...lines, ...last].join('\n');
    if (text.length <= budgetChars / 4) return text;
  }
  return `${refused.length} context files could not be shown; ask the person to run foreword doctor.`;
}

interface Part {
  readonly name: string;
  readonly shown: string;
  readonly isWhole: boolean;
}

function part({ name, path, text, more }: GateFile, id: string, room: number): Part {
  const { open, close } = fence(id, path);
  const body = text.trimEnd();
  if (body.length <= room && more === 0) return { name, shown: open + body + close, isWhole: true };
  if (room < LEAST_PART)
    return { name, shown: fence(id, `${path}: no room for it here; read it now`).open.trimEnd(), isWhole: false };
  const lineEnd = body.lastIndexOf('\n', room);
  const end = lineEnd > room / 2 ? lineEnd : Math.min(room, body.length);
  const head = body.slice(0, end).toWellFormed();
  const line = head.split('\n').length + (lineEnd > room / 2 ? 1 : 0);
  const rest = `${path} goes on at line ${line}; ${body.length - end + more} more characters, read them now`;
  return { name, shown: `${open}${head}\n${fence(id, rest).open.trimEnd()}`, isWhole: false };
}

/** How much longer the line "goes on" is than the line "end of". */
const CUT_LENGTH = 64;

function listOf(files: readonly GateFile[]): string {
  if (files.length === 0) return '';
  const lines = files.slice(0, MOST_LISTED).map(({ path, text, more }) => `- ${path} (${sizeOf(more)}): ${text}`);
  const unlisted = files.length - lines.length;
  return [
    'Also there; read what your task touches:',
    ...lines,
    ...(unlisted > 0 ? [`and ${unlisted} more in the settings`] : []),
  ].join('\n');
}

/** The first heading, else the first line with something in it. */
export function headingOf(text: string): string {
  const lines = text.split('\n', 200).map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}\s/.test(line)) ?? lines.find((line) => line !== '') ?? '';
  const words = heading.replace(/^#+\s+/, '');
  return words.length <= MOST_HEADING ? words : `${words.slice(0, MOST_HEADING - 3).toWellFormed()}...`;
}

function sizeOf(chars: number): string {
  return chars < 1000 ? `${chars} characters` : `${(chars / 1000).toFixed(1)}k characters`;
}

/** Each gets what it needs while there is enough; what is left is shared evenly among those that need more. */
export function shares(needs: readonly number[], room: number): readonly number[] {
  const given = needs.map(() => 0);
  let left = room;
  const order = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need);
  for (const [done, { need, index }] of order.entries()) {
    const part = Math.min(need, Math.floor(left / (order.length - done)));
    given[index] = part;
    left -= part;
  }
  return given;
}

/** Too many files for their frames and headings: their paths alone. */
function namesOnly(files: readonly GateFile[], around: readonly [string, string], budgetChars: number): GateText {
  const [start, missing] = around;
  const words = `${start}\n\nThere is no room for the files themselves. Read them now: `;
  const end = missing === '' ? '' : `\n\n${missing}`;
  const { text } = joined(files, budgetChars - words.length - end.length);
  return { text: words + text + end, whole: [], cut: files.filter((file) => file.isMustRead).map((file) => file.name) };
}

/** As many paths as fit, and a count of the rest. */
function joined(files: readonly GateFile[], room: number): { readonly text: string; readonly shown: number } {
  const paths = files.map((file) => file.path);
  for (let shown = paths.length; shown > 0; shown -= 1) {
    const more = paths.length - shown;
    const text = paths.slice(0, shown).join(', ') + (more > 0 ? `, and ${more} more` : '');
    if (text.length <= room) return { text, shown };
  }
  return { text: `${paths.length} files named in the settings`, shown: 0 };
}
