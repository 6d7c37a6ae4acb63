// Reports to the host of a live session that a hook ran: over the socket that the session's environment names, one line,
// and without waiting for a reply. A host that does not listen costs 50 ms at most.

/** How long the agent may be kept for it. */
const MOST_MS = 50;

/** As src/sessions/host/serve.ts reads it. */
export interface HostReport {
  readonly kind: 'hook';
  /** Our MCP server reports; `event` is the tool that was called. */
  readonly isTool?: boolean;
  readonly session: string;
  readonly event: string;
  readonly agent: string;
  /** The agent's own id of its session, and of a sub-agent. */
  readonly hookSession?: string;
  readonly subagent?: string;
  readonly source?: string;
  readonly transcriptPath?: string;
  /** Of texts that were in the prompt. */
  readonly ids: readonly string[];
  /** Of the text that this hook printed. */
  readonly printed?: string;
  /** When the hook began, as an ISO time. */
  readonly at: string;
}

/** Resolves when the line is handed over or the time is up; never rejects. */
export async function reportToHost(socketPath: string, report: HostReport): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const end = (isReceived: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isReceived);
    };
    const timer = setTimeout(() => end(false), MOST_MS);
    socket.on('error', () => end(false));
    socket.on('connect', () => {
      socket.end(`${JSON.stringify(report)}\n`, () => end(true));
    });
  });
}
