// Where a managed block goes, chosen by the rule of the agent (instructions.ts in its folder). Contract: a file that the agent
// reads and that is not tracked by habit comes first; nothing is created whose presence makes an agent pass over another file;
// where no place is left, none is chosen.

import { INSTRUCTION_FILES } from '../../../agents/instructions.ts';
import { AGENTS_MD, type InstructionRule } from '../../../kernel/agent-instructions.ts';

export { INSTRUCTION_FILES };

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

/** Every path that a rule of ours looks at: where blocks may be, and what decides where they go. */
export const INSTRUCTION_PATHS: readonly string[] = [
  ...new Set(
    Object.values(INSTRUCTION_FILES).flatMap(({ places }) =>
      places.flatMap(({ path, create }) => [path, ...(create?.unless ?? [])]),
    ),
  ),
].sort();
