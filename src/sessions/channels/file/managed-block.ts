// The managed block: one delimited text of ours in an instruction file that belongs to a person. Contract: whatever the
// file holds, not one byte outside of the block changes; removing the block again restores the file to the
// byte; there is at most one; the same block written twice gives the same bytes; a file whose markers are damaged is
// refused. Works on bytes. The edge is sessions/channels/file/managed-block-file.ts.

import type { Sha256 } from '../../../kernel/hash.ts';
import { parseIsoTime } from '../../../kernel/iso-time.ts';
import { blockBody } from './managed-block-body.ts';
import {
  BEGIN,
  binaryOf,
  bytesOf,
  type Details,
  detailsLine,
  END,
  type FoundBlock,
  HEADING,
  ID,
  scanForBlock,
} from './managed-block-scan.ts';

/** Markers included; agents cut instruction files at 32 KiB and more (codex 0.166: all of them together). */
export const MAX_BLOCK_BYTES = 16 * 1024;

export interface ManagedBlock {
  /** Of the delivery. */
  readonly id: string;
  readonly body: string;
  /** ISO time. */
  readonly expiresAt: string;
  /** Folders that are made for a file that is not there yet, and removed again with it. */
  readonly madeFolders?: number;
}

export type InsertedBlock =
  | {
      readonly kind: 'written';
      readonly bytes: Uint8Array;
      /** The id of the block that was there before. */
      readonly replaced?: string;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** `file` is `undefined` everywhere when there is none. */
export interface ManagedBlocks {
  /** The block goes to the end, or to where it is already. */
  insertBlock(file: Uint8Array | undefined, block: ManagedBlock): InsertedBlock;
  /** Only the block with that id, or one that expired by that ISO time; any block without `which`. */
  removeBlock(file: Uint8Array | undefined, which?: WhichBlock): RemovedBlock;
  findBlock(file: Uint8Array | undefined): FoundManagedBlock;
}

/** The checksum in a block's details line is made by `sha256`. */
export function managedBlocks(sha256: Sha256): ManagedBlocks {
  return {
    insertBlock: (file, block) => insertBlock(file, block, sha256),
    removeBlock: (file, which) => removeBlock(file, which, sha256),
    findBlock: (file) => findBlock(file, sha256),
  };
}

function insertBlock(file: Uint8Array | undefined, block: ManagedBlock, sha256: Sha256): InsertedBlock {
  const fault = faultOf(file, block);
  if (fault !== undefined) return refused(fault);
  const bytes = file ?? new Uint8Array();
  const binary = binaryOf(bytes);
  const scan = scanForBlock(binary, sha256);
  if (scan.kind === 'damaged') return refused(scan.reason);
  const found = scan.kind === 'found' ? scan.block : undefined;
  const details = { ...(found ?? placeAtEnd(file, binary, block)), id: block.id, expiresAt: block.expiresAt };
  const newline = found?.newline ?? newlineOf(binary);
  const text = renderBlock(details, block.body, sha256).split('\n').join(newline);
  const made = new TextEncoder().encode(text);
  if (made.length > MAX_BLOCK_BYTES) return refused(tooLong(made.length));
  const before = bytes.subarray(0, found?.start ?? bytes.length);
  const separator = found === undefined && details.isJoined ? bytesOf(newline) : new Uint8Array();
  const result = join(before, separator, made, bytes.subarray(found?.end ?? bytes.length));
  // What could not be found again would stay for ever.
  if (scanForBlock(binaryOf(result), sha256).kind !== 'found')
    return refused('its text and the block would run into each other');
  return { kind: 'written', bytes: result, ...(found === undefined ? {} : { replaced: found.id }) };
}

export type RemovedBlock =
  /** No `bytes`: we made the file and nothing else is in it, so it is to be deleted, with `madeFolders` above it. */
  | { readonly kind: 'removed'; readonly id: string; readonly bytes?: Uint8Array; readonly madeFolders?: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: string };

export type WhichBlock = { readonly id: string } | { readonly expiredBefore: string };

function removeBlock(file: Uint8Array | undefined, which: WhichBlock | undefined, sha256: Sha256): RemovedBlock {
  const scan = scanForBlock(binaryOf(file ?? new Uint8Array()), sha256);
  if (scan.kind === 'damaged') return refused(scan.reason);
  if (file === undefined || scan.kind === 'absent' || !isMeant(scan.block, which)) return { kind: 'absent' };
  const { block } = scan;
  const after = file.subarray(block.end);
  const bytes = join(beforeBlock(file, block, after.length === 0), after);
  if (block.madeFolders !== undefined && bytes.every(isBlank))
    return { kind: 'removed', id: block.id, madeFolders: block.madeFolders };
  return { kind: 'removed', id: block.id, bytes };
}

export type FoundManagedBlock =
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly expiresAt: string;
      readonly body: string;
      /** One-based. */
      readonly line: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged'; readonly reason: string };

function findBlock(file: Uint8Array | undefined, sha256: Sha256): FoundManagedBlock {
  const scan = scanForBlock(binaryOf(file ?? new Uint8Array()), sha256);
  if (scan.kind !== 'found') return scan;
  const { id, expiresAt, body, line } = scan.block;
  return { kind: 'found', id, expiresAt, body: new TextDecoder().decode(bytesOf(body)), line };
}

function faultOf(file: Uint8Array | undefined, block: ManagedBlock): string | undefined {
  if (!ID.test(block.id)) return `the id ${JSON.stringify(block.id)} is not valid: use letters, digits, _ and -`;
  if (parseIsoTime(block.expiresAt) === undefined)
    return `the expiry ${JSON.stringify(block.expiresAt)} is not a time such as 2026-01-01T12:00:00.000Z`;
  // Each character takes a byte at least; a body of megabytes is not worth looking at.
  if (block.body.length > MAX_BLOCK_BYTES) return tooLong(block.body.length);
  const [first, second] = file ?? [];
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return 'the file is UTF-16, and a block in it would not be text. Save it as UTF-8';
  return undefined;
}

function tooLong(bytes: number): string {
  return `the block would have ${bytes} bytes; the most is ${MAX_BLOCK_BYTES}`;
}

function refused(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason };
}

function placeAtEnd(
  file: Uint8Array | undefined,
  binary: string,
  block: ManagedBlock,
): Omit<Details, 'id' | 'expiresAt'> {
  return {
    isJoined: binary !== '' && !binary.endsWith('\n'),
    ...(file === undefined ? { madeFolders: block.madeFolders ?? 0 } : {}),
  };
}

function renderBlock(details: Details, body: string, sha256: Sha256): string {
  const safe = blockBody(body);
  // The checksum is over bytes, as the file will have them.
  const line = detailsLine(details, binaryOf(new TextEncoder().encode(safe)), sha256);
  return `${[BEGIN, HEADING, line, '', safe, END].join('\n')}\n`;
}

/** As the first line of the file ends: some editors convert a file with two kinds of line ends when they save. */
function newlineOf(binary: string): '\n' | '\r\n' {
  const feed = binary.indexOf('\n');
  return feed > 0 && binary[feed - 1] === '\r' ? '\r\n' : '\n';
}

/** The line end that we added goes with the block, unless something was written behind it: it keeps two lines apart. */
function beforeBlock(file: Uint8Array, block: FoundBlock, isLast: boolean): Uint8Array {
  const before = file.subarray(0, block.start);
  if (!block.isJoined || !isLast || before.at(-1) !== 0x0a) return before;
  return before.subarray(0, block.newline === '\r\n' && before.at(-2) === 0x0d ? -2 : -1);
}

function isMeant(block: FoundBlock, which: WhichBlock | undefined): boolean {
  if (which === undefined) return true;
  if ('id' in which) return which.id === block.id;
  const [expires, now] = [parseIsoTime(block.expiresAt), parseIsoTime(which.expiredBefore)];
  return expires !== undefined && now !== undefined && expires <= now;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
