// A plan of changes to a person's files: shows it, asks, applies it, reports what was done. init and uninstall share it.

import { createInterface } from 'node:readline/promises';
import type { PreparedInstall } from '../app/install.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { Call, Flag } from './command.ts';
import { terminalColumns, wrapped } from './wrapped.ts';

/** The flags of a command that changes the settings of agents. */
export const AGREEMENT_FLAGS: Readonly<Record<string, Flag>> = {
  agents: { description: 'only these agents, separated by commas', value: 'NAMES' },
  'dry-run': { description: 'show the changes, write nothing' },
  diff: { description: 'also show every changed line; --dry-run does, and the key d at the question' },
  yes: { description: 'write without a question' },
};

export interface AgreementTexts {
  /** The question before anything is written. */
  readonly question: string;
  readonly nothing: string;
  readonly done: string;
  /** What a person does next, one line each. */
  readonly next?: readonly string[];
}

/** Names separated by commas. Throws `bad-usage` where there is none. */
export function namesIn(call: Call, flag = 'agents'): readonly string[] | undefined {
  const given = call.text(flag);
  const names = given === undefined ? undefined : namesOf(given);
  if (names?.length === 0)
    throw new ForewordError('bad-usage', `--${flag} names no agent.`, { hint: 'Give names separated by commas.' });
  return names;
}

function namesOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

/** Returns the exit code: 0 done or nothing to do, 1 some changes failed, 2 nobody agreed, 130 Ctrl-C. */
export async function settle(call: Call, first: PreparedInstall, words: AgreementTexts): Promise<number> {
  const { plan } = first;
  const isJson = call.has('json');
  const printJson = (prepared: PreparedInstall, more: object) => call.out.json({ ...asJson(prepared), ...more });
  if (plan.changes.length === 0) {
    if (!isJson) showRest(call, first);
    if (!call.has('dry-run')) first.finish();
    if (isJson) printJson(first, { applied: false, refused: [] });
    else call.out.print(words.nothing);
    return plan.faults.length === 0 ? 0 : 1;
  }
  const isAsking = canAsk(call) && !call.has('dry-run');
  if (!isJson) showSummary(call, first);
  if (!isJson && (call.has('dry-run') || call.has('diff'))) showDiffs(call, first);
  if (call.has('dry-run')) {
    if (isJson) printJson(first, { applied: false, refused: [] });
    else {
      call.out.print(`${plan.changes.length} file(s) would change; nothing was written.`);
      printList(call, 'Notes', plan.notes);
    }
    return 0;
  }
  const agreed = isAsking ? await askAbout(call, first, words) : call.has('yes') ? first : 'no';
  if (typeof agreed === 'string') {
    if (isJson) printJson(first, { applied: false, refused: [] });
    const hint = isAsking ? '' : ' Use --yes to write without a question, or --dry-run to see the changes.';
    call.out.note(`${agreed === 'interrupted' ? '\n' : ''}foreword: nothing was written.${hint}`);
    return agreed === 'interrupted' ? 130 : 2;
  }
  return apply(call, agreed, words);
}

async function apply(call: Call, prepared: PreparedInstall, words: AgreementTexts): Promise<number> {
  const { plan } = prepared;
  const { done, refused } = await prepared.apply(plan.changes);
  prepared.finish();
  const failures = refused.map(({ change, why }) => ({ file: change.file, why }));
  if (call.has('json')) call.out.json({ ...asJson(prepared), applied: done.length > 0, refused: failures });
  else {
    if (done.length > 0) call.out.print(`\n${words.done}`);
    for (const { kind, file } of done) call.out.print(`  ${PAST[kind]} ${prepared.shortened(file)}`);
    printList(call, 'Notes', plan.notes);
    if (done.length > 0) printList(call, 'Next', words.next ?? []);
  }
  for (const { file, why } of failures) call.out.note(`foreword: ${prepared.shortened(file)} was not changed: ${why}.`);
  return failures.length === 0 && plan.faults.length === 0 ? 0 : 1;
}

const PAST = { create: 'created', edit: 'changed', delete: 'deleted' } as const;

function asJson({ plan, agents, lineup }: PreparedInstall): object {
  const changes = plan.changes.map(({ agent, scope, file, kind, diff }) => ({
    agent: agent ?? null,
    scope,
    file,
    kind,
    diff,
  }));
  const { inPlace, skipped, notes, faults } = plan;
  return { agents, lineup: lineup ?? null, changes, in_place: inPlace, skipped, notes, faults };
}

function showSummary(call: Call, { summary, plan, titleOf }: PreparedInstall): void {
  for (const { word, text } of summary) call.out.print(wrapped(`${word.padEnd(WORD)}  `, text, terminalColumns()));
  for (const { agent, why } of plan.skipped) call.out.print(`${titleOf(agent)}: skipped, ${why}`);
  showFaults(call, plan.faults);
}

/** The first column of a summary. */
const WORD = 7;

function showDiffs(call: Call, prepared: PreparedInstall): void {
  const { plan, absent, titleOf, shortened } = prepared;
  call.out.print('');
  for (const { agent, diff } of plan.changes)
    showDiff(call, `${agent === undefined ? 'This project' : titleOf(agent)}:`, diff);
  for (const { agent, file } of plan.inPlace) call.out.print(`${titleOf(agent)}: in place, ${shortened(file)}`);
  showAbsent(call, absent);
}

function showDiff(call: Call, title: string, diff: string): void {
  call.out.title(title);
  call.out.diff(`${diff}\n`);
}

/** Where nothing changes. */
function showRest(call: Call, { plan, absent, titleOf, shortened }: PreparedInstall): void {
  for (const { agent, file } of plan.inPlace) call.out.print(`${titleOf(agent)}: in place, ${shortened(file)}`);
  for (const { agent, why } of plan.skipped) call.out.print(`${titleOf(agent)}: skipped, ${why}`);
  showAbsent(call, absent);
  showFaults(call, plan.faults);
}

function showAbsent(call: Call, absent: readonly string[]): void {
  if (absent.length > 0)
    call.out.print(`Not installed, so skipped: ${absent.join(', ')}. Use --agents NAME to include one anyway.`);
}

function showFaults(call: Call, faults: PreparedInstall['plan']['faults']): void {
  for (const { where, line, message } of faults)
    call.out.note(`foreword: ${where}${line === undefined ? '' : `:${line}`}: ${message}`);
}

/** There is somebody to ask only at a terminal, and never with --json. */
export function canAsk(call: Call): boolean {
  return !call.has('yes') && !call.has('json') && process.stdin.isTTY && process.stdout.isTTY;
}

export function printList(call: Call, title: string, lines: readonly string[]): void {
  if (lines.length > 0) call.out.print(`\n${title}:`);
  for (const line of lines) call.out.print(wrapped('- ', line, terminalColumns()));
}

/** Asks until the answer is yes or no; the keys show the diff or change the order of the lineup. */
async function askAbout(
  call: Call,
  first: PreparedInstall,
  { question }: AgreementTexts,
): Promise<PreparedInstall | 'no' | 'interrupted'> {
  let prepared = first;
  for (;;) {
    const hasOrder = (prepared.lineup?.length ?? 0) > 1;
    const answer = await askLine(`\n${question} [y/N]   d: show the diff${hasOrder ? '   o: another lineup' : ''} `);
    if (answer === undefined) return 'interrupted';
    if (/^y(es)?$/i.test(answer)) return prepared;
    if (/^d(iff)?$/i.test(answer)) showDiffs(call, prepared);
    else if (hasOrder && /^o$/i.test(answer)) {
      const names = await askLine('The agents that foreword run uses, in your order: ');
      if (names === undefined) return 'interrupted';
      prepared = otherLineup(call, prepared, namesOf(names));
    } else return 'no';
  }
}

function otherLineup(call: Call, prepared: PreparedInstall, names: readonly string[]): PreparedInstall {
  try {
    const other = prepared.withLineup?.(names) ?? prepared;
    showSummary(call, other);
    return other;
  } catch (error) {
    if (!(error instanceof ForewordError)) throw error;
    call.out.note(`foreword: ${error.message}`);
    return prepared;
  }
}

/** End of input counts as no. */
export async function isAgreed(question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await askLine(`${question} [y/N] `)) ?? '');
}

/** `undefined` for Ctrl-C; empty at the end of input. */
export async function askLine(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const stopped = new Promise<undefined>((resolve) => lines.once('SIGINT', () => resolve(undefined)));
    return (await Promise.race([lines.question(question), closed, stopped]))?.trim();
  } finally {
    lines.close();
  }
}
