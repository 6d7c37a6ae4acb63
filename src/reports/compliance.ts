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
  readonly read: readonly string[];
  /** Whether the agent read all of `read` before it did anything else; `-` where it had to read nothing. */
  readonly inTime: 'yes' | 'no' | '-';
}

/** One row per gate that returned a text, without sub-agents; oldest first. */
export function complianceRows(events: Iterable<ForewordEvent>): readonly ComplianceRow[] {
  const rows = new Map<string, ComplianceRow>();
  const served = new Set<string>();
  const contexts = new Map<string, string>();
  for (const event of events) {
    if (event.kind === 'gate-spoken' && !event.isSubagent) {
      const { session, agent, mode, files } = event;
      rows.set(session, {
        session,
        agent,
        mode,
        served: 'unknown',
        files,
        read: [],
        inTime: mode === 'inline' ? '-' : 'no',
      });
      contexts.set(session, event.context);
    }
    if (event.kind === 'context-served') served.add(event.context);
    const row = event.kind === 'context-files-read' ? rows.get(event.session) : undefined;
    if (event.kind !== 'context-files-read' || row === undefined) continue;
    const isInTime = event.read.length > 0 && event.read.every((one) => one.isBeforeOther);
    const inTime = row.mode === 'inline' ? '-' : isInTime ? 'yes' : 'no';
    rows.set(event.session, { ...row, read: event.read.map(({ path }) => path), inTime });
  }
  return [...rows.values()].map((row) =>
    served.has(contexts.get(row.session) ?? '') ? { ...row, served: 'served' } : row,
  );
}
