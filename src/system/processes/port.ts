// The port through which processes are looked at. linux.ts reads /proc, darwin.ts asks `ps`; process-table.ts picks one.

/** The name of the variable by which a run's processes are known, also those that left its group. */
export const MARKER = 'FOREWORD_RUN';

export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  /** Distinguishes a process from a later one with the same number, and orders them: clock ticks since boot on Linux, seconds
   *  since 1970 on macOS. */
  readonly start: number;
  /** It ended and nobody asked for its status yet: it runs nothing. */
  readonly isZombie: boolean;
  /** It is stopped, by a signal or by itself, until somebody continues it. */
  readonly isStopped: boolean;
  /** Its group has its terminal, and not a program it started (an editor, a pager). */
  readonly hasForeground: boolean;
}

export interface ProcessTable {
  /** `undefined` when they cannot be listed. */
  readonly all: () => Iterable<ProcessEntry> | undefined;
  /** `undefined` when there is no such process or it cannot be asked for. */
  readonly one: (pid: number) => ProcessEntry | undefined;
  /** Whether `hasMarker` can return true. */
  readonly hasMarkers: boolean;
  /** Whether the environment of the process holds the marker of the run with this id. */
  readonly hasMarker: (pid: number, id: string) => boolean;
  /** This start of the machine, and the numbering of processes after a colon where containers have their own;
   *  `undefined` where none is known. */
  readonly bootId: () => string | undefined;
  /** As the system has it, not to leave the machine unhashed; `undefined` where there is none. */
  readonly machineId: () => string | undefined;
  /** The same questions in sh, for the guard, which needs them when we are dead: `started PID` prints the start or
   *  nothing, `marked` prints the processes that hold one of `$marks`, which are options of grep. */
  readonly shell: string;
}
