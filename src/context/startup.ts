// Startup context: what a new session is told before its first prompt. Continuity first (what was left open), then
// the header, then earlier attempts and blocked tasks, then code that may matter. Composed from facts under one budget.

import { formatAge } from '../kernel/age.ts';
import type { AttemptRecord } from '../kernel/attempt.ts';
import type { Continuity } from '../kernel/continuity.ts';
import { oneLine, safeText } from '../kernel/safe-text.ts';
import type { SearchHit } from '../kernel/search.ts';
import type { TaskRecord } from '../kernel/task.ts';
import { otherWriter } from '../kernel/writer.ts';
import { type Fitted, fitSections, type Group, type Section } from './budget.ts';

export interface StartupFacts {
  /** It names its writer only where that is somebody else. */
  readonly continuity: { readonly value: Continuity; readonly ageMs: number } | undefined;
  /** What this session did before its context was made shorter (work/work-text.ts). */
  readonly state?: readonly string[];
  /** What the sessions before did. */
  readonly sessions?: readonly string[];
  /** The header as text, or '' when it could not be composed. */
  readonly header: string;
  /** The newest open attempt of each task that has one, newest first. */
  readonly attempts: readonly { readonly taskId: string; readonly attempt: AttemptRecord }[];
  readonly blocked: readonly TaskRecord[];
  /** Attempts of further tasks, not shown. */
  readonly moreAttempts: number;
  readonly hits: readonly SearchHit[];
  /** Sources that could not be read; named, so that the agent does not take them for empty. */
  readonly unavailable: readonly string[];
}

const MAX_LINE = 240;

export function composeStartup(facts: StartupFacts, budgetChars: number): Fitted {
  return fitSections(
    [state(facts), continuity(facts), sessions(facts), header(facts), tried(facts), code(facts)],
    budgetChars,
  );
}

function continuity(facts: StartupFacts): Section {
  const saved = facts.continuity?.value;
  const other = saved && otherWriter(saved, undefined);
  const by = `${saved?.by}${other === undefined ? '' : ` ${other}`}`;
  const age = facts.continuity === undefined ? '' : ` (saved ${formatAge(facts.continuity.ageMs)} by ${by})`;
  return {
    name: 'continuity',
    source: 'store: continuity',
    heading: `## From the last session${age}`,
    groups: saved === undefined ? [] : continuityGroups(saved),
    share: 0.3,
  };
}

/** First: nothing is needed more by an agent that is in the middle of it. */
function state(facts: StartupFacts): Section {
  return {
    name: 'this session',
    source: 'its transcript, git',
    heading: '## This session so far',
    groups: [{ name: 'lines about this session', lines: facts.state ?? [] }],
    share: (facts.state ?? []).length > 0 ? 0.35 : 0,
  };
}

function sessions(facts: StartupFacts): Section {
  return {
    name: 'sessions before',
    source: 'transcripts, git, store: works',
    heading: '## What the sessions before did (facts from their transcripts)',
    groups: [{ name: 'lines about earlier sessions', lines: facts.sessions ?? [] }],
    share: (facts.sessions ?? []).length > 0 ? 0.35 : 0,
  };
}

/** Ordered by what a new session needs first when not everything fits. */
function continuityGroups(saved: Continuity): readonly Group[] {
  const decisions = saved.decisions.map(({ decision, reason }) =>
    reason === undefined ? decision : `${decision} (because ${reason})`,
  );
  return [
    {
      name: 'current task',
      lines: saved.currentTask === undefined ? [] : [`Current task: ${bounded(saved.currentTask)}`],
    },
    bullets('next steps', 'Next steps', saved.nextSteps),
    bullets('in progress', 'In progress', saved.inProgress),
    bullets('blocked', 'Blocked', saved.blocked),
    bullets('decisions', 'Decisions', decisions),
    bullets('open questions', 'Open questions', saved.questions),
    bullets('done', 'Done', saved.done),
    bullets('files', 'Files', saved.files),
    {
      name: 'lines of the summary',
      lines: saved.summary === undefined ? [] : safeText(saved.summary).trimEnd().split('\n').flatMap(wrap),
    },
  ];
}

function header(facts: StartupFacts): Section {
  return {
    name: 'header',
    source: 'tasks, notes, policy, git',
    heading: '## Repository and queue',
    groups: [
      { name: 'header', lines: facts.header === '' ? [] : facts.header.trimEnd().split('\n'), isWhole: true },
      {
        name: 'unreadable sources',
        lines:
          facts.unavailable.length === 0 ? [] : [`Could not be read: ${facts.unavailable.map(bounded).join('; ')}`],
      },
    ],
    share: 0.15,
  };
}

function tried(facts: StartupFacts): Section {
  return {
    name: 'attempts and blockers',
    source: 'store: attempts, tasks',
    heading: '## Tried and blocked',
    groups: [
      {
        name: 'blockers',
        lines: facts.blocked.map((task) =>
          bounded(`- blocked: ${task.task_id}: ${task.reason ?? 'no reason recorded'}`),
        ),
      },
      {
        name: 'attempts',
        lines: facts.attempts.map(({ taskId, attempt }) => attemptLine(taskId, attempt)),
        alsoCut: facts.moreAttempts,
      },
    ],
    share: 0.1,
  };
}

function attemptLine(taskId: string, attempt: AttemptRecord): string {
  const [error] = attempt.validationErrors;
  const files = [...attempt.files_created, ...attempt.files_updated].slice(0, 3).join(', ');
  return bounded(
    `- tried: ${taskId} attempt ${attempt.attemptNumber} by ${attempt.provider}: ${attempt.exitReason ?? attempt.status}` +
      `${error === undefined ? '' : ` - ${error}`}${files === '' ? '' : ` [${files}]`}`,
  );
}

function code(facts: StartupFacts): Section {
  return {
    name: 'code search',
    source: 'search index of the tracked files',
    heading: '## Code that may matter',
    groups: [
      {
        name: 'search results',
        lines: facts.hits.map((hit) => bounded(`- ${hit.path}:${hit.line} ${hit.snippet}`)),
      },
    ],
    share: 0.1,
  };
}

function bullets(name: string, title: string, items: readonly string[]): Group {
  return { name, title: `${title}:`, lines: items.map((item) => bounded(`- ${item}`)) };
}

/** A summary may be one very long line, and the budget cuts whole lines only. */
function wrap(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > MAX_LINE) {
    const space = rest.lastIndexOf(' ', MAX_LINE);
    const end = space > MAX_LINE / 2 ? space : MAX_LINE;
    pieces.push(rest.slice(0, end).toWellFormed());
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}

function bounded(text: string): string {
  return oneLine(text, MAX_LINE);
}
