// The families of metrics and every value their labels can have. To add one: a member here, and a line in `foldEvents`
// (metrics.ts) for the event that counts. Names start with `foreword_`; `context_injection_count` is older than that.

import type { ErrorClass } from '../kernel/agent.ts';
import { CHANNEL_NAMES } from '../kernel/receipt.ts';
import { TOOL_NAMES } from '../mcp/tools.ts';

export interface FamilySpec {
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Of a histogram: upper bounds, growing, without the infinite one. */
  readonly bounds?: readonly number[];
}

export const HANDOVERS = ['circuit_breaker', 'retry', 'helper'];
const YES_NO = ['true', 'false'];
const OUTCOMES = ['succeeded', 'failed', 'undecided'];
const EXITS = [
  'completed',
  'validation_failure',
  'circuit_breaker',
  'execution_error',
  'timeout',
  'interrupted',
  'other',
];
const REASONS: readonly (ErrorClass | 'loop')[] = [
  ...(['loop', 'quota', 'rate_limit', 'overload', 'auth', 'setup'] as const),
  ...(['network', 'context', 'missing', 'crash', 'silence', 'hang', 'other'] as const),
];
/** A placeholder for the agents' names, which are known when counting starts. */
export const AGENT: readonly string[] = [];

export const FAMILIES = {
  context_injection_count: {
    help: 'Texts put before an agent, by type.',
    type: 'counter',
    labels: { type: [...HANDOVERS, 'startup', 'gate', 'prompt'] },
  },
  foreword_mcp_calls_total: {
    help: 'Answered calls of the MCP server, by tool.',
    type: 'counter',
    labels: { tool: TOOL_NAMES },
  },
  foreword_handovers_total: {
    help: 'Attempts with a hand-over available, by whether the prompt had it.',
    type: 'counter',
    labels: { type: HANDOVERS, pre_context: YES_NO },
  },
  foreword_retry_success_total: {
    help: 'Ended retries by the same agent, with and without a hand-over, by outcome.',
    type: 'counter',
    labels: { pre_context: YES_NO, outcome: OUTCOMES },
  },
  foreword_fallback_success_total: {
    help: 'Ended attempts of an agent that took over, with and without a hand-over, by outcome.',
    type: 'counter',
    labels: { pre_context: YES_NO, outcome: OUTCOMES },
  },
  foreword_helper_commands_total: {
    help: 'Commands of helper agents, with and without a hand-over, by whether they decided a criterion.',
    type: 'counter',
    labels: { pre_context: YES_NO, decided: YES_NO },
  },
  foreword_attempts_total: {
    help: 'Ended attempts, by agent and how they ended.',
    type: 'counter',
    labels: { agent: AGENT, outcome: EXITS },
  },
  foreword_tokens_total: {
    help: 'Tokens that agents named, by kind; cached ones are input too.',
    type: 'counter',
    labels: { kind: ['input', 'cached', 'output'] },
  },
  foreword_cost_usd_total: {
    help: 'US dollars of work, by who named them: the agent, or a price in the configuration.',
    type: 'counter',
    labels: { by: ['agent', 'price'] },
  },
  foreword_unknown_usage_total: {
    help: 'Times that an agent worked and named no tokens.',
    type: 'counter',
    labels: {},
  },
  foreword_caps_reached_total: {
    help: 'Runs that a cap ended, by cap.',
    type: 'counter',
    labels: { cap: ['cost', 'tokens', 'time', 'attempts'] },
  },
  foreword_attempts_per_task: {
    help: 'Attempts made on a task by the time it was finished.',
    type: 'histogram',
    labels: {},
    bounds: [1, 2, 3, 4, 5, 7, 10, 15],
  },
  foreword_tasks_total: {
    help: 'Finished tasks, by status; a blocked task may finish again.',
    type: 'counter',
    labels: { status: ['completed', 'failed', 'blocked', 'needs-review'] },
  },
  foreword_reviews_total: {
    help: 'Tasks that a person accepted, rejected or undid.',
    type: 'counter',
    labels: { action: ['accepted', 'rejected', 'undone'] },
  },
  foreword_merges_total: {
    help: 'Runs that a person merged, by how.',
    type: 'counter',
    labels: { how: ['merge', 'squash', 'files'] },
  },
  foreword_validations_total: {
    help: 'Verdicts on attempts.',
    type: 'counter',
    labels: { outcome: ['passed', 'failed', 'needs-review'] },
  },
  foreword_agent_reviews_total: {
    help: 'Reviews of work whose checks passed, by the agent that was asked and its verdict.',
    type: 'counter',
    labels: { agent: AGENT, verdict: ['approve', 'reject', 'not-run'] },
  },
  foreword_loops_total: {
    help: 'Attempts that failed in the same way as the two before them.',
    type: 'counter',
    labels: {},
  },
  foreword_agent_switches_total: {
    help: 'Times a task went to another agent, by reason.',
    type: 'counter',
    labels: { reason: REASONS },
  },
  foreword_breaker_openings_total: {
    help: 'Times a breaker opened, by agent.',
    type: 'counter',
    labels: { agent: AGENT },
  },
  foreword_breaker_state: {
    help: 'Breaker of an agent: 0 closed, 1 open, 2 trial.',
    type: 'gauge',
    labels: { agent: AGENT },
  },
  foreword_handover_build_seconds: {
    help: 'Time to build a hand-over and put it into the prompt.',
    type: 'histogram',
    labels: { type: HANDOVERS },
    bounds: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 1],
  },
  foreword_handover_tokens: {
    help: 'Tokens of a hand-over.',
    type: 'histogram',
    labels: { type: HANDOVERS },
    bounds: [25, 50, 75, 100, 150, 200, 300, 500],
  },
  foreword_deliveries_total: {
    help: 'Ended deliveries to sessions, by channel and outcome.',
    type: 'counter',
    labels: { channel: CHANNEL_NAMES, outcome: ['delivered', 'uncertain', 'failed'] },
  },
  foreword_delivery_proofs_total: {
    help: 'Proofs of deliveries, by channel and proof.',
    type: 'counter',
    labels: { channel: CHANNEL_NAMES, proof: ['placed', 'submitted', 'served', 'acknowledged'] },
  },
  foreword_delivery_seconds: {
    help: 'Time from accepting a text to the required proof.',
    type: 'histogram',
    labels: {},
    bounds: [0.5, 1, 2, 5, 10, 30, 60, 300, 600],
  },
  foreword_delivery_attempts: {
    help: 'Attempts needed for a delivered text.',
    type: 'histogram',
    labels: {},
    bounds: [1, 2, 3, 4, 5],
  },
  foreword_hook_seconds: {
    help: 'Duration of hooks that returned a text, from the start of the program.',
    type: 'histogram',
    labels: { moment: ['session-start', 'first-tool', 'prompt'] },
    bounds: [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5],
  },
} as const satisfies Readonly<Record<string, FamilySpec>>;

export type FamilyName = keyof typeof FAMILIES;
