// Finds the managed block in a file, on bytes held in a string (one character per byte), so that no encoding is assumed.
// A marker counts as a whole line only, from its first column to its end: quoted, indented or in the middle of a line it
// is a person's text. A block is ours when its details line and its checksum match; nothing else is ever replaced or
// removed, and no span goes from one marker to another block's. Markers in a closed code fence are quoted text, unless a
// details line of ours follows.

import type { Sha256 } from '../../../kernel/hash.ts';
import { parseIsoTime } from '../../../kernel/iso-time.ts';
import { codeFences } from './code-fences.ts';

export const BEGIN = '<!-- STARTUP_CONTEXT_INJECTION -->';
export const END = '<!-- END_STARTUP_CONTEXT -->';
export const HEADING = '## Session Context (Auto-Injected)';

/** What the details line holds besides the checksum. */
export interface Details {
  readonly id: string;
  readonly expiresAt: string;
  /** We put a line end before the block, as the file had none at its end. */
  readonly isJoined: boolean;
  /** We made the file, and this many folders for it; absent when it was there before. */
  readonly madeFolders?: number;
}

export interface FoundBlock extends Details {
  /** Bytes, one character each, with line feeds only. */
  readonly body: string;
  /** Offsets of the begin marker and of what follows the block. */
  readonly start: number;
  readonly end: number;
  readonly newline: '\n' | '\r\n';
  /** One-based. */
  readonly line: number;
}

export type Scan =
  | { readonly kind: 'absent' }
  | { readonly kind: 'found'; readonly block: FoundBlock }
  /** What is wrong, where, and what to do about it. */
  | { readonly kind: 'damaged'; readonly reason: string };

export function scanForBlock(file: string, sha256: Sha256): Scan {
  if (!file.includes(BEGIN) && !file.includes(END)) return { kind: 'absent' };
  const lines = splitLines(file);
  const blocks: FoundBlock[] = [];
  const outside: (string | undefined)[] = lines.map(({ text }) => text);
  const broken: { readonly index: number; readonly reason: string }[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    if (lines[index]?.text !== BEGIN) continue;
    const read = readBlock(lines, index, sha256);
    if (read.kind === 'broken') broken.push({ index, reason: read.reason });
    if (read.kind !== 'whole') continue;
    blocks.push(read.block);
    for (let inside = index; inside <= read.last; inside += 1) outside[inside] = undefined;
    index = read.last;
  }
  return judge({ blocks, broken, outside });
}

/** The details line, the same for the same block. */
export function detailsLine(details: Details, body: string, sha256: Sha256): string {
  const { id, expiresAt, isJoined, madeFolders } = details;
  const made = madeFolders === undefined ? 'existing' : madeFolders === 0 ? 'new' : `new+${madeFolders}`;
  const line = `[${id}] expires ${expiresAt}, before ${isJoined ? 'newline' : 'nothing'}, file ${made}`;
  return `${line}, checksum ${checksum(line, body, sha256)}`;
}

export const ID = /^[A-Za-z0-9_-]{1,80}$/;

const DETAILS =
  /^(\[([A-Za-z0-9_-]{1,80})\] expires ([0-9TZ:.-]{20,30}), before (newline|nothing), file (existing|new(?:\+([1-9][0-9]?))?)), checksum ([0-9a-f]{16})$/;

type Read =
  | { readonly kind: 'whole'; readonly block: FoundBlock; readonly last: number }
  | { readonly kind: 'broken'; readonly reason: string }
  /** A begin marker that nothing of ours follows. */
  | { readonly kind: 'unsigned' };

function readBlock(lines: readonly Line[], first: number, sha256: Sha256): Read {
  const [begin, heading, signed] = lines.slice(first, first + 3);
  const match = DETAILS.exec(signed?.text ?? '');
  if (begin === undefined || match === null || heading?.text !== HEADING) return { kind: 'unsigned' };
  const [, line = '', id = '', expiresAt = '', before, made, folders, sum] = match;
  const last = lines.findIndex(({ text }, index) => index > first + 2 && (text === END || text === BEGIN));
  const end = lines[last];
  if (end === undefined) return broken(`the block that begins in line ${first + 1} has no end (${END})`);
  if (end.text === BEGIN)
    return broken(`another block begins in line ${last + 1}, inside the one that begins in line ${first + 1}`);
  const inner = lines.slice(first + 3, last).map(({ text }) => text);
  const body = inner.slice(1).join('\n');
  if (inner[0] !== '' || parseIsoTime(expiresAt) === undefined || checksum(line, body, sha256) !== sum)
    return broken(`the block in lines ${first + 1} to ${last + 1} was edited: its checksum does not match`);
  return {
    kind: 'whole',
    last,
    block: {
      id,
      expiresAt,
      isJoined: before === 'newline',
      ...(made === 'existing' ? {} : { madeFolders: Number(folders ?? 0) }),
      body,
      start: begin.start,
      end: end.end,
      newline: begin.newline,
      line: first + 1,
    },
  };
}

function broken(reason: string): Read {
  return { kind: 'broken', reason };
}

function judge(found: {
  readonly blocks: readonly FoundBlock[];
  readonly broken: readonly { readonly index: number; readonly reason: string }[];
  /** Without the lines of whole blocks. */
  readonly outside: readonly (string | undefined)[];
}): Scan {
  const [block, second] = found.blocks;
  const [broken] = found.broken;
  if (broken !== undefined) return damaged(broken.reason);
  const fences = codeFences(found.outside).filter(({ isClosed }) => isClosed);
  const isQuoted = (index: number) => fences.some(({ from, to }) => index > from && index < to);
  const loose = found.outside.findIndex((text, index) => (text === BEGIN || text === END) && !isQuoted(index));
  if (loose !== -1)
    return damaged(`line ${loose + 1} is a marker (${found.outside[loose]}) that belongs to no whole block`);
  if (second !== undefined) return damaged(`there are two blocks, in line ${block?.line} and in line ${second.line}`);
  if (block === undefined) return { kind: 'absent' };
  if (isQuoted(block.line - 1)) return damaged(`the block in line ${block.line} is in a code fence`);
  return { kind: 'found', block };
}

function damaged(what: string): Scan {
  return {
    kind: 'damaged',
    reason: `${what}. Nothing was changed. Remove the block and its markers by hand, then try again.`,
  };
}

/** Covers everything in the details line, so that a changed one is no block of ours any more. */
function checksum(line: string, body: string, sha256: Sha256): string {
  return sha256(bytesOf(`${line}\n${body}`)).slice(0, 16);
}

interface Line {
  /** Without its line end. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly newline: '\n' | '\r\n';
}

function splitLines(file: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < file.length; ) {
    const feed = file.indexOf('\n', start);
    const end = feed === -1 ? file.length : feed + 1;
    const text = file.slice(start, feed === -1 ? end : feed);
    // Also at the end of the file, where a line feed may come to follow it.
    const hasReturn = text.endsWith('\r');
    lines.push({ text: hasReturn ? text.slice(0, -1) : text, start, end, newline: hasReturn ? '\r\n' : '\n' });
    start = end;
  }
  return lines;
}

/** As many arguments as every engine takes in one call. */
const CHUNK = 8192;

/** One character per byte; the reverse of `bytesOf`. */
export function binaryOf(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += CHUNK)
    text += String.fromCharCode.apply(undefined, bytes.subarray(start, start + CHUNK) as unknown as number[]);
  return text;
}

export function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
