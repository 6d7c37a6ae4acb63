// Reads the text of an export, in pieces: a long file is never one text in memory. Every fault is named with its line.

import type { Fault } from '../kernel/errors.ts';
import { FORMAT, type NumberedLine, type Report, type TransferLine } from './transfer-line.ts';

/** Records of ours have a handful of levels. Far deeper ones overflow the stack of whoever walks through them. */
const MOST_LEVELS = 64;
/** The longest records hold a whole prompt. */
const MOST_CHARS = 32 * 1024 * 1024;
/** After so many faults the rest is not worth reading. */
const MOST_FAULTS = 1_000;

export async function parseLines(
  text: string | AsyncIterable<string>,
  how: {
    readonly where: string;
    readonly check: (line: object, report: Report) => boolean;
    readonly onRead?: ((records: number) => void) | undefined;
  },
): Promise<{ lines: NumberedLine[]; faults: Fault[] }> {
  const { where, check } = how;
  const faults: Fault[] = [];
  const lines: NumberedLine[] = [];
  const attempts = new Map<string, number>();
  let header: { records?: unknown } | undefined;
  let at = 0;
  for await (const raw of linesIn(typeof text === 'string' ? [text] : text)) {
    at += 1;
    if (raw === undefined || raw.trim() !== '') {
      const number = at;
      const report = (path: string, message: string) => faults.push({ where, line: number, path, message });
      const value = parseMap(raw);
      if (typeof value === 'string') {
        report('', value);
      } else if (header === undefined) {
        header = value;
        checkHeader(value, report);
      } else if (check(value, report)) {
        const line = value as TransferLine;
        checkOrder(line, attempts, report);
        lines.push({ line, at });
        how.onRead?.(lines.length);
      }
    }
    if (faults.length >= MOST_FAULTS) return { lines, faults };
  }
  if (header === undefined) {
    faults.push({ where, path: '', message: 'is empty; an export begins with {"foreword_export":1}.' });
  } else if (faults.length === 0 && header.records !== undefined && header.records !== lines.length) {
    const message = `has ${lines.length} records, but its first line announces ${shown(header.records)}; it may be cut off.`;
    faults.push({ where, line: 1, path: 'records', message });
  }
  return { lines, faults };
}

/** `undefined` for a line that is too long. */
async function* linesIn(pieces: Iterable<string> | AsyncIterable<string>): AsyncIterable<string | undefined> {
  let rest = '';
  let isFirst = true;
  let isTooLong = false;
  for await (const piece of pieces) {
    const parts = (rest + (isFirst ? piece.replace(/^\ufeff/, '') : piece)).split('\n');
    isFirst = false;
    rest = parts.pop() ?? '';
    for (const part of parts) {
      yield isTooLong || part.length > MOST_CHARS ? undefined : part;
      isTooLong = false;
    }
    if (rest.length > MOST_CHARS) {
      rest = '';
      isTooLong = true;
    }
  }
  if (isTooLong) yield undefined;
  else if (rest !== '') yield rest;
}

/** The map in a line, or what is wrong with it. */
export function parseMap(raw: string | undefined): object | string {
  if (raw === undefined) return `is longer than ${MOST_CHARS / 1024 / 1024} million characters.`;
  if (isTooDeep(raw)) return `is nested deeper than ${MOST_LEVELS} levels.`;
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The same as any other value that is not a map.
  }
  return 'is not a JSON map; every line must be one.';
}

/** Looks at the text, so that nothing deep is ever built. */
function isTooDeep(raw: string): boolean {
  let levels = 0;
  let isText = false;
  for (let index = 0; index < raw.length; index++) {
    const char = raw.charCodeAt(index);
    if (isText) {
      if (char === BACKSLASH) index += 1;
      else if (char === QUOTE) isText = false;
    } else if (char === QUOTE) isText = true;
    else if (char === OPEN_MAP || char === OPEN_LIST) levels += 1;
    else if (char === CLOSE_MAP || char === CLOSE_LIST) levels -= 1;
    if (levels > MOST_LEVELS) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

function checkHeader(header: { foreword_export?: unknown }, report: Report): void {
  const format = header.foreword_export;
  if (format === FORMAT) return;
  const isNewer = typeof format === 'number' && format > FORMAT;
  report('foreword_export', isNewer ? `is ${format}; this version reads ${FORMAT}. Update foreword.` : 'must be 1.');
}

/** Attempts come by number without gaps, and are closed only as far as they have come. */
function checkOrder(line: TransferLine, attempts: Map<string, number>, report: Report): void {
  if (line.kind !== 'attempt' && line.kind !== 'cleared') return;
  const last = attempts.get(line.task) ?? 0;
  if (line.kind === 'attempt') {
    if (line.record.attemptNumber !== last + 1) report('record.attemptNumber', `must be ${last + 1}, the task's next.`);
    attempts.set(line.task, line.record.attemptNumber);
  } else if (line.up_to !== last) {
    report('up_to', `must be ${last}, the number of the attempt before it.`);
  }
}

function shown(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value).slice(0, 40) : 'something else';
}
