// Metrics: counted from the journal by one reducer over events. Every label has a closed set of values, listed in
// metric-families.ts, so that no input makes more than MOST_SERIES of them. prometheus.ts renders the result.

import type { ForewordEvent } from '../kernel/events.ts';
import { tokensOf, type Usage } from '../kernel/usage.ts';
import { type EndedAttempt, followAttempts, NOTHING_UNDERWAY, type Underway } from './ended-attempts.ts';
import { AGENT, FAMILIES, type FamilyName, type FamilySpec, HANDOVERS } from './metric-families.ts';

/** A test counts the series of the largest possible output. */
export const MOST_SERIES = 500;

/** Agents with a label of their own; later ones are `other`. */
const MOST_AGENTS = 18;

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: FamilySpec['type'];
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** In the order of the table. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number | Histogram;
}

export interface Histogram {
  /** Upper bounds, growing, without the infinite one. */
  readonly bounds: readonly number[];
  /** Per bound, not cumulative; one more for what is above the last. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export interface Metrics {
  readonly agents: readonly string[];
  /** By name and labels (`seriesKey`); what is not there is 0. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly histograms: ReadonlyMap<string, Histogram>;
  /** Agents whose breaker is not closed. */
  readonly breakers: ReadonlyMap<string, 'open' | 'trial'>;
  readonly underway: Underway;
}

type Labels = Readonly<Record<string, string>>;

/** `agents` are those that get a label of their own, the first MOST_AGENTS of them. */
export function newMetrics(agents: readonly string[]): Metrics {
  return {
    agents: [...new Set(agents)].filter((agent) => agent !== 'other').slice(0, MOST_AGENTS),
    numbers: new Map(),
    histograms: new Map(),
    breakers: new Map(),
    underway: NOTHING_UNDERWAY,
  };
}

/** Takes any journal: ignores events of a later version; a value outside its set counts as `other` or is ignored. */
export function foldEvents(before: Metrics, event: ForewordEvent): Metrics {
  const { underway, ended } = followAttempts(before.underway, event);
  const metrics = ended === undefined ? { ...before, underway } : countEnded({ ...before, underway }, ended);
  switch (event.kind) {
    case 'context-injected':
      return countInjection(metrics, event);
    case 'attempt-started': {
      if (event.occasion === 'first') return metrics;
      const type = event.occasion === 'switch' ? 'circuit_breaker' : 'retry';
      return count(metrics, 'foreword_handovers_total', { type, pre_context: `${event.handover !== 'none'}` });
    }
    case 'attempt-finished': {
      const outcome = event.status === 'completed' ? 'completed' : (event.exitReason ?? 'other');
      const counted = count(metrics, 'foreword_attempts_total', { agent: event.agent, outcome });
      const uses = [{ agent: event.agent, usage: event.usage }, ...(event.spent ?? [])];
      return uses.reduce(countUse, counted);
    }
    case 'validation-finished':
      return count(metrics, 'foreword_validations_total', { outcome: event.outcome });
    case 'helper-asked': {
      const pre_context = `${event.hadContext}`;
      const asked = count(metrics, 'foreword_handovers_total', { type: 'helper', pre_context });
      const counted = count(asked, 'foreword_helper_commands_total', { pre_context, decided: 'true' }, event.decided);
      const left = event.commands - event.decided;
      return count(counted, 'foreword_helper_commands_total', { pre_context, decided: 'false' }, left);
    }
    case 'review-asked':
      return count(metrics, 'foreword_agent_reviews_total', { agent: event.agent, verdict: event.verdict });
    case 'task-finished': {
      const counted = count(metrics, 'foreword_tasks_total', { status: event.status });
      return event.status === 'blocked' ? counted : measure(counted, 'foreword_attempts_per_task', {}, event.attempts);
    }
    case 'task-accepted':
      return count(metrics, 'foreword_reviews_total', { action: 'accepted' });
    case 'task-rejected':
      return count(metrics, 'foreword_reviews_total', { action: 'rejected' });
    case 'task-undone':
      return count(metrics, 'foreword_reviews_total', { action: 'undone' });
    case 'run-merged':
      return count(metrics, 'foreword_merges_total', { how: event.how });
    case 'budget-reached':
      return count(metrics, 'foreword_caps_reached_total', { cap: event.cap });
    case 'loop-detected':
      return count(metrics, 'foreword_loops_total', {});
    case 'agent-switched':
      return count(metrics, 'foreword_agent_switches_total', { reason: event.reason });
    case 'breaker-opened':
      return count(breakerIs(metrics, event.agent, 'open'), 'foreword_breaker_openings_total', { agent: event.agent });
    case 'breaker-tried':
      return breakerIs(metrics, event.agent, 'trial');
    case 'breaker-closed':
      return breakerIs(metrics, event.agent, 'closed');
    case 'delivery-proved':
      return count(metrics, 'foreword_delivery_proofs_total', { channel: event.channel ?? '', proof: event.proof });
    case 'delivery-ended':
      return countDelivery(metrics, event);
    case 'gate-spoken': {
      const counted = count(metrics, 'context_injection_count', { type: 'gate' });
      return measure(counted, 'foreword_hook_seconds', { moment: 'first-tool' }, event.durationMs / 1000);
    }
    case 'context-printed': {
      // What follows a compaction and what a sub-agent gets are startup contexts too; more labels would pass the bound on series.
      const isPrompt = event.moment === 'prompt';
      const counted = count(metrics, 'context_injection_count', { type: isPrompt ? 'prompt' : 'startup' });
      const moment = isPrompt ? 'prompt' : 'session-start';
      return measure(counted, 'foreword_hook_seconds', { moment }, event.durationMs / 1000);
    }
    case 'context-asked':
      return count(metrics, 'foreword_mcp_calls_total', { tool: event.tool });
    default:
      return metrics;
  }
}

/** The metrics of a whole journal. */
export function metricsOf(events: Iterable<ForewordEvent>, agents: readonly string[]): readonly Family[] {
  let metrics = newMetrics(agents);
  for (const event of events) metrics = foldEvents(metrics, event);
  return collectMetrics(metrics);
}

/** Every family with every series it can have, those that are 0 included, always in the same order. */
export function collectMetrics(metrics: Metrics): readonly Family[] {
  return (Object.keys(FAMILIES) as FamilyName[]).map((name) => {
    const spec: FamilySpec = FAMILIES[name];
    const samples = combinations(metrics, spec).map((labels) => ({
      labels,
      value: currentValue(metrics, name, labels),
    }));
    return { name, help: spec.help, type: spec.type, samples };
  });
}

function countEnded(metrics: Metrics, ended: EndedAttempt): Metrics {
  if (ended.occasion === 'first') return metrics;
  const name = ended.occasion === 'switch' ? 'foreword_fallback_success_total' : 'foreword_retry_success_total';
  return count(metrics, name, { pre_context: `${ended.hadHandover}`, outcome: ended.outcome });
}

function countInjection(metrics: Metrics, event: Extract<ForewordEvent, { kind: 'context-injected' }>): Metrics {
  const { type, buildMs, tokens } = event;
  const counted = count(metrics, 'context_injection_count', { type });
  if (!HANDOVERS.includes(type)) return counted;
  const timed = measure(counted, 'foreword_handover_build_seconds', { type }, buildMs / 1000);
  return measure(timed, 'foreword_handover_tokens', { type }, tokens);
}

/** What one agent used for an attempt; unknown is counted as unknown. */
function countUse(metrics: Metrics, { usage }: { readonly usage?: Usage | undefined }): Metrics {
  if (tokensOf(usage) === undefined) return count(metrics, 'foreword_unknown_usage_total', {});
  const { input = 0, cached = 0, output = 0, costUsd = 0, costBy = 'agent' } = usage ?? {};
  const read = count(metrics, 'foreword_tokens_total', { kind: 'input' }, input);
  const fromCache = count(read, 'foreword_tokens_total', { kind: 'cached' }, cached);
  const written = count(fromCache, 'foreword_tokens_total', { kind: 'output' }, output);
  return costUsd === 0 ? written : count(written, 'foreword_cost_usd_total', { by: costBy }, costUsd);
}

function countDelivery(metrics: Metrics, event: Extract<ForewordEvent, { kind: 'delivery-ended' }>): Metrics {
  const { channel = '', outcome, moment } = event;
  const counted = count(metrics, 'foreword_deliveries_total', { channel, outcome });
  if (outcome !== 'delivered') return counted;
  const timed = measure(counted, 'foreword_delivery_seconds', {}, event.durationMs / 1000);
  const tried = measure(timed, 'foreword_delivery_attempts', {}, event.attempts);
  return count(tried, 'context_injection_count', { type: moment === 'session-start' ? 'startup' : 'prompt' });
}

function breakerIs(metrics: Metrics, agent: string, state: 'closed' | 'open' | 'trial'): Metrics {
  const breakers = new Map(metrics.breakers);
  if (state === 'closed') breakers.delete(agent);
  else breakers.set(agent, state);
  return { ...metrics, breakers };
}

function count(metrics: Metrics, name: FamilyName, labels: Labels, by = 1): Metrics {
  const known = knownLabels(metrics, name, labels);
  if (known === undefined || !(by > 0) || by === Number.POSITIVE_INFINITY) return metrics;
  const key = seriesKey(name, known);
  return { ...metrics, numbers: new Map(metrics.numbers).set(key, (metrics.numbers.get(key) ?? 0) + by) };
}

function measure(metrics: Metrics, name: FamilyName, labels: Labels, value: number): Metrics {
  const known = knownLabels(metrics, name, labels);
  if (known === undefined || !Number.isFinite(value) || value < 0) return metrics;
  const { bounds, counts, sum } = currentValue(metrics, name, known) as Histogram;
  const found = bounds.findIndex((bound) => value <= bound);
  const index = found === -1 ? bounds.length : found;
  const next = { bounds, counts: counts.map((each, at) => (at === index ? each + 1 : each)), sum: sum + value };
  return { ...metrics, histograms: new Map(metrics.histograms).set(seriesKey(name, known), next) };
}

function currentValue(metrics: Metrics, name: FamilyName, labels: Labels): number | Histogram {
  const spec: FamilySpec = FAMILIES[name];
  if (name === 'foreword_breaker_state') return breakerState(metrics, labels.agent ?? 'other');
  if (spec.bounds === undefined) return metrics.numbers.get(seriesKey(name, labels)) ?? 0;
  const empty = { bounds: spec.bounds, counts: Array<number>(spec.bounds.length + 1).fill(0), sum: 0 };
  return metrics.histograms.get(seriesKey(name, labels)) ?? empty;
}

/** `other` covers several agents: open when one of them is. */
function breakerState(metrics: Metrics, agent: string): number {
  const states = [...metrics.breakers].filter(([name]) => labelOf(metrics, name) === agent).map(([, state]) => state);
  return states.includes('open') ? 1 : states.includes('trial') ? 2 : 0;
}

/** `undefined` when a value is outside its set and the set has no `other`. */
function knownLabels(metrics: Metrics, name: FamilyName, labels: Labels): Labels | undefined {
  const spec: FamilySpec = FAMILIES[name];
  const known: Record<string, string> = {};
  for (const label of Object.keys(spec.labels)) {
    const allowed = valuesOf(metrics, spec, label);
    const value = [labels[label], 'other'].find((each) => each !== undefined && allowed.includes(each));
    if (value === undefined) return undefined;
    known[label] = value;
  }
  return known;
}

function combinations(metrics: Metrics, spec: FamilySpec): readonly Labels[] {
  return Object.keys(spec.labels).reduce<readonly Labels[]>(
    (rows, label) => rows.flatMap((row) => valuesOf(metrics, spec, label).map((value) => ({ ...row, [label]: value }))),
    [{}],
  );
}

function valuesOf(metrics: Metrics, spec: FamilySpec, label: string): readonly string[] {
  const values = spec.labels[label] ?? [];
  return values === AGENT ? [...metrics.agents, 'other'] : values;
}

function labelOf(metrics: Metrics, agent: string): string {
  return metrics.agents.includes(agent) ? agent : 'other';
}

function seriesKey(name: FamilyName, labels: Labels): string {
  return JSON.stringify([name, ...Object.values(labels)]);
}
