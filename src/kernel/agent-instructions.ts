// Which instruction files an agent reads, as data: instructions.ts in its folder. Which of them reach the model was seen with a
// model of our own; the version stands there. sessions/channels/file/ chooses one.

export interface InstructionRule {
  /** In order; the first that exists, or may be created, is taken. */
  readonly places: readonly InstructionPlace[];
}

export interface InstructionPlace {
  /** From the root of the project. */
  readonly path: string;
  /** People keep it out of the repository. */
  readonly isLocal?: boolean;
  /** When it may be created; absent: only used where it exists. */
  readonly create?: {
    /** Files from the root of the project whose presence forbids it: this one would turn them off. */
    readonly unless?: readonly string[];
  };
  /** It is read only when it is there and the agent is started with these arguments. Such a file is one of `.foreword/`;
   *  its path stands in them as it stands here. */
  readonly needsArguments?: readonly string[];
}

/** Read by many agents. Some read the first of these that there is, so that creating it would turn the others off. */
export const AGENTS_MD: InstructionPlace = {
  path: 'AGENTS.md',
  create: { unless: ['CLAUDE.md', 'AGENT.md', 'CONTEXT.md'] },
};
