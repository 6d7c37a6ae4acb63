// What hooks printed for a session, so that the end of a turn can see what was lost: a text that does not stand in the
// conversation though the model answered after it was printed. Such a text may be printed again by the next event, three times
// in all; only where the agent's log shows the texts of that event, so that nothing is ever said twice for want of a look.

import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HookEvent } from '../kernel/hook-events.ts';
import { makeFolder } from '../system/files/make-folder.ts';
import { epochOf } from './epochs.ts';
import { gateClaims } from './gate.ts';
import type { HookCall } from './hook-call.ts';
import { LOST } from './kept-texts.ts';
import { keepsDatabase } from './proofs.ts';
import { forgetSentHeader } from './sent-header.ts';
import { startFolder } from './start-folder.ts';
import type { Seen } from './transcript.ts';

export type PrintedKind = 'startup' | 'prompt' | 'gate';

export interface PrintedText {
  readonly id: string;
  readonly what: PrintedKind;
  readonly event: HookEvent;
  readonly epoch: number;
  /** The agent's log, and how long it was then; the time for a database, whose path is empty. */
  readonly path: string;
  readonly offset: number;
  readonly isLost?: true;
}

const FILE_NAME = 'printed.json';
const MOST_KEPT = 30;
/** The first time included. */
const MOST_TIMES = 3;

/** What is to be kept of a text that is about to be printed; `undefined` where its loss would not be seen. */
export function printedText(call: HookCall, { id, what }: Pick<PrintedText, 'id' | 'what'>): PrintedText | undefined {
  const { folder, event, dialect, subagent, transcript = '', state } = call;
  const isShown = dialect.shown?.includes(event) === true;
  if (!isShown || subagent !== undefined || state.kind !== 'open') return undefined;
  const offset = keepsDatabase(dialect.agent) ? call.ports.now() : sizeOf(transcript);
  return { id, what, event, epoch: epochOf(folder), path: transcript, offset };
}

/** Once. Throws errors of the file system. */
export async function keepPrinted(folder: string, text: PrintedText): Promise<void> {
  const all = allPrinted(folder);
  if (!all.some(({ id }) => id === text.id)) await write(folder, [...all, text]);
}

function sizeOf(transcript: string): number {
  return transcript === '' ? 0 : (statSync(transcript, { throwIfNoEntry: false })?.size ?? 0);
}

export function allPrinted(folder: string): readonly PrintedText[] {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, FILE_NAME), 'utf8'));
    return Array.isArray(value) ? (value as readonly PrintedText[]) : [];
  } catch {
    return [];
  }
}

async function write(folder: string, all: readonly PrintedText[]): Promise<void> {
  makeFolder(folder);
  const { replaceFile } = await import('../system/files/atomic.ts');
  replaceFile(join(folder, FILE_NAME), JSON.stringify(all.slice(-MOST_KEPT)), { mode: 0o600, isSynced: false });
}

/** Returns what is newly lost, and lets the next event print it again. Throws errors of the file system. */
export async function settleLost(call: HookCall, seen: Seen): Promise<readonly PrintedText[]> {
  return settle(call, (one) => isLost(one, seen));
}

/** The same for the gate's text, by a look at the transcript from where it was printed. */
export function lostAtRefusal(
  call: HookCall,
  isLostSince: (id: string, offset: number) => boolean,
): Promise<readonly PrintedText[]> {
  const isHere = ({ what, path, isLost: isKnown }: PrintedText) =>
    what === 'gate' && path === call.transcript && isKnown !== true;
  return settle(call, (one) => isHere(one) && isLostSince(one.id, one.offset));
}

async function settle(call: HookCall, isNewlyLost: (one: PrintedText) => boolean): Promise<readonly PrintedText[]> {
  const { folder } = call;
  const all = allPrinted(folder);
  const epoch = epochOf(folder);
  const lost = all.filter((one) => one.epoch === epoch && isNewlyLost(one));
  if (lost.length === 0) return [];
  await write(
    folder,
    all.map((one) => (lost.includes(one) ? { ...one, isLost: true } : one)),
  );
  for (const what of new Set(lost.map((one) => one.what))) {
    const times = all.filter((one) => one.epoch === epoch && one.what === what).length;
    if (times < MOST_TIMES) printAgain(call, what);
  }
  return lost;
}

/** The model answered after it was printed, and it stands nowhere in the conversation, or no more. */
function isLost({ id, path, offset, isLost: isKnown }: PrintedText, seen: Seen): boolean {
  const hasAnswer = seen.lastReplyAt >= (path === seen.path ? offset : 0);
  const isThere =
    seen.served.includes(id) || Object.values(seen.conversations).some(({ held }) => held.some((one) => one.id === id));
  return isKnown !== true && hasAnswer && !isThere;
}

/** Lets the next event print it. */
export function printAgain(call: HookCall, what: PrintedKind): void {
  if (what === 'gate') removeDone(gateClaims(call));
  else forgetSentHeader(call.folder);
  if (what === 'startup') removeDone(startFolder(call.folder));
}

/** The text in it stays, for a person who asks for the receipt (kept-texts.ts). */
function removeDone(claims: string): void {
  const done = join(claims, 'done');
  try {
    renameSync(done, mkdtempSync(join(claims, LOST)));
  } catch {
    rmSync(done, { recursive: true, force: true });
  }
}
