// Which requests keep the one before whole at their beginning, so that a service finds it in its cache, and who broke it where not. By the
// rules of each service (kept-prefix.ts). Pure.

import { keptPrefix, type RequestPlace, requestParts } from '../kept-prefix.ts';
import { isBrought, type OwnedRequest, type OwnedUnit, UNKNOWN } from './attribute.ts';
import type { XrayMoment, XrayOwner } from './recording.ts';
import { lengthOf } from './units.ts';

export interface CacheStep {
  readonly from: XrayMoment;
  readonly to: XrayMoment;
  /** Characters of the earlier request that stand unchanged at the beginning of the later one. */
  readonly kept: number;
  readonly of: number;
  /** Absent when all of it is kept. */
  readonly broken?: CacheBreak;
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
  const turns = requests.filter(({ request }) => request.isMain);
  const inSession = turns.filter(({ request }) => !NO_STEP.includes(request.moment));
  const steps = inSession.slice(1).flatMap((later, index) => step(inSession[index], later));
  const again = turns.find(({ request }) => request.moment === 'new session');
  return [...steps, ...(again === undefined ? [] : step(inSession[0], again))];
}

function step(earlier: OwnedRequest | undefined, later: OwnedRequest): readonly CacheStep[] {
  if (earlier === undefined || earlier.request.protocol !== later.request.protocol) return [];
  const { protocol } = later.request;
  const [before, after] = [earlier, later].map(({ request }) => requestParts(protocol, request.body));
  const { broken } = keptPrefix(protocol, before ?? [], after ?? []);
  const moments = { from: earlier.request.moment, to: later.request.moment };
  const of = lengthOf(earlier.units);
  if (broken === undefined) return [{ ...moments, kept: of, of }];
  const upTo = earlier.units.filter(({ part }) => part < broken.part);
  const at = firstDifference(textOf(earlier.units, broken.part), textOf(later.units, broken.part));
  const kept = lengthOf(upTo) + (protocol === 'anthropic' ? 0 : at);
  const [was, is] = [ownerAt(earlier.units, broken.part, at), ownerAt(later.units, broken.part, at)];
  const owner = [is, was].find((one) => one !== undefined && isBrought(one)) ?? is ?? was ?? UNKNOWN;
  return [{ ...moments, kept, of, broken: { place: broken.place, character: lengthOf(upTo) + at, owner } }];
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
