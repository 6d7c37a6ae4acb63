// Who put each character of a request before the model. The parts of a request always add up to the request: what nobody is known for
// stands under `unknown`. Pure.

import { findSpans, gapsBetween, indexTexts, type SpanIndex } from './find-spans.ts';
import { runTexts } from './hook-output.ts';
import type { KnownText, XrayOwner, XrayRecording, XrayRequest, XrayServer } from './recording.ts';
import { type RequestUnit, unitsOf } from './units.ts';

export interface OwnedSpan {
  readonly from: number;
  readonly to: number;
  readonly owner: XrayOwner;
  /** What the agent wrote around a text: it is there because of the text. */
  readonly isFrame?: true;
  /** The run of a hook that printed it. */
  readonly run?: number;
  /** The number of the known text of a file that the agent loads. */
  readonly file?: number;
  /** Where it begins in what was printed, or in the file. */
  readonly at?: number;
}

export interface OwnedUnit extends RequestUnit {
  /** From the first character to the last, without a gap. */
  readonly spans: readonly OwnedSpan[];
}

export interface OwnedRequest {
  readonly request: XrayRequest;
  readonly units: readonly OwnedUnit[];
}

/** Longer, it is a text of its own and not the words around one. */
const LONGEST_FRAME = 480;
/** A path, a date, an id within what the agent always says. */
const LONGEST_VALUE = 120;
/** A shorter stretch of what the agent always says may be a path that stands anywhere. */
const LEAST_OWN = 100;

export function attribute(recording: XrayRecording): readonly OwnedRequest[] {
  const agent: XrayOwner = { kind: 'agent', name: recording.agent };
  const known = knownTexts(recording, agent);
  const index = indexTexts(known.map(({ text }) => text));
  const own = new Set(recording.baseline.flatMap((one) => unitsOf(one).map(({ text }) => text)));
  const servers = serverTools(recording);
  const failed = failedServers(recording);
  return recording.requests.map((request) => {
    const times = new Map<string, number>();
    const spansOf = (unit: RequestUnit): readonly OwnedSpan[] => {
      if (unit.place === 'tools') {
        const server = servers(unit.tool ?? '');
        if (server !== undefined) return [{ from: 0, to: unit.text.length, owner: server }];
      }
      if (unit.role === 'assistant' || unit.role === 'call') return whole(unit, CONVERSATION);
      const isOwn = own.has(unit.text) && !recording.said.some((text) => unit.text.includes(text));
      if (isOwn && unit.role !== 'tool') return whole(unit, agent);
      const rest = unit.role === 'tool' ? CONVERSATION : unit.place === 'tools' ? agent : undefined;
      return filled(unit.text, found(unit.text, known, index, times), {
        agent,
        rest,
        failed,
        frames: recording.frames ?? [],
      });
    };
    return { request, units: unitsOf(request).map((unit) => ({ ...unit, spans: spansOf(unit) })) };
  });
}

const CONVERSATION: XrayOwner = { kind: 'conversation', name: 'the conversation' };
export const UNKNOWN: XrayOwner = { kind: 'unknown', name: 'unknown' };

function whole({ text }: RequestUnit, owner: XrayOwner): readonly OwnedSpan[] {
  return text === '' ? [] : [{ from: 0, to: text.length, owner }];
}

interface Known extends KnownText {
  /** The run that printed it, and where it begins in all that the run printed; or the number of the file. */
  readonly of?: { readonly run?: number; readonly file?: number; readonly start?: number };
}

function knownTexts(recording: XrayRecording, agent: XrayOwner): readonly Known[] {
  const { hooks, runs, serverRuns, servers, said, baseline, toolName } = recording;
  const owners = new Map(hooks.map(({ id, owner }) => [id, owner]));
  const printed = runs.flatMap((run, number) => {
    const owner = owners.get(run.hook);
    if (owner === undefined) return [];
    let start = 0;
    return runTexts(run).map(({ text }) => {
      const one = { owner, text, of: { run: number, start } };
      start += text.length;
      return one;
    });
  });
  const ofServers = serverRuns.flatMap(({ server, instructions, tools = [] }) => {
    const owner = servers.find(({ name }) => name === server)?.owner;
    if (owner === undefined) return [];
    const names = tools.map(({ name }) => toolName.replace('{server}', server).replace('{tool}', name));
    return [...(instructions === undefined ? [] : [instructions.trim()]), ...names].map((text) => ({ owner, text }));
  });
  const ofAgent = new Set(
    baseline.flatMap((one) => unitsOf(one).flatMap(({ text, role }) => (role === 'call' ? [] : [text]))),
  );
  return [
    ...said.map((text) => ({ owner: CONVERSATION, text })),
    ...printed,
    ...ofServers,
    ...recording.texts.map(({ owner, text, isLoaded }, file) => ({
      owner,
      text: text.trim(),
      ...(isLoaded === true ? { of: { file } } : {}),
    })),
    ...[...ofAgent].map((text) => ({ owner: agent, text })),
  ].filter(({ text }) => text !== '');
}

/** The owner of a tool by its name in requests. */
function serverTools({ servers, toolName, tools = [] }: XrayRecording): (tool: string) => XrayOwner | undefined {
  const ofServers = servers.map(({ name, owner }) => ({
    owner,
    start: toolName.slice(0, toolName.indexOf('{tool}')).replace('{server}', name),
  }));
  const groups = tools.flatMap(({ name, owner, isGroup }) => (isGroup === true ? [{ owner, start: `${name}_` }] : []));
  const starts = [...ofServers, ...groups];
  return (tool) =>
    tools.find(({ name }) => name === tool)?.owner ??
    starts.filter(({ start }) => tool.startsWith(start)).sort((a, b) => b.start.length - a.start.length)[0]?.owner;
}

/** The agent names a server that did not start to its model. */
function failedServers({ servers, serverRuns }: XrayRecording): readonly XrayServer[] {
  const started = new Set(serverRuns.flatMap(({ server, tools }) => (tools === undefined ? [] : [server])));
  return servers.filter(({ name }) => !started.has(name));
}

function found(text: string, known: readonly Known[], index: SpanIndex, times: Map<string, number>): OwnedSpan[] {
  return findSpans(text, index, times).flatMap(({ from, to, source, at }) => {
    const one = known[source];
    if (one === undefined) return [];
    const isWhole = to - from === one.text.length;
    if (one.owner.kind === 'agent' && !isWhole && to - from < LEAST_OWN) return [];
    const { start = 0, ...of } = one.of ?? {};
    return [{ from, to, owner: one.owner, ...(one.of === undefined ? {} : { ...of, at: start + at }) }];
  });
}

/** With an owner for what lies between. */
function filled(
  text: string,
  spans: readonly OwnedSpan[],
  {
    agent,
    rest,
    failed,
    frames,
  }: {
    readonly agent: XrayOwner;
    readonly rest: XrayOwner | undefined;
    readonly failed: readonly XrayServer[];
    readonly frames: readonly string[];
  },
): readonly OwnedSpan[] {
  const between = gapsBetween(spans, text.length).map(([from, to]): OwnedSpan => {
    const before = spans.find((one) => one.to === from);
    const after = spans.find((one) => one.from === to);
    const framed = [after, before].find((one) => one !== undefined && isBrought(one.owner));
    const words = text.slice(from, to).trimStart();
    const isFrame = to - from <= LONGEST_FRAME || frames.some((start) => words.startsWith(start));
    if (framed !== undefined && isFrame) return { from, to, owner: framed.owner, isFrame: true };
    if (rest !== undefined) return { from, to, owner: rest };
    const about = failed.find(({ name }) => text.slice(from, to).includes(name));
    if (about !== undefined) return { from, to, owner: about.owner, isFrame: true };
    const isValue = to - from <= LONGEST_VALUE && [before, after].some((one) => one?.owner.kind === 'agent');
    return { from, to, owner: isValue ? agent : UNKNOWN };
  });
  return [...spans, ...between].sort((a, b) => a.from - b.from);
}

/** By the set-up, not by the agent or the conversation. */
export function isBrought({ kind }: XrayOwner): boolean {
  return kind !== 'agent' && kind !== 'conversation' && kind !== 'unknown';
}

export function ownerKey({ kind, name, plugIn }: XrayOwner): string {
  return JSON.stringify([kind, name, plugIn ?? '']);
}

/** What a person installed, and could remove: a plug-in with its hooks, skills and servers is one. */
export function toolOf(owner: XrayOwner): XrayOwner {
  if (owner.kind === 'foreword') return { kind: 'foreword', name: 'foreword' };
  return owner.plugIn === undefined ? owner : { kind: 'plug-in', name: owner.plugIn };
}

export interface OwnedPart {
  readonly owner: XrayOwner;
  readonly characters: number;
  /** Of those, what the agent wrote around the texts. */
  readonly frame: number;
  /** An estimate. */
  readonly tokens: number;
}

/** The largest first; they add up to the request. */
export function partsOf({ units }: OwnedRequest): readonly OwnedPart[] {
  const sums = new Map<string, { owner: XrayOwner; characters: number; frame: number }>();
  for (const { owner, from, to, isFrame } of units.flatMap(({ spans }) => spans)) {
    const sum = sums.get(ownerKey(owner)) ?? { owner, characters: 0, frame: 0 };
    sum.characters += to - from;
    if (isFrame === true) sum.frame += to - from;
    sums.set(ownerKey(owner), sum);
  }
  return [...sums.values()]
    .map((sum) => ({ ...sum, tokens: Math.ceil(sum.characters / 4) }))
    .sort((a, b) => b.characters - a.characters);
}
