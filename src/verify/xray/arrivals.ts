// Which texts of hooks reached the model whole, in part or not at all. Pure.

import { type OwnedRequest, ownerKey } from './attribute.ts';
import { type Coverage, coverage } from './coverage.ts';
import type { XrayFinding } from './findings.ts';
import { grouped } from './grouped.ts';
import { hasFailed, runTexts } from './hook-output.ts';
import type { XrayOwner, XrayRecording } from './recording.ts';

/** Less is missing than the agent trims at the ends. */
const WHOLE_SHARE = 0.98;

interface Arrived extends Coverage {
  readonly owner: XrayOwner;
  readonly event: string;
  readonly of: number;
  readonly isPlain: boolean;
}

const NOTHING: Coverage = { characters: 0, at: 0 };

export function arrivals({ hooks, runs }: XrayRecording, requests: readonly OwnedRequest[]): readonly XrayFinding[] {
  const lastAt = Math.max(0, ...requests.map(({ request }) => request.at));
  const texts = runs.map((run) => runTexts(run));
  const said = texts.map((own) => own.map(({ text }) => text).join('\n'));
  const given = runs.map((_, number) => {
    const printed = (texts[number] ?? []).map(({ text }) => text).join('');
    return best(requests.map((one) => coverage(one, printed, ({ run }) => run === number)));
  });
  const arrived = runs.flatMap((run, number): Arrived[] => {
    const hook = hooks.find(({ id }) => id === run.hook);
    const own = texts[number] ?? [];
    const of = own.reduce((sum, { text }) => sum + text.length, 0);
    // Without a request after it there was nothing to arrive in; what a failed hook printed is not expected to.
    if (hook === undefined || of === 0 || run.at + run.ms >= lastAt || hasFailed(run)) return [];
    // Another run said the same, and what stands in a request is counted to that one.
    const same = best(given.filter((_, other) => said[other] === said[number]));
    const isPlain = own.every(({ isContext }) => !isContext);
    return [{ owner: hook.owner, event: hook.event, of, isPlain, ...best([given[number] ?? NOTHING, same]) }];
  });
  return grouped(arrived, ({ owner, event }) => `${ownerKey(owner)} ${event}`).flatMap((all) => [
    ...lostOf(all),
    ...cutOf(all),
  ]);
}

function lostOf(all: readonly Arrived[]): readonly XrayFinding[] {
  const lost = all.filter(({ characters }) => characters === 0);
  const [first] = lost;
  if (first === undefined) return [];
  const { owner, event, of, isPlain } = first;
  return [{ kind: 'lost', owner, event, characters: of, times: lost.length, isPlain }];
}

/** The run of which most is missing stands for all of them. */
function cutOf(all: readonly Arrived[]): readonly XrayFinding[] {
  const cut = all.filter(({ characters, of }) => characters > 0 && characters < WHOLE_SHARE * of);
  const [worst] = [...cut].sort((a, b) => b.of - b.characters - (a.of - a.characters));
  if (worst === undefined) return [];
  const { owner, event, characters, of, at } = worst;
  return [{ kind: 'cut', owner, event, characters, of, at, times: cut.length }];
}

function best(all: readonly Coverage[]): Coverage {
  return all.reduce((most, one) => (one.characters > most.characters ? one : most), NOTHING);
}
