// A plan of changes to a person's files: shows it, asks, applies it, reports what was done. init and uninstall share it.

import type { PreparedInstall } from '../app/install.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { Call, Flag } from './command.ts';
import { askKey, askLine } from './keys.ts';
import { isPaged } from './pager.ts';
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
  /** Where the answer of `--json` goes; it is printed when absent. */
  json?(answer: object): void;
  /** The plan for other agents, for somebody who wants fewer. Throws what is wrong with the names. */
  forAgents?(names: readonly string[]): PreparedInstall | Promise<PreparedInstall>;
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
  const giveJson = words.json ?? ((answer: object) => call.out.json(answer));
  const printJson = (prepared: PreparedInstall, more: object) => giveJson({ ...asJson(prepared), ...more });
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
  return apply(call, agreed, { ...words, json: giveJson });
}

async function apply(
  call: Call,
  prepared: PreparedInstall,
  words: AgreementTexts & Required<Pick<AgreementTexts, 'json'>>,
): Promise<number> {
  const { plan } = prepared;
  const { done, refused } = await prepared.apply(plan.changes);
  prepared.finish();
  const failures = refused.map(({ change, why }) => ({ file: change.file, why }));
  if (call.has('json')) words.json({ ...asJson(prepared), applied: done.length > 0, refused: failures });
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
  // A person's own files first: what is changed in them matters more than what is new.
  const changes = plan.changes.toSorted(
    (one, other) => Number(one.kind === 'create') - Number(other.kind === 'create'),
  );
  for (const { agent, diff } of changes) showDiff(call, agent === undefined ? 'this project' : titleOf(agent), diff);
  for (const { agent, file } of plan.inPlace) call.out.print(`${titleOf(agent)}: in place, ${shortened(file)}`);
  showAbsent(call, absent);
}

/** Whose file it is stands where a diff has room for a time: a line of its own could be the last one of a page. */
function showDiff(call: Call, owner: string, diff: string): void {
  call.out.diff(`${diff.replace('\n', `\t(${owner})\n`)}\n`);
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

/** Asks until the answer is yes or no; the other keys show the diff, or change the plan. */
async function askAbout(
  call: Call,
  first: PreparedInstall,
  words: AgreementTexts,
): Promise<PreparedInstall | 'no' | 'interrupted'> {
  let prepared = first;
  for (;;) {
    const offers = offersFor(prepared, words);
    const key = await askKey(
      `\n${words.question} [y/N]   ${offers.map((one) => one.text).join('   ')} `,
      keysOf(offers),
    );
    if (key === undefined) return 'interrupted';
    if (key === 'y') return prepared;
    if (key === 'n') return 'no';
    const offer = offers.find((one) => one.key === key);
    if (offer?.ask === undefined) showPaged(call, prepared);
    else {
      const names = await askLine(`${offer.ask}: `);
      if (names === undefined) return 'interrupted';
      prepared = await changed(call, prepared, () => offer.change(namesOf(names)));
    }
  }
}

interface Offer {
  readonly key: string;
  readonly text: string;
  /** What is asked then, and what its answer changes. */
  readonly ask?: string;
  change(names: readonly string[]): PreparedInstall | Promise<PreparedInstall>;
}

function offersFor(prepared: PreparedInstall, { forAgents }: AgreementTexts): readonly Offer[] {
  const { agents, lineup = [], withLineup } = prepared;
  return [
    { key: 'd', text: 'd: show the diff', change: () => prepared },
    ...(forAgents === undefined || agents.length < 2
      ? []
      : [
          {
            key: 'a',
            text: 'a: fewer agents',
            ask: `Which of these agents (${agents.join(', ')})`,
            change: forAgents,
          },
        ]),
    ...(withLineup === undefined || lineup.length < 2
      ? []
      : [
          {
            key: 'o',
            text: 'o: another lineup',
            ask: 'The agents that foreword run uses, in your order',
            change: withLineup,
          },
        ]),
  ];
}

function keysOf(offers: readonly Offer[]): string {
  return `y${offers.map(({ key }) => key).join('')}`;
}

/** The whole diff is long: page by page where there is a pager. */
function showPaged(call: Call, prepared: PreparedInstall): void {
  const text = call.out.captured(() => showDiffs(call, prepared));
  if (!isPaged(text, process.stdout.rows || 24)) showDiffs(call, prepared);
}

/** The plan as it is where the names cannot be used. */
async function changed(
  call: Call,
  prepared: PreparedInstall,
  change: () => PreparedInstall | Promise<PreparedInstall>,
): Promise<PreparedInstall> {
  try {
    const other = await change();
    showSummary(call, other);
    return other;
  } catch (error) {
    if (!(error instanceof ForewordError)) throw error;
    call.out.note(`foreword: ${error.message}`);
    return prepared;
  }
}
