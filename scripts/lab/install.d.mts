import type { LabPin } from '../../src/kernel/agent-lab.ts';

export interface LabProgram {
  /** Absolute path. */
  readonly program: string;
  /** The folders that PATH needs for the program to start. */
  readonly path: readonly string[];
  readonly version: string;
  /** Its node_modules. */
  readonly packages: string;
}

/** Where everything is installed: $FOREWORD_LAB or the user's cache. */
export function labFolder(): string;

/** What is pinned, by name: the agents, and `node24`, which some of them run with. */
export function labPins(): Readonly<Record<string, LabPin>>;

/** The installed agents by name. What is not installed is not there. */
export function labPrograms(folder?: string): Readonly<Record<string, LabProgram>>;

/** The older versions that are installed, each with its agent's name. */
export function olderPrograms(folder?: string): readonly (LabProgram & { readonly name: string })[];
