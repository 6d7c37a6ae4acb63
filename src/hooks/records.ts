// What is recorded of a text that was printed: the header in it, that it was printed, an entry for the journal. It is written down
// before the text is printed, in a folder beside the claim, and one rename of that folder right after the print completes the claim.
// So a hook that is killed either did not print, and the next one does, or printed, and the next one records the rest. Only one that
// is killed between these two calls has its text printed again: nothing is lost, for an agent that ends a hook drops its output.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookClaim } from './claims.ts';
import { epochOf } from './epochs.ts';
import { gateClaims } from './gate.ts';
import type { HookCall, HookOutput } from './hook-call.ts';
import type { PrintedText } from './printed.ts';
import type { SentHeader } from './sent-header.ts';
import { appendSpool, type SpoolEntry } from './spool.ts';
import { reasonOf } from './state.ts';

/** What a receipt is about, for a person who asks later. Kept as long as the marks of the session. */
export interface KeptText {
  readonly text: string;
  /** The beginning of the prompt that the session was given then. */
  readonly prompt?: string;
  /** The tool that was used then. */
  readonly tool?: string;
}

interface PrintedRecord {
  readonly sent?: SentHeader;
  readonly printed?: PrintedText;
  readonly entry?: SpoolEntry;
}

const FILE_NAME = 'record.json';

/** What is to be recorded when the text is out. */
export async function recordOf(call: HookCall, { id, what, header, entry }: HookOutput): Promise<PrintedRecord> {
  const printed = what === undefined ? undefined : (await import('./printed.ts')).printedText(call, { id, what });
  const sent = header === undefined ? undefined : { epoch: epochOf(call.folder), at: call.ports.now(), header };
  return {
    ...(sent === undefined ? {} : { sent }),
    ...(printed === undefined ? {} : { printed }),
    ...(entry === undefined ? {} : { entry }),
  };
}

const MOST_PROMPT = 500;

/** `redact` takes secrets out of what the person typed; the text has none. */
export function keptTextOf({ prompt, tool }: HookCall, text: string, redact: (text: string) => string): KeptText {
  const typed = redact(prompt ?? '')
    .slice(0, MOST_PROMPT)
    .toWellFormed();
  return { text, ...(typed === '' ? {} : { prompt: typed }), ...(tool === undefined ? {} : { tool }) };
}

/** The folder that is to be renamed; `undefined` where it cannot be written: then the text may be printed again. */
export function makeReady(claim: HookClaim, record: PrintedRecord, kept: KeptText): string | undefined {
  if (claim.kind !== 'mine') return undefined;
  const ready = join(claim.folder, `ready-${process.pid}-${claim.number}`);
  try {
    mkdirSync(ready, { mode: 0o700 });
    writeFileSync(join(ready, FILE_NAME), JSON.stringify(record), { mode: 0o600 }); // Read after the rename only; house-rule: no-plain-write
    const id = record.entry !== undefined && 'context' in record.entry ? record.entry.context : undefined;
    if (id !== undefined) writeFileSync(join(ready, `${id}.json`), JSON.stringify(kept), { mode: 0o600 }); // As above; house-rule: no-plain-write
    return ready;
  } catch {
    removeReady(ready);
    return undefined;
  }
}

export function removeReady(ready: string | undefined): void {
  if (ready !== undefined) rmSync(ready, { recursive: true, force: true });
}

/** Each of the three may be there already. */
export async function keepRecord(call: HookCall, { sent, printed, entry }: PrintedRecord): Promise<void> {
  const { state, root, note, folder } = call;
  if (sent !== undefined) await (await import('./sent-header.ts')).keepSent(call, sent);
  try {
    if (printed !== undefined) await (await import('./printed.ts')).keepPrinted(folder, printed);
  } catch (error) {
    note(`what was printed could not be recorded: ${reasonOf(error)}`);
  }
  try {
    if (entry !== undefined && state.kind === 'open' && root !== undefined) appendSpool(state.folder, root, entry);
  } catch (error) {
    note(`the entry for the journal could not be written: ${reasonOf(error)}`);
  }
}

/** It is all recorded. */
export function forgetRecord(claims: string): void {
  rmSync(join(claims, 'done', FILE_NAME), { force: true });
}

/** Records what a hook of this session printed and could not record: it was killed. */
export async function settleRecords(call: HookCall): Promise<void> {
  if (call.state.kind !== 'open') return;
  const matters = join(call.folder, String(epochOf(call.folder)));
  for (const claims of [gateClaims(call), ...namesIn(matters).map((name) => join(matters, name))]) {
    const record = readRecord(claims);
    if (record === undefined) continue;
    await keepRecord(call, record);
    forgetRecord(claims);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readRecord(claims: string): PrintedRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(claims, 'done', FILE_NAME), 'utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
