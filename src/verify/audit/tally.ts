// What all sessions add up to, by agent, version and entry point, and what was found in them. Pure; bounded, whatever the sessions
// say about themselves.

import type { EntryPoint, SetUpHook } from '../../kernel/agent-audit.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { Reoriented } from './meter.ts';
import { type Beginning, type EndedSession, type FaultKind, noCounts, type SessionCounts } from './session.ts';
import { type Spread, SpreadOf } from './spread.ts';
import { HookTraces, type Traced } from './traces.ts';

export interface AuditGroup extends Readonly<Omit<SessionCounts, 'replies'>> {
  readonly agent: string;
  readonly version: string;
  readonly entry: EntryPoint;
  readonly sessions: number;
  /** Sessions with a prompt. */
  readonly prompted: number;
  /** Of those, in which no hook left a trace. */
  readonly withoutHooks: number;
  /** Of those, that were given a text of a hook. */
  readonly told: number;
  readonly cut: number;
  readonly again: number;
  readonly lost: number;
  readonly failed: number;
  readonly slow: number;
  readonly reorientation: Readonly<Partial<Record<Beginning, MeterFigures>>>;
}

export interface MeterFigures {
  readonly beginnings: number;
  /** Of those, how many led to an edit; the figures are of these. */
  readonly edited: number;
  readonly actions?: Spread;
  readonly tokens?: Spread;
}

/** Conversations of sub-agents of one agent, and how many of them were given a text of a hook. */
export interface SubagentFigures {
  readonly agent: string;
  readonly count: number;
  readonly told: number;
}

/** The logarithm of one more than the actions before the first edit, which makes few and many comparable: its mean and variance,
 *  where a hook had told the agent something and where not. */
export interface Orientation {
  readonly by: Beginning;
  readonly told: LogFigure;
  readonly untold: LogFigure;
}

export interface LogFigure {
  /** How often there were how many. */
  readonly actions: readonly (readonly [actions: number, times: number])[];
  readonly total: number;
  readonly value?: number;
  readonly variance?: number;
}

export type FindingKind =
  | FaultKind
  | 'no-hooks'
  | 'untrusted'
  | 'modified'
  | 'sub-agents'
  | 'torn'
  | 'long'
  | 'unknown-format'
  | 'unreadable';

export interface AuditFinding {
  readonly kind: FindingKind;
  readonly agent: string;
  readonly version?: string;
  readonly entry?: EntryPoint;
  readonly event?: string;
  readonly command?: string;
  readonly during?: Beginning;
  readonly count: number;
  /** How many there are that it could be true of, where that is known. */
  readonly of?: number;
  /** One session, or file, in which it was seen. */
  readonly example?: string;
}

/** What the file itself showed, beside its records. */
export interface FileFaults {
  readonly torn: number;
  readonly long: number;
  /** Records, and those of a known kind. */
  readonly records: number;
  readonly known: number;
  /** For people. */
  readonly name: string;
}

const MOST_GROUPS = 300;
const MOST_FINDINGS = 1000;
/** Fewer records may just be the beginning. */
const LEAST_RECORDS = 3;
const COMMAND_CHARS = 160;

/** How often there were how many actions; more than MOST_ACTIONS count as so many. */
type Times = Map<number, number>;
const MOST_ACTIONS = 1000;

interface GroupName {
  readonly agent: string;
  readonly version: string;
  readonly entry: EntryPoint;
}

interface Group extends GroupName {
  readonly counts: SessionCounts;
  sessions: number;
  prompted: number;
  withoutHooks: number;
  told: number;
  readonly faults: Record<FaultKind, number>;
  readonly meters: Map<Beginning, { beginnings: number; edited: number; actions: SpreadOf; tokens: SpreadOf }>;
  readonly traces: Traced;
}

export interface AuditFigures {
  readonly groups: readonly AuditGroup[];
  readonly subagents: readonly SubagentFigures[];
  readonly orientation: readonly Orientation[];
  /** What costs most comes first. */
  readonly findings: readonly AuditFinding[];
}

export class AuditTally {
  readonly #groups = new Map<string, Group>();
  readonly #findings = new Map<string, { finding: AuditFinding; count: number }>();
  readonly #traces = new HookTraces();
  readonly #subagents = new Map<string, SubagentFigures>();
  readonly #orientation = new Map<Beginning, { readonly told: Times; readonly untold: Times }>();

  add(agent: string, ended: EndedSession, file: FileFaults): void {
    const { about, counts } = ended;
    const isUnknown = file.records >= LEAST_RECORDS && file.known === 0;
    if (file.torn > 0) this.find({ kind: 'torn', agent, example: file.name }, file.torn);
    if (file.long > 0) this.find({ kind: 'long', agent, example: file.name }, file.long);
    if (isUnknown) this.find({ kind: 'unknown-format', agent, example: file.name }, 1);
    if (file.records === 0 || isUnknown) return;
    if (about.isSubagent === true) this.#subagent(agent, counts);
    else this.#session(agent, ended, file);
  }

  #session(agent: string, ended: EndedSession, file: FileFaults): void {
    const { about, counts } = ended;
    const entry = ended.isUnattended && about.entry === undefined ? 'program' : (about.entry ?? 'unknown');
    const version = oneLine(about.version ?? 'unknown', 40) || 'unknown';
    const group = this.#group({ agent, version, entry });
    group.sessions += 1;
    for (const name of Object.keys(counts) as (keyof SessionCounts)[]) group.counts[name] += counts[name];
    for (const { count, ...fault } of ended.faults) {
      group.faults[fault.kind] += count;
      this.find({ agent, version, entry, ...fault, example: about.session ?? file.name }, count);
    }
    for (const one of ended.reoriented) {
      meter(group, one);
      this.#orient(one);
    }
    this.#trace(group, ended, about.session ?? file.name);
  }

  #orient({ by, actions, isEdited, isTold }: Reoriented): void {
    if (!isEdited) return;
    const own = this.#orientation.get(by) ?? { told: new Map(), untold: new Map() };
    this.#orientation.set(by, own);
    const times = isTold ? own.told : own.untold;
    const near = Math.min(actions, MOST_ACTIONS);
    times.set(near, (times.get(near) ?? 0) + 1);
  }

  #subagent(agent: string, { served }: SessionCounts): void {
    const { count, told } = this.#subagents.get(agent) ?? { count: 0, told: 0 };
    this.#subagents.set(agent, { agent, count: count + 1, told: told + (served > 0 ? 1 : 0) });
  }

  find(finding: Omit<AuditFinding, 'count'>, count: number): void {
    const { command, event } = finding;
    const shown = {
      ...finding,
      ...(command === undefined ? {} : { command: oneLine(command, COMMAND_CHARS) }),
      ...(event === undefined ? {} : { event: oneLine(event, 40) }),
    };
    const { example: _, ...what } = shown;
    const key = JSON.stringify(what);
    const known = this.#findings.get(key);
    if (known !== undefined) known.count += count;
    else if (this.#findings.size < MOST_FINDINGS) this.#findings.set(key, { finding: { ...shown, count }, count });
  }

  setUp(agent: string, hooks: readonly SetUpHook[]): void {
    for (const { event, command, skipped } of hooks)
      if (skipped !== undefined) this.find({ kind: skipped, agent, event, command }, 1);
  }

  end(): AuditFigures {
    for (const group of this.#groups.values()) this.#judge(group);
    for (const { agent, count, told } of this.#subagents.values())
      if (told === 0 && this.#servedBy(agent) > 0) this.find({ kind: 'sub-agents', agent }, count);
    const groups = [...this.#groups.values()].map(shownAs);
    const findings = [...this.#findings.values()].map(({ finding, count }) => ({ ...finding, count }));
    return {
      groups: groups.sort(byName),
      subagents: [...this.#subagents.values()],
      orientation: [...this.#orientation].map(([by, { told, untold }]) => ({
        by,
        told: figureOf(told),
        untold: figureOf(untold),
      })),
      findings: findings.sort((one, other) => rank(one) - rank(other)),
    };
  }

  #judge({ agent, version, entry, traces }: Group): void {
    for (const { count, ...finding } of this.#traces.judge(agent, entry, traces))
      this.find({ agent, version, entry, ...finding }, count);
  }

  #servedBy(agent: string): number {
    return [...this.#groups.values()].reduce((sum, one) => sum + (one.agent === agent ? one.counts.served : 0), 0);
  }

  #group(of: GroupName): Group {
    const isFull = this.#groups.size >= MOST_GROUPS;
    const version = isFull && !this.#groups.has(keyOf(of)) ? 'other' : of.version;
    const known = this.#groups.get(keyOf({ ...of, version }));
    if (known !== undefined) return known;
    const fresh = newGroup({ ...of, version });
    this.#groups.set(keyOf(fresh), fresh);
    return fresh;
  }

  #trace(group: Group, { about, counts }: EndedSession, example: string): void {
    if (counts.prompts === 0) return;
    const hasTrace = counts.hooks > 0 || counts.served > 0;
    group.prompted += 1;
    if (counts.served > 0) group.told += 1;
    if (!hasTrace) group.withoutHooks += 1;
    this.#traces.add(group, { folder: about.folder, hasTrace, example });
  }
}

function shownAs({ agent, version, entry, counts, faults, meters, ...group }: Group): AuditGroup {
  const { replies: _, ...shown } = counts;
  const { sessions, prompted, withoutHooks, told } = group;
  const { cut, again, lost, failed, slow } = faults;
  const reorientation = Object.fromEntries([...meters].map(([by, one]) => [by, figuresOf(one)]));
  const of = { agent, version, entry, sessions, prompted, withoutHooks, told, ...shown };
  return { ...of, cut, again, lost, failed, slow, reorientation };
}

function newGroup(of: GroupName): Group {
  return {
    ...of,
    counts: noCounts(),
    sessions: 0,
    prompted: 0,
    withoutHooks: 0,
    told: 0,
    faults: { lost: 0, cut: 0, again: 0, failed: 0, slow: 0, 'not-again': 0, clock: 0 },
    meters: new Map(),
    traces: { places: new Map() },
  };
}

function figureOf(times: ReadonlyMap<number, number>): LogFigure {
  const actions = [...times].sort(([one], [other]) => one - other);
  const total = sumOf(actions.map(([, count]) => count));
  if (total === 0) return { actions, total };
  const value = sumOf(actions.map(([each, count]) => Math.log1p(each) * count)) / total;
  if (total === 1) return { actions, total, value };
  const squares = sumOf(actions.map(([each, count]) => (Math.log1p(each) - value) ** 2 * count));
  return { actions, total, value, variance: squares / (total - 1) };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

function keyOf({ agent, version, entry }: GroupName): string {
  return `${agent} ${entry} ${version}`;
}

function meter({ meters }: Group, { by, actions, tokens, isEdited }: Reoriented): void {
  const own = meters.get(by) ?? { beginnings: 0, edited: 0, actions: new SpreadOf(), tokens: new SpreadOf() };
  meters.set(by, own);
  own.beginnings += 1;
  if (!isEdited) return;
  own.edited += 1;
  own.actions.add(actions);
  if (tokens !== undefined) own.tokens.add(tokens);
}

function figuresOf(one: { beginnings: number; edited: number; actions: SpreadOf; tokens: SpreadOf }): MeterFigures {
  const [actions, tokens] = [one.actions.spread(), one.tokens.spread()];
  const { beginnings, edited } = one;
  return {
    beginnings,
    edited,
    ...(actions === undefined ? {} : { actions }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

function byName(one: AuditGroup, other: AuditGroup): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

/** What costs most comes first. */
const RANKS: readonly FindingKind[] = [
  'no-hooks',
  'untrusted',
  'modified',
  'lost',
  'cut',
  'sub-agents',
  'not-again',
  'again',
  'failed',
  'slow',
  'unknown-format',
  'torn',
  'long',
  'clock',
  'unreadable',
];

function rank({ kind, count }: AuditFinding): number {
  return RANKS.indexOf(kind) * 1e9 - Math.min(count, 1e8);
}
