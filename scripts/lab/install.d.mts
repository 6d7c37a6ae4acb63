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

/** The installed agents by name. What is not installed is not there. */
export function labPrograms(folder?: string): Readonly<Record<string, LabProgram>>;
