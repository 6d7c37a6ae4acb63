// An audit in words and tables, for a terminal and for a page alike. Pure.

import type { EntryPoint } from '../../kernel/agent-audit.ts';
import type { Beginning } from './session.ts';
import type { Spread } from './spread.ts';
import type { AuditFigures, AuditFinding, AuditGroup, FindingKind, MeterFigures } from './tally.ts';

export interface AuditTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

const FROM: Readonly<Record<EntryPoint, string>> = {
  terminal: 'terminal',
  editor: 'editor',
  desktop: 'desktop program',
  program: 'program',
  unknown: 'unknown',
};

const AFTER: Readonly<Record<Beginning, string>> = {
  start: 'a start',
  resume: 'a resume',
  fork: 'a fork',
  compaction: 'a compaction',
  switch: 'a switch',
};

/** One sentence each, and what to do about it where there is something. */
export function findingLines({ findings }: Pick<AuditFigures, 'findings'>): readonly string[] {
  return findings.map((finding) => `${whose(finding)}: ${SAYS[finding.kind](finding)}`);
}

function whose({ agent, version, entry }: AuditFinding): string {
  const from = entry === undefined || entry === 'unknown' ? '' : `, ${FROM[entry]}`;
  return `${agent}${version === undefined ? '' : ` ${version}`}${from}`;
}

const SAYS: Readonly<Record<FindingKind, (finding: AuditFinding) => string>> = {
  'no-hooks': ({ count, of }) =>
    `no hook left a trace in ${among(count, of)}, while hooks ran in the same folders when it was started from elsewhere. It worked without what hooks put before it.`,
  untrusted: (one) =>
    `skips the hook ${command(one)} at ${one.event}: nobody agreed to it. Start it in a terminal and review its hooks.`,
  modified: (one) =>
    `skips the hook ${command(one)} at ${one.event}: it was changed after somebody agreed to it. Start it in a terminal and review its hooks.`,
  lost: (one) =>
    `${counted(one.count, 'text')} of ${hook(one)} ${one.count === 1 ? 'was' : 'were'} printed and never reached the model${after(one)}.`,
  cut: (one) => `${counted(one.count, 'text')} of ${hook(one)} reached the model only in part.`,
  again: (one) =>
    `${counted(one.count, 'text')}${one.event === undefined || one.event === '' ? '' : ` at ${one.event}`} stood before the model more than once at the same time.`,
  failed: (one) => `${hook(one)} failed ${times(one.count)}.`,
  slow: (one) => `${hook(one)} took 5 seconds or longer ${times(one.count)}.`,
  'not-again': ({ count }) =>
    `after ${counted(count, 'compaction')} nothing that hooks had told the model was told again, and it went on without.`,
  'sub-agents': ({ count }) =>
    `none of ${counted(count, 'sub-agent')} was given a text of a hook; the sessions that started them were.`,
  clock: ({ count }) =>
    `the clock went backwards ${times(count)} by two minutes or more; times are not to be trusted there.`,
  torn: ({ count, example }) =>
    `${counted(count, 'line')} of a transcript broke off in the middle (${example}); what stood there is not counted.`,
  long: ({ count, example }) =>
    `${counted(count, 'line')} of a transcript had more than 32 MiB (${example}) and was left out.`,
  'unknown-format': ({ count, example }) =>
    `${counted(count, 'transcript')} of a version whose format is not known here (${example}); nothing of it is counted.`,
  unreadable: ({ count, example }) => `${counted(count, 'transcript')} could not be read (${example}).`,
};

function hook({ command: line, event }: AuditFinding): string {
  const at = event === undefined || event === '' ? '' : ` at ${event}`;
  return line === undefined ? `a hook${at}` : `the hook "${line}"${at}`;
}

function command({ command: line }: AuditFinding): string {
  return `"${line ?? ''}"`;
}

function after({ during }: AuditFinding): string {
  return during === undefined || during === 'start' ? '' : ` after ${AFTER[during]}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function among(count: number, of = count): string {
  return of === count ? counted(count, 'session') : `${count} of ${counted(of, 'session')}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

export function auditTables({ groups, subagents }: AuditFigures): readonly AuditTable[] {
  return [
    {
      title: 'Sessions',
      head: [
        'agent',
        'version',
        'from',
        'sessions',
        'prompts',
        'actions',
        'edits',
        'compactions',
        'resumes',
        'forks',
        'sub-agents',
      ],
      rows: groups.map((one) => [
        one.agent,
        one.version,
        FROM[one.entry],
        one.sessions,
        one.prompts,
        one.actions,
        one.edits,
        one.compactions,
        one.resumes,
        one.forks,
        one.delegated,
      ]),
    },
    {
      title: 'Hooks and their texts',
      head: [
        'agent',
        'version',
        'from',
        'hooks ran',
        'failed',
        'slow',
        'printed',
        'served',
        'characters',
        'cut',
        'twice',
        'lost',
        'sessions without',
      ],
      rows: groups.map((one) => [
        one.agent,
        one.version,
        FROM[one.entry],
        one.hooks,
        one.failed,
        one.slow,
        one.printed,
        one.served,
        one.characters,
        one.cut,
        one.again,
        one.lost,
        one.withoutHooks,
      ]),
    },
    {
      title: 'From a beginning to the first edit (half of them at most; three quarters at most)',
      head: ['agent', 'version', 'from', 'after', 'times', 'with an edit', 'actions', 'tokens'],
      rows: groups.flatMap(meterRows),
    },
    {
      title: 'Sub-agents',
      head: ['agent', 'conversations', 'given a text of a hook'],
      rows: subagents.map(({ agent, count, told }) => [agent, count, told]),
    },
  ].filter(({ rows }) => rows.length > 0);
}

function meterRows({ agent, version, entry, reorientation }: AuditGroup): readonly (readonly (string | number)[])[] {
  return Object.entries(reorientation).map(([by, { beginnings, edited, actions, tokens }]: [string, MeterFigures]) => [
    agent,
    version,
    FROM[entry],
    AFTER[by as Beginning],
    beginnings,
    edited,
    spreadText(actions),
    spreadText(tokens),
  ]);
}

function spreadText(spread: Spread | undefined): string {
  return spread === undefined ? '-' : `${spread.median}; ${spread.p75}`;
}

/** What the figures cannot show. `textsOnly`: agents whose transcripts do not show each run of a hook. */
export function auditNotes(textsOnly: readonly string[]): readonly string[] {
  const agents =
    textsOnly.length === 0
      ? ''
      : ` ${textsOnly.join(', ')}: the transcript keeps the texts that reached the conversation, not each run of a hook.`;
  return [
    `A hook that prints nothing leaves no trace in a transcript.${agents}`,
    'Tokens are how much the conversation grew up to the first edit.',
  ];
}

export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1000)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
