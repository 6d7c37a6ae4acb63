// A plan of changes to a person's files: shows it, asks, applies it, reports what was done. init and uninstall share it.

import { createInterface } from 'node:readline/promises';
import type { PreparedInstall } from '../app/install.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { Call, Flag } from './command.ts';

/** The flags of a command that changes the settings of agents. */
export const AGREEMENT_FLAGS: Readonly<Record<string, Flag>> = {
  agents: { description: 'only these agents, separated by commas', value: 'NAMES' },
  'dry-run': { description: 'show the changes, write nothing' },
  yes: { description: 'write without a question' },
};

export interface AgreementTexts {
  /** The question before anything is written. */
  readonly question: string;
  readonly nothing: string;
  readonly done: string;
}

export function namesIn(call: Call): readonly string[] | undefined {
  const names = call
    .text('agents')
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names?.length === 0)
    throw new ForewordError('bad-usage', '--agents names no agent.', { hint: 'Give names separated by commas.' });
  return names;
}

/** Returns the exit code: 0 done or nothing to do, 1 some changes failed, 2 nobody agreed. */
export async function settle(call: Call, prepared: PreparedInstall, words: AgreementTexts): Promise<number> {
  const { plan } = prepared;
  const isJson = call.has('json');
  const printJson = (more: object) => call.out.json({ ...asJson(prepared), ...more });
  if (!isJson) show(call, prepared);
  if (plan.changes.length === 0) {
    if (!call.has('dry-run')) prepared.finish();
    if (isJson) printJson({ applied: false, refused: [] });
    else call.out.print(words.nothing);
    return plan.faults.length === 0 ? 0 : 1;
  }
  if (call.has('dry-run')) {
    if (isJson) printJson({ applied: false, refused: [] });
    else {
      call.out.print(`${plan.changes.length} file(s) would change; nothing was written.`);
      printNotes(call, plan.notes);
    }
    return 0;
  }
  const isAsking = canAsk(call);
  if (isAsking) printNotes(call, plan.notes);
  if (!call.has('yes') && !(isAsking && (await isAgreed(words.question)))) {
    if (isJson) printJson({ applied: false, refused: [] });
    call.out.note(
      'foreword: nothing was written. Use --yes to write without a question, or --dry-run to see the changes.',
    );
    return 2;
  }
  const { done, refused } = await prepared.apply(plan.changes);
  prepared.finish();
  const failures = refused.map(({ change, why }) => ({ file: change.file, why }));
  if (isJson) printJson({ applied: done.length > 0, refused: failures });
  else {
    if (done.length > 0) call.out.print(`\n${words.done}`);
    for (const { kind, file } of done) call.out.print(`  ${PAST[kind]} ${prepared.shortened(file)}`);
    if (!isAsking) printNotes(call, plan.notes);
  }
  for (const { file, why } of failures) call.out.note(`foreword: ${prepared.shortened(file)} was not changed: ${why}.`);
  return failures.length === 0 && plan.faults.length === 0 ? 0 : 1;
}

const PAST = { create: 'created', edit: 'changed', delete: 'deleted' } as const;

function asJson({ plan, agents }: PreparedInstall): object {
  const changes = plan.changes.map(({ agent, scope, file, kind, diff }) => ({
    agent: agent ?? null,
    scope,
    file,
    kind,
    diff,
  }));
  const { inPlace, skipped, notes, faults } = plan;
  return { agents, changes, in_place: inPlace, skipped, notes, faults };
}

function show(call: Call, { plan, absent, titleOf, shortened }: PreparedInstall): void {
  for (const { agent, diff } of plan.changes) {
    call.out.print(`${agent === undefined ? 'This project' : titleOf(agent)}:\n${diff}\n`);
  }
  for (const { agent, file } of plan.inPlace) call.out.print(`${titleOf(agent)}: in place, ${shortened(file)}`);
  for (const { agent, why } of plan.skipped) call.out.print(`${titleOf(agent)}: skipped, ${why}`);
  if (absent.length > 0)
    call.out.print(`Not installed, so skipped: ${absent.join(', ')}. Use --agents NAME to include one anyway.`);
  for (const { where, line, message } of plan.faults) {
    call.out.note(`foreword: ${where}${line === undefined ? '' : `:${line}`}: ${message}`);
  }
}

/** There is somebody to ask only at a terminal, and never with --json. */
function canAsk(call: Call): boolean {
  return !call.has('yes') && !call.has('json') && process.stdin.isTTY && process.stdout.isTTY;
}

function printNotes(call: Call, notes: readonly string[]): void {
  if (notes.length > 0) call.out.print('\nNotes:');
  for (const note of notes) call.out.print(`- ${note}`);
}

/** End of input counts as no. */
async function isAgreed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
