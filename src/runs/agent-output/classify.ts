// The result of one run of an agent: an answer, or the reason for a failure. Decides only on the error channel: how the process
// ended, the error fields of its output, its exit status, its standard error. What a model wrote and what tools printed
// is never read: an answer about rate limits is an answer.
// Order: code, words and status of each error field; exit status; standard error. The agent's own rules come before the
// common ones, and words before the status, since a used-up quota also comes as 429.

import type { Agent, AgentResult, ErrorClass, ErrorRule } from '../../kernel/agent.ts';
import type { ProcessEnd } from '../../kernel/process.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { COMMON_RULES } from './common-errors.ts';
import { type OutputError, readOutput } from './read-output.ts';
import { readResetTime } from './reset-time.ts';

/** Whether a pattern matches in a line, ignoring case; see system/patterns/linear.ts. */
type Matches = (pattern: string, line: string) => boolean;

interface ClassifyInput {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly matches: Matches;
  /** The machine's zone, for agents that name a local time: Europe/Berlin. */
  readonly zone?: string;
  /** How long it printed nothing, when it was ended for that. */
  readonly hangMs?: number | undefined;
}

const MAX_MESSAGE = 200;
/** The reason for a failure is near the end; before it come progress and stack traces. */
const MAX_LINES = 100;
const MAX_LINE_CHARS = 1000;

export function classify(agent: Agent, end: ProcessEnd, given: ClassifyInput): AgentResult {
  const spec = agent.oneshot?.output ?? { format: 'text' };
  const { answer, errors } = readOutput(spec, end.stdout.text);
  const fail = (failure: Failure): AgentResult => failed(failure, { answer, errors, given });

  const ended = endOf(agent, end, given);
  if (ended !== undefined) return fail(ended);
  const faults = errors.filter((error) => !error.isNotice);
  const run: Run = { agent, end, errors, matches: given.matches };
  if (end.exitCode === 0 && end.endedBy === undefined && faults.length === 0) {
    const own = ownWords(run);
    return own === undefined ? { kind: 'answered', answer } : fail(own);
  }
  return fail(causeOf(run) ?? unknownCause(run, { faults, answer }));
}

interface Run {
  readonly agent: Agent;
  readonly end: ProcessEnd;
  readonly errors: readonly OutputError[];
  readonly matches: Matches;
}

interface Failure {
  readonly class: ErrorClass;
  readonly message: string;
}

/** Ends that need no reading of the output. */
function endOf(agent: Agent, end: ProcessEnd, { hangMs = end.durationMs }: ClassifyInput): Failure | undefined {
  if (end.startError !== undefined) {
    const isMissing = /ENOENT|not found|no such (?:file|command)/i.test(end.startError);
    return { class: isMissing ? 'missing' : 'setup', message: `did not start: ${end.startError}` };
  }
  if (end.endedBy === 'silence') {
    const seconds = agent.oneshot?.firstOutputS ?? Math.round(end.durationMs / 1000);
    return { class: 'silence', message: `printed nothing for ${seconds} s` };
  }
  if (end.endedBy === 'hang') {
    return { class: 'hang', message: `hung: printed nothing for ${Math.round(hangMs / 1000)} s` };
  }
  if (end.endedBy === 'timeout') {
    return { class: 'other', message: `timed out after ${Math.round(end.durationMs / 1000)} s` };
  }
  if (end.signal !== null && end.endedBy === undefined) {
    return { class: 'crash', message: `ended by ${end.signal}` };
  }
  return undefined;
}

/** When the program prints a mark after each answer of a model and the mark is missing, all output is the program's own. */
function ownWords({ agent, end, matches }: Run): Failure | undefined {
  const spec = agent.oneshot?.output;
  if (spec?.format !== 'text' || spec.answered === undefined) return undefined;
  const { answered } = spec;
  const lines = lastLines(end.stdout.text);
  return lines.some((line) => matches(answered, line)) ? undefined : byText(agent.errors, lines, matches);
}

function causeOf(run: Run): Failure | undefined {
  const { agent, end, errors, matches } = run;
  // The last error first, and one that ended the run before a notice on the way.
  const inOrder = [...errors].reverse().sort((one, other) => Number(one.isNotice ?? 0) - Number(other.isNotice ?? 0));
  for (const error of inOrder) {
    const found = byField(error, agent, matches);
    if (found !== undefined) return found;
  }
  const lines = lastLines(end.stderr.text);
  const byExit = firstRule(agent, (rule) => end.exitCode !== null && rule.exitCodes?.includes(end.exitCode) === true);
  if (byExit !== undefined) {
    return { class: byExit.class, message: messageOf(inOrder) ?? lines.at(-1) ?? exitText(end) };
  }
  return byText(agent.errors, lines, matches) ?? byText(COMMON_RULES, lines, matches) ?? ownWords(run);
}

function byField(error: OutputError, agent: Agent, matches: Matches): Failure | undefined {
  const { message = '', code, status } = error;
  const rule =
    firstRule(agent, (one) => code !== undefined && one.codes?.includes(code) === true) ??
    firstRule(agent, (one) => one.text !== undefined && matches(one.text, oneLine(message, MAX_LINE_CHARS))) ??
    firstRule(agent, (one) => code !== undefined && one.text !== undefined && matches(one.text, code)) ??
    firstRule(agent, (one) => status !== undefined && one.statuses?.includes(status) === true);
  if (rule === undefined) return undefined;
  return { class: rule.class, message: message || [code, status].filter((one) => one !== undefined).join(' ') };
}

function firstRule(agent: Agent, test: (rule: ErrorRule) => boolean): ErrorRule | undefined {
  return agent.errors.find(test) ?? COMMON_RULES.find(test);
}

/** Rules in their order; of the lines that match one, the last. */
function byText(rules: readonly ErrorRule[], lines: readonly string[], matches: Matches): Failure | undefined {
  for (const rule of rules) {
    const { text } = rule;
    const line = text === undefined ? undefined : lines.findLast((one) => matches(text, one));
    if (line !== undefined) return { class: rule.class, message: line };
  }
  return undefined;
}

/** An agent that reported an error did not crash, nor did one that had answered. */
function unknownCause(
  { end, errors }: Run,
  { faults, answer }: { readonly faults: readonly OutputError[]; readonly answer: string },
): Failure {
  if (end.endedBy === 'caller') return { class: 'other', message: 'was stopped' };
  const hasSpoken = faults.length > 0 || answer !== '';
  const message =
    messageOf([...faults].reverse()) ?? messageOf([...errors].reverse()) ?? lastLines(end.stderr.text).at(-1);
  return { class: hasSpoken ? 'other' : 'crash', message: message ?? exitText(end) };
}

function messageOf(errors: readonly OutputError[]): string | undefined {
  return errors.find((error) => error.message !== undefined)?.message;
}

function exitText(end: ProcessEnd): string {
  return end.exitCode === 0 ? 'reported an error without a text' : `ended with status ${end.exitCode ?? 'unknown'}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out before anything is matched
const COLOURS = /\u001b\[[0-?]*[ -/]*[@-~]/g;

function lastLines(text: string): readonly string[] {
  const lines = text.replace(COLOURS, '').split(/\r\n|\n|\r/);
  const filled = lines.filter((line) => line.trim() !== '').slice(-MAX_LINES);
  return filled.map((line) => oneLine(line, MAX_LINE_CHARS));
}

function failed(
  failure: Failure,
  run: { readonly answer: string; readonly errors: readonly OutputError[]; readonly given: ClassifyInput },
): AgentResult {
  const resetAt = resetOf(failure, run.errors, run.given);
  const message = oneLine(failure.message, MAX_MESSAGE) || 'failed without a word';
  return {
    kind: 'failed',
    class: failure.class,
    message,
    ...(resetAt === undefined ? {} : { resetAt }),
    answer: run.answer,
  };
}

/** Only limits end at a known time. A field with that time is more reliable than words. */
function resetOf(failure: Failure, errors: readonly OutputError[], given: ClassifyInput): number | undefined {
  if (failure.class !== 'quota' && failure.class !== 'rate_limit') return undefined;
  const fields = errors.flatMap(({ resetsAt }) => (resetsAt === undefined ? [] : [resetsAt])).reverse();
  for (const text of [...fields, failure.message]) {
    const at = readResetTime(text, given.now, given.zone);
    if (at !== undefined) return at;
  }
  const retryMs = errors.findLast((error) => error.retryMs !== undefined)?.retryMs;
  return retryMs !== undefined && retryMs >= SHORTEST_NAMED_MS ? given.now + retryMs : undefined;
}

/** Shorter ones are the agent's own pauses, which it doubles itself (claude 2.1.325: 0.5 to 2.4 s), or were waited out in vain. */
const SHORTEST_NAMED_MS = 10_000;
