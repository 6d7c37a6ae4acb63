// The transcript of an unattended agent, read for what it used: for agents whose output does not have that, or only at its end.

import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import type { UsageSpec } from '../../kernel/usage-rules.ts';
import { type OpenOptions, openRecords, type TranscriptRecords } from './open.ts';

export interface UsageLog extends TranscriptRecords {
  readonly spec: UsageSpec;
}

/** `undefined` when its transcript has nothing about usage. */
export function openUsageLog(
  agent: string,
  options: OpenOptions & { readonly sessionId: string },
): UsageLog | undefined {
  const spec = TRANSCRIPTS[agent];
  if (spec?.store !== 'lines' || spec.usage === undefined) return undefined;
  return { spec, ...openRecords(spec, options) };
}
