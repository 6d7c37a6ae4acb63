// What agents were given and what came of it, as a section of Markdown: for the summary of a pipeline, where nobody can ask the
// store any more. Texts of agents stand in it, so everything is escaped: no link, image, HTML or heading of theirs is shown as one.
// Pure.

import type { AttemptRecord } from '../kernel/attempt.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { TaskRecord } from '../kernel/task.ts';
import type { ListedDelivery } from './deliveries.ts';

export interface ReceiptFacts {
  /** In the order of the store. */
  readonly tasks: readonly { readonly task: TaskRecord; readonly attempts: readonly AttemptRecord[] }[];
  readonly receipts: readonly ListedDelivery[];
}

/** GitHub shows a summary of at most 1 MiB. */
const MOST_ROWS = 500;
const MAX_CELL = 100;
/** Of a hash: enough to compare by eye. */
const SHORT = 12;

export function receiptsSection({ tasks, receipts }: ReceiptFacts): string {
  const attempts = tasks.flatMap(({ task, attempts: all }) => all.map((attempt) => attemptRow(task, attempt)));
  const prompts = table(['task', 'attempt', 'agent', 'prompt (SHA-256)', 'hand-over', 'outcome', 'work'], attempts);
  const deliveries = table(
    ['delivery', 'moment', 'channel', 'proof', 'outcome', 'evidence or reason'],
    receipts.map(row),
  );
  return [
    '## Receipts',
    '',
    ...(attempts.length === 0 ? ['No agent was given a task.'] : prompts),
    ...(receipts.length === 0 ? [] : ['', '### Deliveries to sessions', '', ...deliveries]),
    '',
  ].join('\n');
}

function attemptRow({ task_id, commit }: TaskRecord, attempt: AttemptRecord): readonly string[] {
  const isLast = attempt.verdict?.outcome === 'passed' && commit !== undefined;
  return [
    task_id,
    String(attempt.attemptNumber),
    attempt.provider,
    short(attempt.promptHash),
    handoverOf(attempt.preContext),
    outcomeOf(attempt),
    short(isLast ? commit : attempt.commit),
  ];
}

function row({ id, moment, channel, proof, outcome, evidence, reason }: ListedDelivery): readonly string[] {
  return [id, moment, channel ?? '', proof, outcome, (outcome === 'delivered' ? evidence : reason) ?? ''];
}

function handoverOf(text: string | undefined): string {
  if (text === undefined || text === '') return 'none';
  const [, name] = /^--- (.+?) CONTEXT ---/.exec(text) ?? [];
  return (name ?? 'yes').toLowerCase();
}

function outcomeOf({ exitReason, exitClass, verdict, validationErrors }: AttemptRecord): string {
  if (exitReason === undefined) return verdict?.outcome ?? 'ended';
  const [first] = validationErrors;
  const what = exitReason === 'validation_failure' ? 'failed' : exitReason.replace('_', ' ');
  return [what, first ?? exitClass].filter(Boolean).join(': ');
}

function short(id: string | undefined): string {
  return id?.slice(0, SHORT) ?? '';
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const more = rows.length - MOST_ROWS;
  return [
    line(heads),
    line(heads.map(() => '---')),
    ...rows.slice(-MOST_ROWS).map((cells) => line(cells.map(cell))),
    ...(more > 0 ? ['', `${more} earlier ones are left out.`] : []),
  ];
}

/** As text: a backslash takes every sign its meaning, also the colon of an address. */
function cell(text: string): string {
  return oneLine(text, MAX_CELL).replace(/[\\`*_{}[\]<>|#!@~&:]/g, (sign) => `\\${sign}`);
}
