// What an agent used whose supervisor died: read from its log, and from the transcript of the session that the log names.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Agent } from '../../kernel/agent.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { RunPorts } from '../ports.ts';
import { type Metered, openMeter } from './meter.ts';
import { usedInSession } from './used-in-session.ts';

export interface CutOff {
  readonly agent: Agent | undefined;
  /** ISO time. */
  readonly startedAt: string;
  /** The earlier attempts at the task. */
  readonly attempts: readonly AttemptRecord[];
  readonly cwd: string;
  readonly log: string;
}

/** Never rejects: without a log nothing is known. */
export async function usageOfLog(
  { variables, usageLog: openLog }: Pick<RunPorts, 'variables' | 'usageLog'>,
  { agent, startedAt, attempts, cwd, log }: CutOff,
): Promise<Metered> {
  if (agent === undefined) return {};
  const usedBefore = (session: string) => usedInSession(attempts, session);
  const meter = openMeter({ agent, cwd, variables, openLog, usedBefore, startedAt: Date.parse(startedAt) });
  try {
    if (meter.onLine !== undefined)
      for await (const line of createInterface({ input: createReadStream(log) })) meter.onLine(line, 'stdout');
    return await meter.end({ stdout: { text: '', bytes: 0 } });
  } catch {
    return {};
  }
}
