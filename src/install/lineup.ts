// The lineup that init proposes: the agents on this machine that `foreword run` can use. Pure.

/** An agent of the catalog as this machine knows it. */
export interface LineupCandidate {
  readonly name: string;
  /** It can work without a terminal, and its program is there. */
  readonly isInstalled: boolean;
  /** `foreword verify` could not start this version. */
  readonly cannotStart?: string | undefined;
  /** Whom its vendor no longer serves, as a sentence. */
  readonly retired?: string | undefined;
}

export interface CandidateFacts {
  readonly agents: readonly { readonly name: string; readonly oneshot?: unknown }[];
  readonly installs: Readonly<Record<string, { readonly retired?: string } | undefined>>;
  readonly installed: ReadonlySet<string>;
  faultOf(agent: string): string | undefined;
}

export function candidatesOf({ agents, installs, installed, faultOf }: CandidateFacts): readonly LineupCandidate[] {
  return agents
    .filter(({ oneshot }) => oneshot !== undefined)
    .map(({ name }) => ({
      name,
      isInstalled: installed.has(name),
      cannotStart: faultOf(name),
      retired: installs[name]?.retired,
    }));
}

/** In the usual order; an agent that its vendor no longer serves to everybody comes last. */
export function proposeLineup(candidates: readonly LineupCandidate[], usual: readonly string[]): readonly string[] {
  const able = candidates.filter(({ isInstalled, cannotStart }) => isInstalled && cannotStart === undefined);
  const placeOf = ({ name, retired }: LineupCandidate): number => {
    const place = usual.indexOf(name);
    return (place === -1 ? usual.length : place) + (retired === undefined ? 0 : 2 * usual.length);
  };
  return able.toSorted((one, other) => placeOf(one) - placeOf(other)).map(({ name }) => name);
}

/** What a person should know of the installed ones. */
export function lineupNotes(candidates: readonly LineupCandidate[]): readonly string[] {
  return candidates.flatMap(({ name, isInstalled, cannotStart, retired }) => {
    if (!isInstalled) return [];
    const fault = cannotStart === undefined ? [] : [`${name} is not in the lineup: ${cannotStart}.`];
    return [...fault, ...(retired === undefined ? [] : [retired])];
  });
}

/** Why `names` cannot be a lineup; `undefined` when they can. */
export function lineupFault(names: readonly string[], candidates: readonly LineupCandidate[]): string | undefined {
  const unknown = names.find((name) => !candidates.some((one) => one.name === name));
  if (names.length === 0) return 'a lineup names at least one agent';
  if (new Set(names).size < names.length) return 'each agent is named once';
  if (unknown === undefined) return undefined;
  return `there is no agent "${unknown}" that works without a terminal; there are ${candidates.map(({ name }) => name).join(', ')}`;
}
