// Which requests keep the one before whole at their beginning, so that a service finds it in its cache, and who broke it where not. By the
// rules of each service (kept-prefix.ts). Pure.

import { keptPrefix, partsFound, type RequestPart, type RequestPlace, requestParts } from '../kept-prefix.ts';
import { isBrought, type OwnedRequest, type OwnedUnit, UNKNOWN } from './attribute.ts';
import type { XrayMoment, XrayOwner } from './recording.ts';
import { lengthOf } from './units.ts';

export interface CacheStep {
  readonly from: XrayMoment;
  readonly to: XrayMoment;
  /** Characters of the earlier request that stand unchanged at the beginning of the later one. */
  readonly kept: number;
  /** Of those, what the service finds in its cache, where the requests mark what is stored; absent where it finds all of them. */
  readonly found?: number;
  readonly of: number;
  /** Absent when all of it is kept. */
  readonly broken?: CacheBreak;
  /** Behind a break of the agent's own, which hides it: the first one by the set-up. */
  readonly behind?: CacheBreak;
}

export interface CacheBreak {
  readonly place: RequestPlace;
  /** From the beginning of the request, in characters as the model reads them. */
  readonly character: number;
  readonly owner: XrayOwner;
}

/** A compaction makes a new conversation on purpose; a sub-agent has one of its own. */
const NO_STEP: readonly XrayMoment[] = ['sub-agent', 'compaction', 'after compaction', 'new session'];

/** From each turn of the session to the next, and from its first one to the first one of a new session. */
export function cacheSteps(requests: readonly OwnedRequest[]): readonly CacheStep[] {
  return cachePairs(requests).map(([earlier, later]) => cacheStep(earlier, later));
}

/** The two requests of each step. */
export function cachePairs(
  requests: readonly OwnedRequest[],
): readonly (readonly [earlier: OwnedRequest, later: OwnedRequest])[] {
  const turns = requests.filter(({ request }) => request.isMain);
  const inSession = turns.filter(({ request }) => !NO_STEP.includes(request.moment));
  const again = turns.find(({ request }) => request.moment === 'new session');
  const laters = [...inSession.slice(1), ...(again === undefined ? [] : [again])];
  return laters.flatMap((later, index) => {
    const earlier = later === again ? inSession[0] : inSession[index];
    return earlier?.request.protocol === later.request.protocol ? [[earlier, later] as const] : [];
  });
}

export function cacheStep(earlier: OwnedRequest, later: OwnedRequest): CacheStep {
  const { protocol } = later.request;
  const [before, after] = [earlier, later].map(({ request }) => requestParts(protocol, request.body));
  const { broken } = keptPrefix(protocol, before ?? [], after ?? []);
  const moments = { from: earlier.request.moment, to: later.request.moment };
  const of = lengthOf(earlier.units);
  const upToFound = foundUpTo(before ?? [], after ?? [], broken?.part);
  const found = lengthOf(earlier.units.filter(({ part }) => part < upToFound));
  if (broken === undefined) return { ...moments, kept: of, ...(found < of ? { found } : {}), of };
  const upTo = earlier.units.filter(({ part }) => part < broken.part);
  const at = firstDifference(textOf(earlier.units, broken.part), textOf(later.units, broken.part));
  const kept = lengthOf(upTo) + (protocol === 'anthropic' ? 0 : at);
  const [was, is] = [ownerAt(earlier.units, broken.part, at), ownerAt(later.units, broken.part, at)];
  const owner = [is, was].find((one) => one !== undefined && isBrought(one)) ?? is ?? was ?? UNKNOWN;
  const own = { place: broken.place, character: lengthOf(upTo) + at, owner };
  const behind = isBrought(owner) ? undefined : breakBehind(earlier.units, later.units, broken.part);
  return {
    ...moments,
    kept,
    ...(found < kept ? { found } : {}),
    of,
    broken: own,
    ...(behind === undefined ? {} : { behind }),
  };
}

/** The number of the first part that the service does not find; without marks it finds what is the same. */
function foundUpTo(earlier: readonly RequestPart[], later: readonly RequestPart[], different = Infinity): number {
  const isMarking = [earlier, later].every((parts) => parts.some(({ isMarked }) => isMarked));
  return isMarking ? partsFound(earlier.slice(0, different), later) : Infinity;
}

/** Characters that are paid for again. */
export function lostIn({ kept, found = kept, of }: Pick<CacheStep, 'kept' | 'found' | 'of'>): number {
  return of - found;
}

/** Only in parts that both requests have at the same place: otherwise the agent's own change moved everything. */
function breakBehind(earlier: readonly OwnedUnit[], later: readonly OwnedUnit[], part: number): CacheBreak | undefined {
  const numbers = [...new Set(earlier.map((unit) => unit.part))].filter((number) => number > part);
  for (const number of numbers) {
    const place = earlier.find((unit) => unit.part === number)?.place;
    if (place === undefined || later.find((unit) => unit.part === number)?.place !== place) return undefined;
    const [one, other] = [textOf(earlier, number), textOf(later, number)];
    if (one === other) continue;
    const at = firstDifference(one, other);
    const owner = [ownerAt(later, number, at), ownerAt(earlier, number, at)].find((who) => who && isBrought(who));
    const character = lengthOf(earlier.filter((unit) => unit.part < number)) + at;
    if (owner !== undefined) return { place, character, owner };
  }
  return undefined;
}

function textOf(units: readonly OwnedUnit[], part: number): string {
  return units.flatMap((unit) => (unit.part === part ? [unit.text] : [])).join('');
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function ownerAt(units: readonly OwnedUnit[], part: number, at: number): XrayOwner | undefined {
  let before = 0;
  for (const unit of units.filter((one) => one.part === part)) {
    const found = unit.spans.find(({ from, to }) => before + from <= at && at < before + to);
    if (found !== undefined) return found.owner;
    before += unit.text.length;
  }
  return undefined;
}
