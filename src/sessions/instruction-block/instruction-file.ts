// Where a managed block goes: per agent, the instruction files it reads, as data. Contract: a file that the agent reads
// and that is not tracked by habit comes first; nothing is created whose presence makes an agent pass over another file;
// where no place is left, none is chosen. Which files reach the model was seen with a model of our own, agent by agent:
// the version stands at each.

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

export type ChosenInstructionFile =
  | {
      readonly kind: 'chosen';
      readonly path: string;
      readonly creates: boolean;
      /** By habit. Whether the repository tracks it is not known here. */
      readonly isLocal: boolean;
      readonly needsArguments?: readonly string[];
    }
  | { readonly kind: 'none'; readonly reason: string };

/** `existing`: which of `INSTRUCTION_PATHS` there are, from the root of the project. */
export function chooseInstructionFile(rule: InstructionRule, existing: readonly string[]): ChosenInstructionFile {
  for (const place of rule.places) {
    const isThere = existing.includes(place.path);
    const isFree = place.create !== undefined && !place.create.unless?.some((path) => existing.includes(path));
    if (!isThere && !isFree) continue;
    return {
      kind: 'chosen',
      path: place.path,
      creates: !isThere,
      isLocal: place.isLocal === true,
      ...(place.needsArguments === undefined ? {} : { needsArguments: place.needsArguments }),
    };
  }
  const wanted = rule.places.find(({ create }) => create !== undefined);
  const others = wanted?.create?.unless?.filter((path) => existing.includes(path)) ?? [];
  const reason =
    wanted === undefined
      ? 'it reads no instruction file that is there'
      : `creating ${wanted.path} would turn ${others.join(' and ')} off`;
  return { kind: 'none', reason };
}

/** OpenCode and pi read the first of AGENTS.md, CLAUDE.md (and CONTEXT.md) that there is, Amp AGENTS.md before AGENT.md
 *  and CLAUDE.md; Codex reads others in its place where it is configured so. */
const AGENTS_MD: InstructionPlace = { path: 'AGENTS.md', create: { unless: ['CLAUDE.md', 'AGENT.md', 'CONTEXT.md'] } };

export const INSTRUCTION_FILES: Readonly<Record<string, InstructionRule>> = {
  // Only with --read; a file given so is sent anew with every request, and passed over when it is not there (0.86).
  aider: {
    places: [
      { path: '.foreword/aider.md', create: {}, isLocal: true, needsArguments: ['--read', '.foreword/aider.md'] },
    ],
  },
  // AGENTS.md, and AGENT.md or CLAUDE.md where there is none (its manual).
  amp: { places: [AGENTS_MD, { path: 'AGENT.md' }, { path: 'CLAUDE.md' }] },
  // 2.1.325: CLAUDE.md, CLAUDE.local.md and .claude/rules/*.md are all read. AGENTS.md is read only in a project that has
  // neither CLAUDE.md nor CLAUDE.local.md: creating either turns it off, a rule does not.
  claude: {
    places: [
      { path: 'CLAUDE.local.md', isLocal: true, create: { unless: ['AGENTS.md', '.claude/AGENTS.md'] } },
      { path: '.claude/rules/foreword.md', create: {} },
    ],
  },
  // 0.166: AGENTS.override.md is read instead of AGENTS.md in the same folder, so it is never created.
  codex: { places: [{ path: 'AGENTS.override.md' }, AGENTS_MD] },
  // 1.0.102: .github/copilot-instructions.md, AGENTS.md, CLAUDE.md and GEMINI.md are all read; the first is its own.
  copilot: { places: [{ path: '.github/copilot-instructions.md', create: {} }] },
  // 0.90: all of its context files are read, the local one among them.
  crush: { places: [{ path: 'CRUSH.local.md', isLocal: true, create: {} }] },
  // AGENTS.md and CLAUDE.md at the root are read (its manual); a rule of its own needs front matter.
  cursor: { places: [AGENTS_MD, { path: 'CLAUDE.md' }] },
  // 0.61: only GEMINI.md, unless its settings name others.
  gemini: { places: [{ path: 'GEMINI.md', create: {} }] },
  // 1.34: .goosehints and AGENTS.md are both read.
  goose: { places: [{ path: '.goosehints', create: {} }] },
  // 1.18.33: the first of the three, and no local one.
  opencode: { places: [AGENTS_MD, { path: 'CLAUDE.md' }, { path: 'CONTEXT.md' }] },
  // 0.87.1: the first of the three. .pi/ is never created: its presence makes pi ask whether the folder is trusted.
  pi: { places: [{ path: 'AGENTS.override.md' }, AGENTS_MD, { path: 'CLAUDE.md' }] },
  // 0.24.4: QWEN.md, AGENTS.md and, at the top of a git work tree, .qwen/QWEN.local.md are all read.
  qwen: { places: [{ path: '.qwen/QWEN.local.md', isLocal: true, create: {} }] },
};

/** For an agent of one's own, whose data names one file. */
export function instructionRuleFor(path: string): InstructionRule {
  return { places: [path === AGENTS_MD.path ? AGENTS_MD : { path, create: {} }] };
}

/** The same with the files that agents of one's own name in their data. */
export function blockPaths(
  agents: Readonly<Record<string, { readonly file?: string | undefined } | null>>,
): readonly string[] {
  const own = Object.values(agents).flatMap((agent) => agent?.file ?? []);
  return [...new Set([...INSTRUCTION_PATHS, ...own])];
}

/** Every path that a rule of ours looks at: where blocks may stand, and what decides where they go. */
export const INSTRUCTION_PATHS: readonly string[] = [
  ...new Set(
    Object.values(INSTRUCTION_FILES).flatMap(({ places }) =>
      places.flatMap(({ path, create }) => [path, ...(create?.unless ?? [])]),
    ),
  ),
].sort();
