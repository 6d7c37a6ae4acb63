// What the cache would keep if one owner of the set-up were left out: its parts are taken out of both requests, with what the agent wrote
// around them, and the rest is compared by the same rules of the service. Pure.

import { type RequestPart, requestParts } from '../kept-prefix.ts';
import { isBrought, type OwnedRequest, type OwnedUnit, ownerKey } from './attribute.ts';
import { cachePairs, cacheStep } from './cache.ts';
import type { XrayMoment, XrayOwner } from './recording.ts';

export interface KeptWithout {
  readonly from: XrayMoment;
  readonly to: XrayMoment;
  /** Who is left out. */
  readonly owner: XrayOwner;
  /** Characters of the earlier request without the owner that stand unchanged at the beginning of the later one. */
  readonly kept: number;
  readonly of: number;
  /** Characters of everybody else that are kept more than with the owner. */
  readonly gained: number;
}

/** For each step of the cache and each owner of the set-up in it. */
export function keptWithoutEach(requests: readonly OwnedRequest[]): readonly KeptWithout[] {
  return cachePairs(requests).flatMap(([earlier, later]) => {
    const now = cacheStep(earlier, later).kept;
    return ownersIn([earlier, later]).map((owner) => {
      const { kept, of } = keptWithout(earlier, later, ownerKey(owner));
      const gained = kept - (now - ownIn(earlier.units, now, ownerKey(owner)));
      return { from: earlier.request.moment, to: later.request.moment, owner, kept, of, gained };
    });
  });
}

/** Characters of an owner among the first ones of a request. */
function ownIn(units: readonly OwnedUnit[], first: number, key: string): number {
  let [before, own] = [0, 0];
  for (const { text, spans } of units) {
    for (const { owner, from, to } of spans)
      if (ownerKey(owner) === key) own += Math.max(0, Math.min(first, before + to) - Math.min(first, before + from));
    before += text.length;
  }
  return own;
}

function ownersIn(requests: readonly OwnedRequest[]): readonly XrayOwner[] {
  const spans = requests.flatMap(({ units }) => units.flatMap((unit) => unit.spans));
  return [...new Map(spans.map(({ owner }) => [ownerKey(owner), owner])).values()].filter(isBrought);
}

function keptWithout(earlier: OwnedRequest, later: OwnedRequest, key: string): Pick<KeptWithout, 'kept' | 'of'> {
  const [before, after] = [partsWithout(earlier, key), partsWithout(later, key)];
  const of = readLength(before);
  const at = before.findIndex((part, index) => !isSame(part, after[index]));
  if (at === -1) return { kept: of, of };
  const [was, is] = [before[at], after[at]];
  const isInside = later.request.protocol !== 'anthropic' && was?.part.place === is?.part.place;
  return { kept: readLength(before.slice(0, at)) + (isInside ? sameBeginning(was?.read, is?.read) : 0), of };
}

interface PartLeft {
  readonly part: RequestPart;
  /** What the model reads of it, without the owner's. */
  readonly read: string;
  readonly isTouched: boolean;
}

/** A part of which nothing is left is not there. */
function partsWithout({ request, units }: OwnedRequest, key: string): readonly PartLeft[] {
  return requestParts(request.protocol, request.body).flatMap((part, number) => {
    const own = units.filter((unit) => unit.part === number);
    const isTouched = own.some(({ spans }) => spans.some(({ owner }) => ownerKey(owner) === key));
    const read = own.map((unit) => textWithout(unit, key)).join('');
    return isTouched && read.trim() === '' ? [] : [{ part, read, isTouched }];
  });
}

function textWithout({ text, spans }: OwnedUnit, key: string): string {
  return spans.flatMap(({ owner, from, to }) => (ownerKey(owner) === key ? [] : [text.slice(from, to)])).join('');
}

/** A part that the owner has no share in is compared as it was sent. */
function isSame(one: PartLeft, other: PartLeft | undefined): boolean {
  if (other === undefined || one.part.place !== other.part.place) return false;
  if (!one.isTouched && !other.isTouched) return one.part.text === other.part.text;
  return one.part.role === other.part.role && one.read === other.read;
}

function readLength(parts: readonly PartLeft[]): number {
  return parts.reduce((sum, { read }) => sum + read.length, 0);
}

function sameBeginning(one = '', other = ''): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
