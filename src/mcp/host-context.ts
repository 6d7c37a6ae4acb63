// The startup context of a session that `foreword start` began with our server: its host wrote it into a file for the first answer of
// the tool `context`. Later calls are answered with what is known by then.

import { safeText } from '../kernel/safe-text.ts';
import type { Environment } from '../system/environment.ts';
import { readTextFile } from '../system/files/read-text.ts';

export interface HostContext {
  readonly id: string;
  /** Holds the id. */
  readonly text: string;
}

/** `undefined` outside of such a session, and for a file that is not ours. */
export function readHostContext(env: Environment): HostContext | undefined {
  const path = env.FOREWORD_MCP_CONTEXT ?? '';
  const read = path === '' ? undefined : readTextFile(path);
  if (read?.kind !== 'text') return undefined;
  try {
    const value: unknown = JSON.parse(read.text);
    if (typeof value !== 'object' || value === null || !('id' in value) || !('text' in value)) return undefined;
    const { id, text } = value;
    if (typeof id !== 'string' || typeof text !== 'string' || !text.includes(id)) return undefined;
    return { id, text: safeText(text) };
  } catch {
    return undefined;
  }
}

/** As hooks/report.ts sends it. */
export type SendReport = (
  socket: string,
  report: {
    readonly kind: 'hook';
    readonly isTool: true;
    readonly session: string;
    readonly event: string;
    readonly agent: string;
    readonly ids: readonly string[];
    readonly printed: string;
    readonly at: string;
  },
) => Promise<boolean>;

/** Reports to the host of the session that the model was returned its context. A host that does not listen is no fault. */
export async function reportGiven(
  { id, agent }: HostContext & { readonly agent: string },
  env: Environment,
  send: SendReport,
): Promise<void> {
  const { FOREWORD_SESSION: session = '', FOREWORD_SOCKET: socket = '' } = env;
  const at = new Date().toISOString();
  await send(socket, { kind: 'hook', isTool: true, session, event: 'context', agent, ids: [], printed: id, at });
}
