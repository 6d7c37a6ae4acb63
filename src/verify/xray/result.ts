// The result of an xray as a value: per request every part with its owner, what ran, the steps of the cache, what was found. It is what
// `--json` prints, what a page shows, and what the next xray is compared with. Pure.

import { makeRedactor, type Redactor } from '../../kernel/redact.ts';
import { safeText } from '../../kernel/safe-text.ts';
import { attribute, isBrought, type OwnedPart, type OwnedRequest, ownerKey, partsOf, toolOf } from './attribute.ts';
import { type CacheStep, cacheSteps } from './cache.ts';
import { type KeptWithout, keptWithoutEach } from './cache-without.ts';
import { findingsOf, type XrayFinding } from './findings.ts';
import { grouped } from './grouped.ts';
import { isFailed, runTexts } from './hook-output.ts';
import type { XrayMoment, XrayOwner, XrayRecording } from './recording.ts';
import { lengthOf } from './units.ts';

export interface XrayResult {
  readonly agent: string;
  readonly version: string;
  readonly requests: readonly XrayRequestParts[];
  readonly hooks: readonly HookSummary[];
  readonly servers: readonly ServerSummary[];
  readonly cache: {
    readonly steps: readonly CacheStep[];
    /** The same steps without the set-up. */
    readonly without: readonly CacheStep[];
    /** And with all but one owner of it. */
    readonly withoutEach: readonly KeptWithout[];
  };
  readonly findings: readonly XrayFinding[];
  /** Steps that did not come about. */
  readonly missed: readonly { readonly moment: XrayMoment; readonly why: string }[];
}

export interface XrayRequestParts {
  readonly moment: XrayMoment;
  readonly isMain: boolean;
  readonly characters: number;
  readonly tokens: number;
  readonly parts: readonly OwnedPart[];
  /** What stands under `unknown`, the longest first. */
  readonly unknown?: readonly UnknownStretch[];
}

export interface UnknownStretch {
  readonly characters: number;
  /** On one line, without secrets. */
  readonly begins: string;
}

/** Of one request: they show what it is, not all of it. */
const MOST_STRETCHES = 50;
const BEGINS = 80;

export interface HookSummary {
  readonly owner: XrayOwner;
  readonly event: string;
  readonly file: string;
  readonly runs: number;
  readonly longestMs: number;
  readonly failed: number;
  /** For the model, in all runs. */
  readonly printed: number;
}

export interface ServerSummary {
  readonly owner: XrayOwner;
  readonly file: string;
  readonly tools: number;
  readonly readyMs?: number;
  readonly notMeasured?: string;
}

/** `redact`: takes secrets out of a text; before it is shortened, because half of one is not recognised. */
export function resultOf(
  recording: XrayRecording,
  missed: XrayResult['missed'],
  redact: Redactor = makeRedactor([]),
): XrayResult {
  const requests = attribute(recording);
  const steps = cacheSteps(requests);
  const alone = attribute({ ...recording, requests: recording.baseline });
  return {
    agent: recording.agent,
    version: recording.version,
    requests: requests.map((one) => partsOfRequest(one, redact)),
    hooks: hookRows(recording),
    servers: serverRows(recording),
    cache: { steps, without: cacheSteps(alone), withoutEach: keptWithoutEach(requests) },
    findings: findingsOf(recording, requests, steps),
    missed,
  };
}

function partsOfRequest(one: OwnedRequest, redact: Redactor): XrayRequestParts {
  const characters = lengthOf(one.units);
  const { moment, isMain } = one.request;
  const unknown = unknownIn(one, redact);
  const more = unknown.length === 0 ? {} : { unknown };
  return { moment, isMain, characters, tokens: Math.ceil(characters / 4), parts: partsOf(one), ...more };
}

function unknownIn({ units }: OwnedRequest, redact: Redactor): readonly UnknownStretch[] {
  return units
    .flatMap(({ text, spans }) =>
      spans.flatMap(({ owner, from, to }) => (owner.kind === 'unknown' ? [text.slice(from, to)] : [])),
    )
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_STRETCHES)
    .map((text) => ({ characters: text.length, begins: beginningOf(redact(text)) }));
}

function beginningOf(text: string): string {
  const line = safeText(text).replace(/\s+/g, ' ').trim();
  // By whole characters: half of a pair is none.
  return [...line.slice(0, 2 * BEGINS)].slice(0, BEGINS).join('');
}

function hookRows({ hooks, runs, requests }: XrayRecording): readonly HookSummary[] {
  return hooks.map((hook) => {
    const { id, owner, event, file } = hook;
    const own = runs.filter((run) => run.hook === id);
    return {
      owner,
      event,
      file,
      runs: own.length,
      longestMs: Math.max(0, ...own.map(({ ms }) => ms)),
      failed: own.filter((run) => isFailed(run, hook, requests)).length,
      printed: own.flatMap(runTexts).reduce((sum, { text }) => sum + text.length, 0),
    };
  });
}

function serverRows({ servers, serverRuns }: XrayRecording): readonly ServerSummary[] {
  return servers.map(({ name, owner, file, notMeasured }) => {
    const own = serverRuns.find(({ server, tools }) => server === name && tools !== undefined);
    return {
      owner,
      file,
      tools: own?.tools?.length ?? 0,
      ...(own?.readyMs === undefined ? {} : { readyMs: own.readyMs }),
      ...(notMeasured === undefined ? {} : { notMeasured }),
    };
  });
}

/** What stood before the model with the person's first words, by owner. */
export interface XrayTotals {
  readonly tokens: number;
  readonly owners: readonly { readonly owner: XrayOwner; readonly tokens: number }[];
}

export function totalsOf({ requests }: Pick<XrayResult, 'requests'>): XrayTotals {
  const first = requests.find(({ isMain }) => isMain);
  const owners = (first?.parts ?? []).map(({ owner, tokens }) => ({ owner, tokens }));
  return { tokens: first?.tokens ?? 0, owners };
}

export interface XrayChange {
  /** A plug-in for all that it brings. */
  readonly owner: XrayOwner;
  /** More or fewer than before. */
  readonly tokens: number;
}

/** By tool, the largest change first; fewer tokens than this are noise (a path, a date). */
const LEAST_CHANGE = 10;

export function changesSince(before: XrayTotals, now: XrayTotals): readonly XrayChange[] {
  const all = [...now.owners, ...before.owners.map(({ owner, tokens }) => ({ owner, tokens: -tokens }))];
  return grouped(all, ({ owner }) => ownerKey(toolOf(owner)))
    .map((own) => ({ owner: toolOf(own[0].owner), tokens: own.reduce((sum, { tokens }) => sum + tokens, 0) }))
    .filter(({ owner, tokens }) => Math.abs(tokens) >= LEAST_CHANGE && (isBrought(owner) || owner.kind === 'agent'))
    .sort((a, b) => Math.abs(b.tokens) - Math.abs(a.tokens));
}
