// An xray in words and tables, for a terminal and for a page alike. Pure.

import type { AuditTable } from '../audit/text.ts';
import { isBrought, toolOf } from './attribute.ts';
import { lostIn } from './cache.ts';
import type { XrayFinding } from './findings.ts';
import type { XrayOwner } from './recording.ts';
import { totalsOf, type XrayChange, type XrayResult } from './result.ts';

const LONGEST_NAME = 90;
const LONGEST_END = 60;
/** In characters: less is no reason to leave something out. */
const LEAST_GAIN = 40;

export function ownerText({ kind, name, plugIn }: XrayOwner): string {
  const short = shortName(onOneLine(name));
  const of = plugIn === undefined ? '' : ` of the plug-in ${onOneLine(plugIn)}`;
  switch (kind) {
    case 'agent':
      return `${short} itself`;
    case 'hook':
      return `the hook "${short}"${of}`;
    case 'server':
      return `the MCP server ${short}${of}`;
    case 'plug-in':
      return `the plug-in ${short}`;
    case 'foreword':
      return 'foreword';
    default:
      return short;
  }
}

/** Of a long line the end says most: which program it runs, and with which words. */
function shortName(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  return `${name.slice(0, LONGEST_NAME - LONGEST_END)}…${name.slice(-LONGEST_END)}`;
}

/** One sentence each, the most important first. */
export function xrayLines({ findings }: Pick<XrayResult, 'findings'>): readonly string[] {
  return findings.map((finding) => onOneLine(findingText(finding)));
}

function findingText(finding: XrayFinding): string {
  const who = 'owner' in finding ? capital(ownerText(finding.owner)) : '';
  switch (finding.kind) {
    case 'cache': {
      const { step } = finding;
      const lost = number(Math.ceil(lostIn(step) / 4));
      const when =
        step.to === 'new session'
          ? 'every new session pays again'
          : `from "${step.from}" to "${step.to}" you pay again`;
      return `${who} breaks the prompt cache at character ${number(step.broken?.character ?? 0)} (${step.broken?.place}): ${when} for about ${lost} tokens that were cached.`;
    }
    case 'cut':
      if (finding.event === undefined)
        return `The file ${ownerText(finding.owner)} has ${number(finding.of)} characters; the model got ${number(finding.characters)} of them.`;
      return `${who} printed ${number(finding.of)} characters at ${finding.event}; the model got ${number(finding.characters)} of them, cut at character ${number(finding.at)}${times(finding.times)}.`;
    case 'lost':
      return `${who} printed ${number(finding.characters)} characters ${finding.isPlain ? '' : 'of context '}at ${finding.event}; none of them reached the model${times(finding.times)}.`;
    case 'skipped':
      return `${who} at ${finding.event} does not run: ${finding.why}.`;
    case 'server-failed':
      return `${who} gave no list of tools${finding.said === '' ? '' : `: ${finding.said}`}. Without a network it may not work; it was not measured.`;
    case 'twice': {
      const [one, other] = finding.owners;
      if (one === undefined) return '';
      const size = `${number(finding.characters)} characters`;
      if (other === undefined)
        return `${capital(ownerText(one))} says the same again and again: ${size} of one request are repetition.`;
      return `${capital(ownerText(one))} and ${ownerText(other)} say the same: ${size} stand before the model twice.`;
    }
    case 'failed':
      if (finding.isUnended === true)
        return `${who} did not end at ${finding.event}${times(finding.times)}; the agent went on without it.`;
      return `${who} failed at ${finding.event} with ${finding.exitCode === null ? 'a signal' : `exit code ${finding.exitCode}`}${times(finding.times)}${finding.said === '' ? '' : `: ${finding.said}`}.`;
    case 'slow':
      return `${who} took ${(finding.ms / 1000).toFixed(1)} s at ${finding.event}${times(finding.times)}; the agent waits for it.`;
    case 'large':
      return `${who} takes ${number(finding.tokens)} tokens, ${percent(finding.share)} of what stands before the model at your first word.`;
    case 'not-measured':
      return `${who} was not measured: ${finding.why}.`;
    case 'unknown':
      return `${number(finding.characters)} characters (${percent(finding.share)}) of the request "${finding.moment}" have no known owner.`;
  }
}

/** What the person should read first. */
export function headline(result: XrayResult): string {
  const [worst] = result.findings;
  if (worst?.kind === 'slow') return waitingText(result, worst.owner);
  return (
    xrayLines(result)[0] ??
    `${capital(result.agent)} ${result.version}: nothing was lost, cut, repeated or slow. ${sizeText(result)}`
  );
}

/** All that one tool costs: a person does not know it of any of its hooks alone. */
function waitingText({ findings, requests }: XrayResult, slowest: XrayOwner): string {
  const tool = toolOf(slowest);
  const isOwn = (owner: XrayOwner) => ownerText(toolOf(owner)) === ownerText(tool);
  const longest = new Map<string, number>();
  for (const one of findings)
    if (one.kind === 'slow' && isOwn(one.owner)) longest.set(one.event, Math.max(longest.get(one.event) ?? 0, one.ms));
  const waits = [...longest].map(([event, ms]) => `${(ms / 1000).toFixed(1)} s at ${event}`);
  const first = requests.find(({ isMain }) => isMain);
  const size = (first?.parts ?? []).reduce((sum, one) => sum + (isOwn(one.owner) ? one.characters : 0), 0);
  const share = percent(size / Math.max(1, first?.characters ?? 1));
  const brings =
    size === 0
      ? 'puts nothing before the model'
      : `takes ${number(Math.ceil(size / 4))} tokens, ${share} of what stands before the model at your first word`;
  return `${capital(ownerText(tool))} keeps you waiting: up to ${listText(waits)}, and ${brings}.`;
}

function listText(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export function sizeText(result: XrayResult): string {
  const { tokens, owners } = totalsOf(result);
  const brought = owners.filter(({ owner }) => isBrought(owner)).reduce((sum, one) => sum + one.tokens, 0);
  const [most] = owners.filter(({ owner }) => isBrought(owner));
  const rest = most === undefined ? '' : `, most of it by ${ownerText(most.owner)} (${number(most.tokens)})`;
  return `With your first word the model is given ${number(tokens)} tokens; your set-up brings ${number(brought)} of them${rest}.`;
}

export function sinceText(changes: readonly XrayChange[], when: string): string {
  const named = changes
    .slice(0, 3)
    .map(({ owner, tokens }) => `${tokens > 0 ? '+' : ''}${number(tokens)} tokens by ${ownerText(owner)}`);
  return `Since your last xray (${when}): ${named.length === 0 ? 'no change in size' : named.join(', ')}.`;
}

export function xrayTables(result: XrayResult): readonly AuditTable[] {
  const main = result.requests.filter(({ isMain }) => isMain);
  const [first] = main;
  const { steps, without } = result.cache;
  const isMarked = steps.some(({ found }) => found !== undefined);
  return [
    { title: 'Before the model at your first word', ...partsTable(first) },
    {
      title: 'Every request',
      head: ['request', 'tokens', 'the agent', 'your set-up', 'conversation', 'unknown'],
      rows: result.requests.map(({ moment, isMain, tokens, parts }) => [
        isMain ? moment : `${moment} (beside)`,
        tokens,
        ...sums(parts),
      ]),
    },
    {
      title: 'Hooks',
      head: ['event', 'ran', 'failed', 'longest', 'printed', 'hook'],
      rows: result.hooks.map((one) => [
        one.event,
        one.runs,
        one.failed,
        `${one.longestMs} ms`,
        one.printed,
        ownerText(one.owner),
      ]),
    },
    {
      title: 'MCP servers',
      head: ['tools', 'ready after', 'server'],
      rows: result.servers.map((one) => [
        one.tools,
        one.readyMs === undefined ? (one.notMeasured ?? 'never') : `${one.readyMs} ms`,
        ownerText(one.owner),
      ]),
    },
    {
      title: 'What the prompt cache keeps',
      head: ['from', 'to', 'kept', ...(isMarked ? ['found'] : []), 'of', 'without your set-up', 'broken by'],
      rows: steps.map((step, index) => [
        step.from,
        step.to,
        step.kept,
        ...(isMarked ? [step.found ?? step.kept] : []),
        step.of,
        without[index] === undefined ? '-' : percent(shareOf(without[index])),
        step.broken === undefined ? '-' : `${ownerText(step.broken.owner)}, character ${number(step.broken.character)}`,
      ]),
    },
    {
      title: 'What the prompt cache would keep with one of them left out',
      head: ['left out', 'from', 'to', 'tokens kept more', 'kept in all'],
      rows: withoutRows(result.cache),
    },
  ].filter(({ rows }) => rows.length > 0);
}

/** The rows add up to the request. */
export function partsTable(request: XrayResult['requests'][number] | undefined): Omit<AuditTable, 'title'> {
  const { parts = [], characters: all = 0 } = request ?? {};
  const rows = parts.map(({ owner, characters, tokens }) => [
    tokens,
    characters,
    percent(characters / Math.max(1, all)),
    ownerText(owner),
  ]);
  return { head: ['tokens', 'characters', 'share', 'owner'], rows };
}

/** Only owners that make a difference, the largest first. */
function withoutRows({ withoutEach }: XrayResult['cache']): AuditTable['rows'] {
  return withoutEach
    .filter(({ gained }) => gained >= LEAST_GAIN)
    .sort((a, b) => b.gained - a.gained)
    .map(({ from, to, owner, kept, of, gained }) => [
      ownerText(owner),
      from,
      to,
      Math.ceil(gained / 4),
      percent(shareOf({ kept, of })),
    ]);
}

function shareOf({ kept, of }: { readonly kept: number; readonly of: number }): number {
  return kept / Math.max(1, of);
}

/** Of the agent, the set-up, the conversation and nobody, in tokens. */
function sums(parts: XrayResult['requests'][number]['parts']): readonly number[] {
  const of = (isWanted: (owner: XrayOwner) => boolean) =>
    parts.filter(({ owner }) => isWanted(owner)).reduce((sum, { tokens }) => sum + tokens, 0);
  return [
    of(({ kind }) => kind === 'agent'),
    of(isBrought),
    of(({ kind }) => kind === 'conversation'),
    of(({ kind }) => kind === 'unknown'),
  ];
}

export function xrayNotes({ missed }: Pick<XrayResult, 'missed'>): readonly string[] {
  return [
    ...missed.map(({ moment, why }) => `The step "${moment}" did not come about: the agent ${why}.`),
    'Tokens are estimated as characters / 4. A share of a part includes what the agent writes around it.',
  ];
}

/** What a set-up says must not look like a line of ours. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function times(count: number): string {
  return count === 1 ? '' : `, ${count} times`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
