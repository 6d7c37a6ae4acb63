// A program that ran to its end: its result, however it ended. The port hides process groups, guards, log files and
// decoding (system/processes/).

/** The beginning and the end of a stream that may have been endless. */
export interface CappedText {
  /** First 256 KiB and last 768 KiB, decoded; a line in between gives the number of missing bytes. */
  readonly text: string;
  /** Exact; includes what was not kept. */
  readonly bytes: number;
}

/** Why we ended a program: it took too long, printed nothing from its start (`silence`) or for too long (`hang`), repeats a call
 *  that a service refuses (`retrying`), is about to wait for a limit (`limit`), used up its budget (`cap`), or the caller asked. */
export type EndedBy = 'timeout' | 'silence' | 'hang' | 'retrying' | 'limit' | 'cap' | 'caller';

export interface ProcessEnd {
  /** `null` when it did not start or was ended by a signal. */
  readonly exitCode: number | null;
  /** SIGKILL and the like; `null` when it exited by itself. */
  readonly signal: string | null;
  readonly stdout: CappedText;
  readonly stderr: CappedText;
  readonly durationMs: number;
  /** Absent when it ended by itself. */
  readonly endedBy?: EndedBy;
  /** The program could not be started: no such command, no permission. */
  readonly startError?: string;
}

export interface ProcessRequest {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed; closed at once when absent. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** Ended when it printed nothing for this long from the start; absent: no limit. */
  readonly firstOutputMs?: number;
  /** Ended when it printed nothing for this long, at any time; absent: no limit. */
  readonly hangMs?: number;
  /** A line that announces a wait: ended as `limit` when nothing follows it for this long. Gets lines as `onLine` does. */
  readonly waits?: { isWait(line: string): boolean; readonly mostMs: number };
  /** Gets each line as it comes, secrets included, lines of more than 1 MiB never. A reason ends the program. Must not throw. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => EndedBy | undefined;
  /** Gets what is kept of both streams as it comes, without secrets when the runner removes them. Must not throw. */
  readonly onKept?: (bytes: Uint8Array) => void;
  /** Both streams as they come, without secrets when the runner removes them; capped at 100 MiB (first 10, last 90); mode
   *  0600. */
  readonly logFile?: string;
}

/** Never rejects: a program that cannot be started is an end like any other. When it resolves, no process of the
 *  program's group is left; the same holds within seconds after our own death by kill -9. Aborting ends the program
 *  with TERM, and with KILL five seconds later. */
export type RunProcess = (request: ProcessRequest, signal?: AbortSignal) => Promise<ProcessEnd>;
