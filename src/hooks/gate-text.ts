// What the gate prints before the first tool is used. Pure. `inline`: the must-read files themselves and a list of the
// others, within a budget, with everything that was left out named by its path. `directive`: which files to read, in one
// sentence and without a detour by another command, since each further step is followed less.

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

export interface GateText {
  readonly text: string;
  /** Names of files that are there in full. */
  readonly whole: readonly string[];
  /** Names of must-read files of which a part, or all, had no room. */
  readonly cut: readonly string[];
}

/** By this a transcript is searched for what was printed; the id is this one firing's. */
export function markOf(what: 'gate' | 'startup' | 'prompt', id = ''): string {
  return id === '' ? `[foreword ${what} fw_` : `[foreword ${what} ${id}]`;
}

/** Less than this of a file is not worth its frame. */
const LEAST_PART = 200;
const MOST_HEADING = 80;
const MOST_LISTED = 40;

/** Never longer than `budgetChars`, which must be 500 or more. No files: an empty text. */
export function inlineText(files: readonly GateFile[], id: string, budgetChars: number): GateText {
  if (files.length === 0) return { text: '', whole: [], cut: [] };
  const must = files.filter((file) => file.isMustRead);
  const others = files.filter((file) => !file.isMustRead);
  const start = `${markOf('gate', id)} Project context, put here at your first tool use. What stands here in full you need not read again; it holds for this whole session.`;
  const list = listOf(others);
  const fixed = start.length + list.length + must.reduce((sum, file) => sum + frame(file.path).length, 0);
  const rooms = shares(
    must.map((file) => file.text.length),
    Math.max(0, budgetChars - fixed - must.length * CUT_LENGTH),
  );
  const parts = must.map((file, index) => part(file, rooms[index] ?? 0));
  const text = [start, ...parts.map(({ shown }) => shown), list].filter((piece) => piece !== '').join('\n\n');
  if (text.length > budgetChars) return namesOnly(files, start, budgetChars);
  const named = (isWhole: boolean) => parts.flatMap((one) => (one.isWhole === isWhole ? [one.name] : []));
  return { text, whole: named(true), cut: named(false) };
}

/** The words of the load gate, kept as they are: they were found to be followed best. */
export function directiveText(files: readonly GateFile[], id: string, budgetChars: number): GateText {
  if (files.length === 0) return { text: '', whole: [], cut: [] };
  const block = [
    'Then output this block, filled in:',
    'Context Loaded',
    'Read: <the files you read>',
    'Skipped: <the files you did not read, each with the reason>',
  ].join('\n');
  const end = `\n\n${block}\n\n${markOf('gate', id)}`;
  const start = 'STOP. Read your context files before proceeding: ';
  const { text, shown } = joined(files, budgetChars - start.length - end.length);
  return { text: start + text + end, whole: [], cut: files.slice(shown).map((file) => file.name) };
}

interface Part {
  readonly name: string;
  readonly shown: string;
  readonly isWhole: boolean;
}

function part({ name, path, text, more }: GateFile, room: number): Part {
  const [open, close] = [`--- ${path} ---\n`, `\n--- end of ${path} ---`];
  const body = text.trimEnd();
  if (body.length <= room && more === 0) return { name, shown: open + body + close, isWhole: true };
  if (room < LEAST_PART) return { name, shown: `--- ${path}: no room for it here; read it now ---`, isWhole: false };
  const lineEnd = body.lastIndexOf('\n', room);
  const end = lineEnd > room / 2 ? lineEnd : Math.min(room, body.length);
  const head = body.slice(0, end).toWellFormed();
  const line = head.split('\n').length + (lineEnd > room / 2 ? 1 : 0);
  const rest = `\n--- ${path} goes on at line ${line}; ${body.length - end + more} more characters, read them now ---`;
  return { name, shown: open + head + rest, isWhole: false };
}

function frame(path: string): string {
  return `--- ${path} ---\n\n--- end of ${path} ---\n\n`;
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
function namesOnly(files: readonly GateFile[], start: string, budgetChars: number): GateText {
  const words = `${start}\n\nThere is no room for the files themselves. Read them now: `;
  const { text } = joined(files, budgetChars - words.length);
  return { text: words + text, whole: [], cut: files.filter((file) => file.isMustRead).map((file) => file.name) };
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
