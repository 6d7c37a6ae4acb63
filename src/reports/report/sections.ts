// The report in Markdown: a list of sections, the most urgent first; one without lines is left out. To add one: write a function
// that returns its lines, with every foreign text in `code` (markdown.ts), and put it into the list.

import { costText, usageText } from '../../kernel/usage.ts';
import { findingLine } from '../../kernel/verdict.ts';
import { agentName, code, codes, commandBlock, indented } from './markdown.ts';
import type { PersonNeed } from './needs.ts';
import type { ReportOnRun } from './report.ts';
import { hourLines } from './time-lines.ts';
import { spanText } from './work-times.ts';

export interface ReportSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** How a person reads a time: `2026-11-16 23:59`. */
export type ShowTime = (iso: string) => string;

/** `more` are sections of others; they come before the commands. */
export function reportText(report: ReportOnRun, showTime: ShowTime, more: readonly ReportSection[] = []): string {
  const sections: readonly ReportSection[] = [
    { title: 'Needs you', lines: needsLines(report) },
    { title: 'Done', lines: report.done.slice(0, MOST).map(doneLine).concat(moreLine(report.done.length)) },
    {
      title: 'Failed',
      lines: report.failed.slice(0, MOST).flatMap(failedLines).concat(moreLine(report.failed.length)),
    },
    { title: 'Running', lines: runningLines(report, showTime) },
    {
      title: 'Switches and retries',
      lines: [...limitLines(report, showTime), ...switchLines(report), ...retryLines(report)],
    },
    { title: 'Waiting', lines: waitLines(report, showTime) },
    { title: 'Reviews', lines: reviewLines(report) },
    { title: 'Tokens and cost', lines: usageLines(report) },
    { title: 'Boxes', lines: boxLines(report) },
    { title: 'Hour by hour', lines: hourLines(report.hours, showTime) },
    ...more,
    { title: 'Branch', lines: branchLines(report) },
  ];
  const shown = sections.filter(({ lines }) => lines.length > 0);
  const texts = [
    [`# Run ${code(report.run.id)}`, '', ...headLines(report, showTime)],
    ...shown.map(({ title, lines }) => [`## ${title}`, '', ...lines]),
  ];
  return `${texts.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`;
}

/** Longer lists are for `--json`. */
const MOST = 50;

function moreLine(length: number): readonly string[] {
  return length > MOST ? [`- and ${length - MOST} more: ${code('foreword report --json')} has all`] : [];
}

function headLines(report: ReportOnRun, showTime: ShowTime): readonly string[] {
  const { statuses, work, usage, workedMs } = report;
  const needs = report.needs.length + report.agentsAway.length;
  const all = Object.values(statuses).reduce((sum, each) => sum + each, 0);
  const counts = [
    `${statuses.completed ?? 0} of ${plural(all, 'task')} done`,
    ...named(statuses.failed, 'failed'),
    ...named(statuses['needs-review'], 'to review'),
    ...named(statuses.blocked, 'blocked'),
    ...named(statuses.running, 'running'),
    ...named(statuses.queued, 'queued'),
  ].join(', ');
  const people = needs === 0 ? '' : `; ${needs === 1 ? '1 thing needs' : `${needs} things need`} you`;
  const cost = usage.runs === 0 ? '' : `, ${costText(usage.costUsd)}${unknownOf(usage.withoutCost, usage.runs)}`;
  const took = work.length === 0 ? '' : ` In ${spanText(workedMs)}${cost}.`;
  const [first, last] = [work[0], work.at(-1)];
  if (first === undefined || last === undefined) return [`**${counts}${people}.**`];
  const calls = work.length === 1 ? '' : `, in ${work.length} calls`;
  return [
    `**${counts}${people}.**${took}`,
    '',
    `Task file ${code(report.run.taskFile)}, from ${spanOfTimes(first.from, last.to, showTime)}${calls}${ENDS[last.end]}`,
  ];
}

/** The date of the end only when it is another one. */
function spanOfTimes(from: string, to: string, showTime: ShowTime): string {
  const [start, end] = [showTime(from), showTime(to)];
  const [date = '', time] = end.split(' ');
  return `${start} to ${time !== undefined && start.startsWith(`${date} `) ? time : end}`;
}

const ENDS: Readonly<Record<ReportOnRun['work'][number]['end'], string>> = {
  finished: '.',
  stopped: '; somebody stopped it.',
  'cut-off': '; it was cut off: its supervisor is gone.',
  'goes-on': '; it goes on.',
};

function unknownOf(unknown: number, of: number): string {
  return unknown === 0 || unknown === of ? '' : ` (unknown for ${unknown} of ${of} agent runs)`;
}

function named(count: number | undefined, name: string): readonly string[] {
  return count === undefined || count === 0 ? [] : [`${count} ${name}`];
}

function plural(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

function needsLines({ needs, agentsAway }: ReportOnRun): readonly string[] {
  const away = agentsAway.map(({ agent, reason }) => ({
    text: `${agentName(agent)} gets no work (${code(reason)}): it needs a login or an installation.`,
    commands: ['foreword doctor'],
  }));
  return [...needs.map(needEntry), ...away].slice(0, MOST).flatMap(({ text, commands }, index) => {
    const lead = `${index + 1}. `;
    const block = commandBlock(commands);
    return [`${lead}${text}`, ...indented(block.length === 0 ? [] : ['', ...block, ''], lead.length)];
  });
}

/** What happened to one task, and to several. */
const WHAT: Readonly<Record<PersonNeed['what'], readonly [string, string]>> = {
  failed: ['failed', 'failed'],
  blocked: ['is blocked', 'are blocked'],
  'needs-review': ['needs review', 'need review'],
  'supervisor-gone': ['was cut off', 'were cut off'],
};

/** More commands than that are a list that nobody copies. */
const MOST_COMMANDS = 12;

function needEntry({ what, why, tasks, holdsBack, commands }: PersonNeed) {
  const [one, several] = WHAT[what];
  const who = tasks.length === 1 ? `${codes(tasks)} ${one}` : `${tasks.length} tasks ${several} (${codes(tasks)})`;
  const it = tasks.length === 1 ? 'It holds' : 'They hold';
  const behind = holdsBack.length === 0 ? '' : ` ${it} back ${plural(holdsBack.length, 'task')}: ${codes(holdsBack)}.`;
  const more = commands.length > MOST_COMMANDS ? ['foreword status'] : [];
  return { text: `${who}: ${code(why, 400)}.${behind}`, commands: [...commands.slice(0, MOST_COMMANDS), ...more] };
}

function doneLine({
  task,
  intent,
  commit,
  merged,
  attempts,
  agent,
  reviewer,
  by,
  isUnchanged,
}: ReportOnRun['done'][number]): string {
  const facts = [
    ...(agent === undefined ? [] : [`by ${agentName(agent)}`]),
    ...(attempts > 0 ? [plural(attempts, 'attempt')] : []),
    ...(reviewer === undefined ? [] : [`reviewed by ${agentName(reviewer)}`]),
    ...(by === 'person' ? ['accepted by a person'] : []),
    ...(isUnchanged === true ? ['**changed no file**'] : []),
    ...(merged === undefined ? [] : ['merged']),
  ];
  const at = commit === undefined ? '' : `${code(commit.slice(0, 7))} `;
  return `- ${at}${code(task)} ${code(intent, 120)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function failedLines({
  task,
  intent,
  attempts,
  agents,
  error,
  stderr,
  log,
}: ReportOnRun['failed'][number]): readonly string[] {
  const who = agents.length === 0 ? '' : ` by ${agents.map(agentName).join(', ')}`;
  return [
    `- ${code(task)} ${code(intent, 120)}: ${plural(attempts, 'attempt')}${who}`,
    `  - last error: ${code(error, 400)}`,
    ...(stderr === undefined ? [] : [`  - error output: ${code(stderr)}`]),
    ...(log === undefined ? [] : [`  - log: ${code(log, 1000)}`]),
  ];
}

function runningLines({ running }: ReportOnRun, showTime: ShowTime): readonly string[] {
  return running.map(({ task, agent, attempt, since, isGone }) => {
    const who = agent === undefined ? 'no attempt yet' : `attempt ${attempt} by ${agentName(agent)}`;
    return `- ${code(task)}: ${who}, since ${showTime(since)}${isGone ? '; its supervisor is gone' : ''}`;
  });
}

/** An agent that comes back and is away again is named with its last time. */
function limitLines({ limits }: ReportOnRun, showTime: ShowTime): readonly string[] {
  const groups = new Map<string, ReportOnRun['limits'][number][]>();
  for (const limit of limits) groups.set(limit.agent, [...(groups.get(limit.agent) ?? []), limit]);
  return [...groups.values()].slice(0, MOST).flatMap((all) => {
    const last = all.at(-1);
    if (last === undefined) return [];
    const times = all.length === 1 ? '' : `, ${all.length} times, the last`;
    return [
      `- ${agentName(last.agent)} was not available${times} from ${spanOfTimes(last.at, last.until, showTime)} (${code(last.reason)})`,
    ];
  });
}

/** The same switch of several tasks is one line. */
function switchLines({ switches }: ReportOnRun): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { task, from, to, reason } of switches) {
    const text = `from ${agentName(from)} to ${agentName(to)} (${code(reason)})`;
    groups.set(text, [...(groups.get(text) ?? []), task]);
  }
  return [...groups].map(([text, tasks]) => {
    const times = tasks.length === 1 ? '' : `${tasks.length} times `;
    return `- ${times}${text}: ${codes([...new Set(tasks)])}`;
  });
}

function retryLines({ retried }: ReportOnRun): readonly string[] {
  const lines = retried.slice(0, MOST).map(({ task, attempts }) => {
    const each = attempts
      .slice(0, 10)
      .map(({ agent, outcome }) => `${agentName(agent)} ${OUTCOMES[outcome] ?? code(outcome, 60)}`);
    const more = attempts.length > 10 ? ` and ${attempts.length - 10} more` : '';
    return `- ${code(task)}, ${plural(attempts.length, 'attempt')}: ${each.join(', ')}${more}`;
  });
  return [...lines, ...moreLine(retried.length)];
}

/** Other outcomes are the error classes that agents have. */
const OUTCOMES: Readonly<Record<string, string>> = {
  passed: 'passed',
  'needs-review': 'to review',
  validation_failure: 'failed its checks',
  conflict: 'passed, in conflict with the branch',
  rejected: 'rejected in review',
  interrupted: 'interrupted',
  timeout: 'timeout',
};

function waitLines({ waits }: ReportOnRun, showTime: ShowTime): readonly string[] {
  return waits.map(({ for: what, from, to, until, tasks, ms, isOpen }) => {
    return `- ${spanText(ms)} for ${code(what)}, from ${isOpen ? `${showTime(from)} to now, expected back at ${showTime(until)}` : spanOfTimes(from, to, showTime)}: ${codes(tasks)}`;
  });
}

const VERDICTS = { approve: 'approved', reject: 'rejected', none: 'gave no verdict on' } as const;

function reviewLines({ reviews }: ReportOnRun): readonly string[] {
  return reviews
    .slice(0, MOST)
    .flatMap(({ task, attempt, agent, verdict, findings }) => [
      `- ${agentName(agent)} ${VERDICTS[verdict ?? 'none']} attempt ${attempt} of ${code(task)}`,
      ...findings.slice(0, 5).map((finding) => `  - ${code(findingLine(finding))}`),
      ...(findings.length > 5 ? [`  - and ${findings.length - 5} more`] : []),
    ]);
}

function usageLines({ usage, usageByAgent }: ReportOnRun): readonly string[] {
  if (usage.runs === 0) return [];
  const each = usageByAgent.map(
    ({ agent, usage: used }) => `- ${agentName(agent)}, ${plural(used.runs, 'time')}: ${usageText(used)}`,
  );
  return [`${usageText(usage)}.`, '', ...each];
}

function boxLines({ boxes, refused }: ReportOnRun): readonly string[] {
  const lines = boxes.map(({ level, why, attempts, agents }) => {
    const where = level === 'none' ? 'without a box' : `in a box (${level})`;
    const because = why === undefined ? '' : `: ${code(why)}`;
    return `- ${plural(attempts, 'attempt')} by ${agents.map(agentName).join(', ')} ran ${where}${because}`;
  });
  const tried = alike(refused);
  const shown = tried.slice(0, MOST).map(({ task, attempts, what }) => {
    const which = attempts.length === 1 ? `attempt ${attempts[0]}` : `attempts ${attempts.join(', ')}`;
    return `- refused in ${which} of ${code(task)}: ${code(what)}`;
  });
  return [...lines, ...shown, ...moreLine(tried.length)];
}

interface Tried {
  readonly task: string;
  readonly attempts: readonly number[];
  readonly what: string;
}

/** An agent tries the same thing in each of its attempts, with another number of files. */
function alike(refused: ReportOnRun['refused']): readonly Tried[] {
  const found = new Map<string, Tried>();
  for (const { task, attempt, what } of refused) {
    const key = `${task}\n${what.replace(/\d+ files/, '')}`;
    const { attempts = [] } = found.get(key) ?? {};
    found.set(key, { task, attempts: attempts.includes(attempt) ? attempts : [...attempts, attempt], what });
  }
  return [...found.values()];
}

function branchLines({ run, commands }: ReportOnRun): readonly string[] {
  return [
    `${code(run.line)}${run.state === 'merged' ? ', merged' : ''}.`,
    ...(commands.length === 0 ? [] : ['']),
    ...commandBlock(commands),
  ];
}
