// Which instruction files an agent reads, as data: instructions.ts in its folder. Which of them reach the model was measured
// with a local fake model; that file names the version. sessions/channels/file/ chooses one.

export interface InstructionRule {
  /** In order; the first one that exists, or may be created, is used. */
  readonly places: readonly InstructionPlace[];
}

export interface InstructionPlace {
  /** From the root of the project. */
  readonly path: string;
  /** People keep it out of the repository. */
  readonly isLocal?: boolean;
  /** When it may be created; absent: only used where it exists. */
  readonly create?: {
    /** Files, relative to the project root, that forbid it: with the new file the agent would ignore them. */
    readonly unless?: readonly string[];
  };
  /** The agent reads it only when it is started with these arguments. Such a file is in `.foreword/`; the arguments contain
   *  its path as written in `path`. */
  readonly needsArguments?: readonly string[];
}

/** Read by many agents. Some read only the first of these files that exists, so creating it would turn the others off. */
export const AGENTS_MD: InstructionPlace = {
  path: 'AGENTS.md',
  create: { unless: ['CLAUDE.md', 'AGENT.md', 'CONTEXT.md'] },
};
