// Compliance: the result of the gate in each session of an agent. In inline mode: whether its text was served. In
// directive mode: which files the agent read, and whether before it did anything else.

import type { ForewordEvent } from '../kernel/events.ts';

export interface ComplianceRow {
  readonly session: string;
  readonly agent: string;
  readonly mode: 'inline' | 'directive';
  /** `unknown`: the agent's transcript was not read yet, or does not show it. */
  readonly served: 'served' | 'unknown';
  readonly files: readonly string[];
  /** Those whose text the agent was given in full; absent where that is not known. */
  readonly whole?: readonly string[];
  readonly read: readonly string[];
  /** Whether the agent read all of `read` before it did anything else; `-` where it had to read nothing. */
  readonly inTime: 'yes' | 'no' | '-' | 'unknown';
  /** Why more may have been read than is known. */
  readonly why?: string;
}

const NOT_SEEN = 'foreword has not seen the end of a turn in its transcript';

/** One row per gate that returned a text, without sub-agents; oldest first. */
export function complianceRows(events: Iterable<ForewordEvent>): readonly ComplianceRow[] {
  const rows = new Map<string, ComplianceRow>();
  const served = new Set<string>();
  const contexts = new Map<string, string>();
  for (const event of events) {
    if (event.kind === 'gate-spoken' && !event.isSubagent) {
      const { session, agent, mode, files, whole } = event;
      const given = whole === undefined ? { files } : { files, whole };
      const row: ComplianceRow = { session, agent, mode, served: 'unknown', ...given, read: [], inTime: '-' };
      rows.set(session, mode === 'inline' ? row : { ...row, inTime: 'unknown', why: NOT_SEEN });
      contexts.set(session, event.context);
    }
    if (event.kind === 'context-served') served.add(event.context);
    const row = event.kind === 'context-files-read' ? rows.get(event.session) : undefined;
    if (event.kind === 'context-files-read' && row !== undefined) rows.set(event.session, withRead(row, event));
  }
  return [...rows.values()].map((row) =>
    served.has(contexts.get(row.session) ?? '') ? { ...row, served: 'served' } : row,
  );
}

function withRead(
  { why: _, ...row }: ComplianceRow,
  { read, unclear }: Extract<ForewordEvent, { readonly kind: 'context-files-read' }>,
): ComplianceRow {
  const now = { ...row, read: read.map(({ path }) => path) };
  if (row.mode === 'inline') return now;
  const isInTime = read.length > 0 && read.every((one) => one.isBeforeOther);
  const isAll = row.files.every((file) => now.read.includes(file));
  if (unclear === undefined || (isAll && isInTime)) return { ...now, inTime: isInTime ? 'yes' : 'no' };
  const why = `${unclear} was given the folder of the files, and its input does not show which of them it read`;
  return { ...now, inTime: 'unknown', why };
}

/** How many files were read, for people: `2 of 3`; `unknown` while nothing is known, `2 of 3 or more` while more may have been. Of
 *  files that were put before the agent: how many in full, and how many were only named. */
export function readCount({ mode, read, files, whole, why }: ComplianceRow): string {
  if (mode === 'inline') return givenCount(files.length, whole?.length);
  if (why === undefined) return `${read.length} of ${files.length}`;
  return read.length === 0 ? 'unknown' : `${read.length} of ${files.length} or more`;
}

function givenCount(all: number, whole: number | undefined): string {
  if (whole === undefined) return `${all} given or named`;
  return all === whole ? `${whole} given in full` : `${whole} given in full, ${all - whole} named`;
}

/** Whether it read them in time, for people. */
export function readInTime({ mode, inTime }: ComplianceRow): string {
  return mode === 'inline' ? 'nothing to read' : inTime;
}

const MODES = {
  inline:
    'inline: the files themselves were put before the agent; those that are only named it may read when its task touches them.',
  directive: 'directive: the agent was told to read the files before anything else.',
} as const;

/** The table that people read, and what its words mean. */
export function complianceTable(rows: readonly ComplianceRow[], short: (session: string) => string) {
  const modes = (['inline', 'directive'] as const).filter((mode) => rows.some((one) => one.mode === mode));
  const isUnseen = rows.some((one) => one.served === 'unknown');
  return {
    head: ['session', 'agent', 'mode', 'arrived', 'files', 'in time'],
    cells: rows.map((one) => [short(one.session), one.agent, one.mode, one.served, readCount(one), readInTime(one)]),
    notes: [
      ...modes.map((mode) => MODES[mode]),
      ...(isUnseen
        ? ['unknown: the transcript of the agent does not show it yet, or foreword cannot read its transcript.']
        : []),
      ...rows.flatMap(({ session, why }) =>
        why === undefined ? [] : [`files read in ${short(session)}: unknown, since ${why}.`],
      ),
    ],
  };
}
