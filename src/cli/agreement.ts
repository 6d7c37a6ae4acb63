// A plan of changes to a person's files: shown, agreed to, carried out, told. The same for init and uninstall.

import { createInterface } from 'node:readline/promises';
import type { PreparedInstall } from '../app/install.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { Call, Flag } from './command.ts';

/** What a command that changes settings of agents takes. */
export const AGREEMENT_FLAGS: Readonly<Record<string, Flag>> = {
  agents: { meaning: 'only these agents, separated by commas', value: 'NAMES' },
  'dry-run': { meaning: 'show the changes, write nothing' },
  yes: { meaning: 'write without being asked' },
};

export interface AgreementTexts {
  /** What is asked before anything is written. */
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
  if (names?.length === 0) throw new ForewordError('bad-usage', '--agents names no agent.', { hint: 'Give names.' });
  return names;
}

/** Answers the exit status: 0 done or nothing to do, 1 not all could be done, 2 nobody agreed. */
export async function settle(call: Call, prepared: PreparedInstall, words: AgreementTexts): Promise<number> {
  const { plan } = prepared;
  const isJson = call.has('json');
  const tell = (more: object) => call.out.json({ ...asJson(prepared), ...more });
  if (!isJson) show(call, prepared);
  if (plan.changes.length === 0) {
    if (!call.has('dry-run')) prepared.finish();
    if (isJson) tell({ applied: false, refused: [] });
    else call.out.print(words.nothing);
    return plan.faults.length === 0 ? 0 : 1;
  }
  if (call.has('dry-run')) {
    if (isJson) tell({ applied: false, refused: [] });
    else {
      call.out.print(`${plan.changes.length} file(s) would change; nothing was written.`);
      tellNotes(call, plan.notes);
    }
    return 0;
  }
  const isAsking = canAsk(call);
  if (isAsking) tellNotes(call, plan.notes);
  if (!call.has('yes') && !(isAsking && (await isAgreed(words.question)))) {
    if (isJson) tell({ applied: false, refused: [] });
    call.out.note('foreword: nothing was written. --yes agrees without being asked; --dry-run only shows.');
    return 2;
  }
  const { done, refused } = await prepared.apply(plan.changes);
  prepared.finish();
  const failures = refused.map(({ change, why }) => ({ file: change.file, why }));
  if (isJson) tell({ applied: done.length > 0, refused: failures });
  else {
    if (done.length > 0) call.out.print(`\n${words.done}`);
    for (const { kind, file } of done) call.out.print(`  ${PAST[kind]} ${prepared.shortened(file)}`);
    if (!isAsking) tellNotes(call, plan.notes);
  }
  for (const { file, why } of failures)
    call.out.note(`foreword: ${prepared.shortened(file)} was left as it is: ${why}.`);
  return failures.length === 0 && plan.faults.length === 0 ? 0 : 1;
}

const PAST = { create: 'made   ', edit: 'changed', delete: 'deleted' } as const;

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
  for (const { agent, why } of plan.skipped) call.out.print(`${titleOf(agent)}: left out, ${why}`);
  if (absent.length > 0)
    call.out.print(`Not found here, so left out: ${absent.join(', ')}. --agents names one all the same.`);
  for (const { where, line, message } of plan.faults) {
    call.out.note(`foreword: ${where}${line === undefined ? '' : `:${line}`}: ${message}`);
  }
}

/** Only a person at a terminal can be asked; with --json nobody is. */
function canAsk(call: Call): boolean {
  return !call.has('yes') && !call.has('json') && process.stdin.isTTY && process.stdout.isTTY;
}

function tellNotes(call: Call, notes: readonly string[]): void {
  if (notes.length > 0) call.out.print('\nWhat to know:');
  for (const note of notes) call.out.print(`- ${note}`);
}

/** The end of input is no. */
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
