// Prompt: the whole text that starts a supervised task, made of named parts in a fixed order.
// Invariants: `text` is exactly the parts joined, so every character has a source; every part went through the
// sanitiser; the same input gives the same bytes. Counts, never keywords, decide which other tasks are shown.

import { demand } from '../kernel/demand.ts';
import type { Redactor } from '../kernel/redact.ts';
import { asciiJson, oneLine, safeText } from '../kernel/safe-text.ts';
import type { Criterion, Task, TaskRecord, TaskStatus } from '../kernel/task.ts';
import { estimateTokens } from '../kernel/tokens.ts';
import { type Finding, findingLine } from '../kernel/verdict.ts';
import type { Handover } from './handover/handover.ts';
import { PLAN_OUTPUT, PLAN_RULES } from './texts/plan-texts.ts';
import { READ_ONLY_TITLE } from './texts/resumed-texts.ts';
import { FINDINGS_LEAD, FINDINGS_TITLE, REVIEW_CHANGE, REVIEW_OUTPUT, REVIEW_RULES } from './texts/review-texts.ts';
import type { Role } from './texts/role-templates.ts';

export interface MinimalState {
  readonly project?: string;
  /** The newest last, so that it reads in the order of the work. */
  readonly recent_history: readonly {
    readonly task_id: string;
    readonly intent?: string;
    readonly status: TaskStatus;
    readonly completed_at?: string;
    readonly result?: string;
  }[];
  readonly active_blockers: readonly { readonly task_id: string; readonly reason?: string }[];
  /** Blockers beyond those listed. */
  readonly more_blockers?: number;
}

export interface Prompt {
  readonly text: string;
  /** The text without the hand-over: the prompt of a first attempt. */
  readonly original: string;
  readonly parts: readonly PromptPart[];
  readonly leftOut: readonly { readonly what: string; readonly count?: number; readonly why: string }[];
}

export interface PromptPart {
  readonly name: string;
  /** Where it comes from, for a person. */
  readonly source: string;
  readonly text: string;
  /** Estimated. */
  readonly tokens: number;
}

/** What a prompt needs of a task; criteria may be plain texts, as in a task file. */
export interface PromptTask extends Pick<Task, 'task_id' | 'intent' | 'instructions'> {
  readonly acceptance_criteria: readonly (Criterion | string)[];
  readonly targets?: readonly string[];
}

export interface PromptInput {
  readonly task: PromptTask;
  readonly state: MinimalState;
  /** The serialised header; absent when the template puts it elsewhere. */
  readonly header?: string | undefined;
  /** A rendered template, between the header and the task. */
  readonly lead?: string | undefined;
  /** The template's file, or the role of a built-in one. */
  readonly templateSource?: string | undefined;
  readonly handover?: Pick<Handover, 'text' | 'dropped'> | undefined;
  readonly workingDirectory?: string | undefined;
  /** `engineer` when absent. */
  readonly role?: Role | undefined;
  /** For a reviewer: what the work changed, bounded and between fences. */
  readonly change?: string | undefined;
  /** Of the review that rejected the last attempt. */
  readonly findings?: readonly Finding[] | undefined;
  /** Removes secrets from each part. */
  readonly redact?: Redactor | undefined;
}

const MAX_ID = 200;
const MAX_INTENT = 200;
const MAX_RESULT = 200;
const MAX_REASON = 300;
const HISTORY = { least: 3, most: 5 };
const MAX_BLOCKERS = 10;
/** A path and a text as a review keeps them. */
const MAX_FINDING = 720;

/** `finished` newest first and `blocked` longest first, as the stores give them. `historySize` is kept within 3 to 5. */
export function buildMinimalState(facts: {
  readonly project?: string | undefined;
  readonly finished: readonly TaskRecord[];
  readonly blocked: readonly TaskRecord[];
  readonly historySize?: number | undefined;
  readonly maxBlockers?: number | undefined;
}): MinimalState {
  demand(facts, 'buildMinimalState({ finished, blocked })', { finished: 'list', blocked: 'list' });
  const size = Math.min(HISTORY.most, Math.max(HISTORY.least, facts.historySize ?? HISTORY.most));
  const shown = facts.blocked.slice(0, facts.maxBlockers ?? MAX_BLOCKERS);
  const rest = facts.blocked.length - shown.length;
  return {
    ...bounded('project', facts.project, MAX_ID),
    recent_history: facts.finished
      .slice(0, size)
      .toReversed()
      .map((record) => ({
        task_id: oneLine(record.task_id, MAX_ID),
        ...bounded('intent', record.intent, MAX_INTENT),
        status: record.status,
        ...bounded('completed_at', record.completed_at, MAX_ID),
        ...bounded('result', record.result, MAX_RESULT),
      })),
    active_blockers: shown.map((record) => ({
      task_id: oneLine(record.task_id, MAX_ID),
      ...bounded('reason', record.reason, MAX_REASON),
    })),
    ...(rest > 0 ? { more_blockers: rest } : {}),
  };
}

export function composePrompt(input: PromptInput): Prompt {
  const { task, state, handover, redact = (text) => text } = input;
  const parts: PromptPart[] = [];
  const add = (name: string, source: string, body: string): void => {
    const clean = safeText(redact(body)).replace(/^\n+/, '').trimEnd();
    if (clean === '') return;
    const text = `${parts.length === 0 ? '' : '\n'}${clean}\n`;
    parts.push({ name, source, text, tokens: estimateTokens(text) });
  };
  const section = (title: string, source: string, body: string): void => add(title, source, `## ${title}\n${body}`);

  add('Hand-over', 'attempts of this task', handover?.text ?? '');
  const before = parts.length;
  add('Header', 'repository, notes, tasks and policy', input.header ?? '');
  add('Template', input.templateSource ?? 'template', input.lead ?? '');
  section('Task ID', 'task', oneLine(task.task_id, MAX_ID));
  section('Task Description', 'task', task.instructions ?? '');
  section('Intent', 'task', task.intent ?? '');
  section('Acceptance Criteria', 'task', criteria(task.acceptance_criteria ?? []));
  const { findings = [], change } = input;
  if (findings.length > 0) section(FINDINGS_TITLE, 'review of the last attempt', findingList(findings));
  if (change !== undefined) section('Change', 'the attempt under review', `${REVIEW_CHANGE}\n\n${change}`);
  section(READ_ONLY_TITLE, 'finished and blocked tasks', asciiJson(state, 2));
  const own = OWN_RULES[input.role ?? 'engineer'];
  section('Rules', 'built in', own === undefined ? rules(task.targets ?? []) : ruleList(own.rules));
  section('Output Format', 'built in', own?.output ?? OUTPUT_FORMAT);
  if (input.workingDirectory !== undefined) {
    section('Working Directory', 'this run', oneLine(input.workingDirectory, 4096));
  }
  // Each part but the first begins with a blank line, which the first part of `original` must not have.
  const original = joined(parts.slice(before)).replace(/^\n/, '');
  return { text: joined(parts), original, parts, leftOut: leftOut(input) };
}

/** Of roles that do no work themselves. */
const OWN_RULES: Readonly<Partial<Record<Role, { readonly rules: readonly string[]; readonly output: string }>>> = {
  reviewer: { rules: REVIEW_RULES, output: REVIEW_OUTPUT },
  cto: { rules: PLAN_RULES, output: PLAN_OUTPUT },
};

function joined(parts: readonly PromptPart[]): string {
  return parts.map((part) => part.text).join('');
}

/** Design 001's simple form: only the task and the state of the others. */
export function buildPrompt(task: PromptTask, minimalState: MinimalState): string {
  const call = 'buildPrompt(task, buildMinimalState({ finished, blocked }))';
  demand(task, call, { task_id: 'text' });
  demand(minimalState, call, { recent_history: 'list', active_blockers: 'list' });
  return composePrompt({ task, state: minimalState }).text;
}

function bounded<K extends string>(key: K, value: unknown, max: number): { [key in K]?: string } {
  const line = typeof value === 'string' ? oneLine(value, max) : '';
  return line === '' ? {} : ({ [key]: line } as { [key in K]: string });
}

function criteria(given: readonly (Criterion | string)[]): string {
  const texts = given.map((each) => (typeof each === 'string' ? each : each.text).trim());
  // Later lines are indented: a criterion of several lines stays one list item.
  return texts.length === 0
    ? '- none given'
    : texts.map((text) => `- ${safeText(text).replaceAll('\n', '\n  ')}`).join('\n');
}

function rules(targets: readonly string[]): string {
  const where =
    targets.length === 0
      ? 'Change only what the task needs.'
      : `Change only files that match: ${targets.map((target) => oneLine(target, MAX_ID)).join(', ')}.`;
  return ruleList([
    where,
    'The read-only context is for orientation: do not edit it, and do not redo tasks it lists as completed.',
    'Do not start work that active_blockers lists, and do not build on it.',
    'Meet every acceptance criterion; do not weaken a test or a check to pass it.',
    'If something cannot be done, stop there and say what and why. Do not report it as done.',
  ]);
}

function ruleList(all: readonly string[]): string {
  return all.map((rule) => `- ${rule}`).join('\n');
}

export function findingList(findings: readonly Finding[]): string {
  return [FINDINGS_LEAD, ...findings.map((finding) => `- ${oneLine(findingLine(finding), MAX_FINDING)}`)].join('\n');
}

const OUTPUT_FORMAT = `Write what you did in your own words, then end with one JSON block and nothing after it:
\`\`\`json
{"status":"completed|blocked","files_created":[],"files_updated":[],"summary":""}
\`\`\`
status is "completed" or "blocked"; paths are relative to the working directory; summary is one sentence, and for
"blocked" it says what is missing.`;

function leftOut({ state, handover, workingDirectory, role, change }: PromptInput): Prompt['leftOut'] {
  return [
    ...(handover?.dropped ?? []).map((what) => ({ what: `hand-over: ${what}`, why: 'the hand-over is full' })),
    ...(state.more_blockers === undefined
      ? []
      : [{ what: 'blocked tasks', count: state.more_blockers, why: 'only the longest blocked are listed' }]),
    ...(role === 'reviewer' && change === undefined
      ? [{ what: 'Change', why: 'only the review of an attempt has one' }]
      : []),
    ...(workingDirectory === undefined ? [{ what: 'Working Directory', why: 'not known here' }] : []),
  ];
}
