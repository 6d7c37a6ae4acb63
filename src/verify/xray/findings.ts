// What is wrong with a set-up, from what was recorded: texts that never arrived, were cut or said twice, hooks that are slow or failed,
// servers that did not start, breaks of the cached prefix. The most important first. Pure.

import { arrivals } from './arrivals.ts';
import { isBrought, type OwnedRequest, ownerKey, partsOf } from './attribute.ts';
import { type CacheStep, lostIn } from './cache.ts';
import { grouped } from './grouped.ts';
import { isFailed } from './hook-output.ts';
import { cutFiles } from './loaded-files.ts';
import type { XrayMoment, XrayOwner, XrayRecording } from './recording.ts';
import { lengthOf } from './units.ts';

export type XrayFinding =
  | {
      readonly kind: 'lost';
      readonly owner: XrayOwner;
      readonly event: string;
      readonly characters: number;
      readonly times: number;
      readonly isPlain: boolean;
    }
  | {
      readonly kind: 'cut';
      readonly owner: XrayOwner;
      /** When a hook printed it; absent for an instruction file. */
      readonly event?: string;
      readonly characters: number;
      readonly of: number;
      readonly at: number;
      readonly times: number;
    }
  | {
      readonly kind: 'twice';
      readonly owners: readonly XrayOwner[];
      readonly characters: number;
      readonly moment: XrayMoment;
    }
  | {
      readonly kind: 'slow';
      readonly owner: XrayOwner;
      readonly event: string;
      readonly ms: number;
      readonly times: number;
    }
  | {
      readonly kind: 'failed';
      readonly owner: XrayOwner;
      readonly event: string;
      readonly exitCode: number | null;
      readonly said: string;
      readonly times: number;
      /** The agent went on without it. */
      readonly isUnended?: true;
    }
  | { readonly kind: 'skipped'; readonly owner: XrayOwner; readonly event: string; readonly why: string }
  | { readonly kind: 'server-failed'; readonly owner: XrayOwner; readonly said: string }
  | { readonly kind: 'not-measured'; readonly owner: XrayOwner; readonly why: string }
  | { readonly kind: 'cache'; readonly owner: XrayOwner; readonly step: CacheStep; readonly times: number }
  | { readonly kind: 'large'; readonly owner: XrayOwner; readonly tokens: number; readonly share: number }
  | { readonly kind: 'unknown'; readonly characters: number; readonly share: number; readonly moment: XrayMoment };

export type XrayFindingKind = XrayFinding['kind'];

/** Worst first. */
const ORDER: readonly XrayFindingKind[] = [
  'cache',
  'cut',
  'lost',
  'skipped',
  'server-failed',
  'twice',
  'failed',
  'slow',
  'large',
  'not-measured',
  'unknown',
];

/** A person waits this long for it at every event. */
const SLOW_MS = 1000;
/** A repeated line of fewer characters costs nothing. */
const LEAST_AGAIN = 40;
/** Of what stands before the first word of the person. */
const LARGE_SHARE = 0.1;
const LARGE_TOKENS = 250;
const UNKNOWN_SHARE = 0.01;

export function findingsOf(
  recording: XrayRecording,
  requests: readonly OwnedRequest[],
  steps: readonly CacheStep[],
): readonly XrayFinding[] {
  const found = [
    ...cacheBreaks(steps),
    ...arrivals(recording, requests),
    ...cutFiles(recording, requests),
    ...recording.hooks.flatMap((hook): XrayFinding[] =>
      hook.skipped === undefined ? [] : [{ kind: 'skipped', owner: hook.owner, event: hook.event, why: hook.skipped }],
    ),
    ...servers(recording),
    ...saidTwice(requests),
    ...faults(recording),
    ...large(requests),
    ...unowned(requests),
  ];
  return found.sort((a, b) => rankOf(a) - rankOf(b) || weightOf(b) - weightOf(a));
}

/** A plain text may be a log, which nobody misses. */
function rankOf(finding: XrayFinding): number {
  const isLog = finding.kind === 'lost' && finding.isPlain;
  return ORDER.indexOf(isLog ? 'slow' : finding.kind);
}

function weightOf(finding: XrayFinding): number {
  if (finding.kind === 'cut') return finding.of - finding.characters;
  if (finding.kind === 'cache') return lostIn(finding.step);
  if (finding.kind === 'slow') return finding.ms;
  return 'characters' in finding ? finding.characters : 'tokens' in finding ? finding.tokens : 0;
}

/** One for each owner: the one that costs most. The agent's own are none that a person could change. */
function cacheBreaks(steps: readonly CacheStep[]): readonly XrayFinding[] {
  const broken = steps.flatMap(({ behind, ...step }) => {
    const { found: _found, ...rest } = step;
    const all = [step, ...(behind === undefined ? [] : [{ ...rest, kept: behind.character, broken: behind }])];
    return all.flatMap((one) => (one.broken === undefined ? [] : [{ step: one, owner: one.broken.owner }]));
  });
  const own = broken.filter(({ owner }) => isBrought(owner));
  return grouped(own, ({ owner }) => ownerKey(owner)).map(([first, ...others]) => {
    const all = [first, ...others];
    const worst = all.reduce((most, one) => (lostIn(one.step) > lostIn(most.step) ? one : most));
    return { kind: 'cache', owner: first.owner, step: worst.step, times: all.length };
  });
}

/** In the fullest request before a compaction: the same lines from two owners, or from one again and again. */
function saidTwice(requests: readonly OwnedRequest[]): readonly XrayFinding[] {
  const [fullest] = requests
    .filter(({ request }) => request.isMain && request.moment !== 'after compaction')
    .sort((a, b) => lengthOf(b.units) - lengthOf(a.units));
  if (fullest === undefined) return [];
  const seen = new Map<string, XrayOwner>();
  const again: { readonly owners: readonly XrayOwner[]; readonly characters: number }[] = [];
  for (const { owner, text } of linesOf(fullest)) {
    const first = seen.get(text);
    if (first === undefined) seen.set(text, owner);
    else
      again.push({ owners: ownerKey(first) === ownerKey(owner) ? [owner] : [first, owner], characters: text.length });
  }
  const { moment } = fullest.request;
  return grouped(again, ({ owners }) => owners.map(ownerKey).sort().join()).map((all) => ({
    kind: 'twice',
    owners: all[0].owners,
    characters: all.reduce((sum, { characters }) => sum + characters, 0),
    moment,
  }));
}

function linesOf({ units }: OwnedRequest): readonly { readonly owner: XrayOwner; readonly text: string }[] {
  return units
    .filter(({ place }) => place !== 'tools')
    .flatMap(({ text, spans }) =>
      spans
        .filter(({ owner, isFrame }) => isBrought(owner) && isFrame !== true)
        .flatMap(({ owner, from, to }) =>
          text
            .slice(from, to)
            .split('\n')
            .map((line) => ({ owner, text: line.trim() })),
        ),
    )
    .filter(({ text }) => text.length >= LEAST_AGAIN);
}

function faults({ hooks, runs, requests }: XrayRecording): readonly XrayFinding[] {
  return hooks.flatMap((hook): XrayFinding[] => {
    const { id, owner, event, isAsync } = hook;
    const own = runs.filter((run) => run.hook === id);
    const failed = own.filter((run) => isFailed(run, hook, requests));
    const slow = isAsync === true ? [] : own.filter(({ ms }) => ms >= SLOW_MS);
    const [first] = failed;
    return [
      ...(first === undefined
        ? []
        : [
            {
              kind: 'failed' as const,
              owner,
              event,
              exitCode: first.exitCode,
              said: lastLine(first.stderr || first.stdout),
              times: failed.length,
              ...(first.isUnended === true ? { isUnended: true as const } : {}),
            },
          ]),
      ...(slow.length === 0
        ? []
        : [{ kind: 'slow' as const, owner, event, ms: Math.max(...slow.map(({ ms }) => ms)), times: slow.length }]),
    ];
  });
}

function servers({ servers: all, serverRuns }: XrayRecording): readonly XrayFinding[] {
  return all.flatMap(({ name, owner, notMeasured }): XrayFinding[] => {
    if (notMeasured !== undefined) return [{ kind: 'not-measured', owner, why: notMeasured }];
    const own = serverRuns.filter(({ server }) => server === name);
    if (own.length === 0 || own.some(({ tools }) => tools !== undefined)) return [];
    return [{ kind: 'server-failed', owner, said: lastLine(own[0]?.stderr ?? '') }];
  });
}

function large(requests: readonly OwnedRequest[]): readonly XrayFinding[] {
  const [first] = requests.filter(({ request }) => request.isMain);
  if (first === undefined) return [];
  const all = lengthOf(first.units);
  return partsOf(first).flatMap(({ owner, characters, tokens }): XrayFinding[] =>
    isBrought(owner) && tokens >= LARGE_TOKENS && characters >= LARGE_SHARE * all
      ? [{ kind: 'large', owner, tokens, share: characters / all }]
      : [],
  );
}

function unowned(requests: readonly OwnedRequest[]): readonly XrayFinding[] {
  const shares = requests.map((one) => {
    const characters = partsOf(one).find(({ owner }) => owner.kind === 'unknown')?.characters ?? 0;
    return { characters, share: characters / Math.max(1, lengthOf(one.units)), moment: one.request.moment };
  });
  const worst = shares.reduce((most, one) => (one.share > most.share ? one : most), {
    characters: 0,
    share: 0,
    moment: 'first prompt' as XrayMoment,
  });
  return worst.share > UNKNOWN_SHARE ? [{ kind: 'unknown', ...worst }] : [];
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim().slice(0, 200) ?? '';
}
