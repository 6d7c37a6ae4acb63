// What a new session reads of the sessions before it, and a compacted one of itself. At most 2 KiB together.

import { formatAge } from '../../kernel/age.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { EndedCommand, SessionFacts, SessionWork } from '../../kernel/session-work.ts';
import { fitSections, type Group, type Section } from '../budget.ts';

export const MOST_WORK_CHARS = 2048;

export interface WorkReader {
  /** The agent that reads it; absent for a person, and where it is not known. */
  readonly agent: string | undefined;
  /** The person agreed that prompts cross to other agents (`continuity.across`). */
  readonly isAcross: boolean;
  readonly now: number;
}

/** The lines about earlier sessions, newest first; none when nothing is known. The newest gets half of the room. */
export function workLines(works: readonly SessionWork[], reader: WorkReader): readonly string[] {
  const known = works.filter((work) => work.facts !== undefined);
  const sections = known.flatMap((work, rank) => {
    const { facts } = work;
    if (facts === undefined) return [];
    const mayRead = reader.isAcross || reader.agent === work.agent;
    const one = section(
      headingOf(work, reader.now),
      rank === 0 ? facts : brief(facts),
      mayRead ? undefined : work.agent,
    );
    return [{ ...one, share: (rank === 0 ? 1 : 0.5) * (1 / Math.max(1, (known.length + 1) / 2)) }];
  });
  return linesOf(sections);
}

/** The lines about the session that goes on. */
export function stateLines(facts: SessionFacts): readonly string[] {
  const { groups, ...rest } = section('Before the compaction, in this session:', facts, undefined);
  const own = groups.map((group) => (group.name === UNCOMMITTED ? uncommitted(facts, 'Not committed: ') : group));
  return linesOf([{ ...rest, groups: own }]);
}

function linesOf(sections: readonly Section[]): readonly string[] {
  const { text } = fitSections(sections, MOST_WORK_CHARS);
  const lines = text.trimEnd().split('\n');
  return lines.filter((line) => line !== '');
}

const BRIEF = { prompt: 90, files: 4, path: 60, items: 1, item: 70 } as const;

/** What is left of a session that is not the last one: its first and its last prompt, where it worked, and how it ended. */
function brief(facts: SessionFacts): SessionFacts {
  const short = (items: readonly string[]) => items.slice(0, BRIEF.items).map((item) => oneLine(item, BRIEF.item));
  return {
    ...facts,
    prompts: firstAndLast(facts.prompts).map((text) => oneLine(text, BRIEF.prompt)),
    files: facts.files.slice(0, BRIEF.files).map(({ path, edits }) => ({ path: oneLine(path, BRIEF.path), edits })),
    commands: facts.commands
      .filter(({ isNewest }) => isNewest)
      .map(({ error: _, ...rest }) => ({ ...rest, command: oneLine(rest.command, BRIEF.item) })),
    open: short(facts.open),
    commits: short(facts.commits),
    uncommitted: [],
    uncommittedCount: 0,
  };
}

function headingOf(work: SessionWork, now: number): string {
  const age = formatAge(Math.max(0, now - Date.parse(work.endedAt)));
  const end = work.isCutOff === true ? `which broke off ${age}` : `which ended ${age}`;
  if (work.kind === 'run') return `A run of ${oneLine(work.agent, 80)}, ${end}:`;
  return `A session of ${oneLine(work.agent, 40)}, ${end}:`;
}

/** `keptWith` is the agent that the prompts stay with. */
function section(heading: string, facts: SessionFacts, keptWith: string | undefined): Section {
  return {
    name: heading,
    source: 'store: works',
    heading,
    share: 1,
    groups: [
      prompts(facts, keptWith),
      files(facts),
      { name: 'commands', lines: facts.commands.map(commandLine) },
      list('open items', 'Open on its list', { items: facts.open, count: facts.openCount }),
      list('commits', 'Commits', { items: facts.commits, count: facts.commits.length }),
      { name: 'tasks', lines: facts.tasks.length === 0 ? [] : [`Tasks: ${facts.tasks.join(', ')}`] },
      uncommitted(facts),
      { name: 'what is missing', lines: facts.missing.map((text) => `Note: ${text}`) },
    ],
  };
}

/** What was wanted, and what came of it. */
function firstAndLast(texts: readonly string[]): readonly string[] {
  return texts.length <= 2 ? texts : [...texts.slice(0, 1), ...texts.slice(-1)];
}

function prompts({ prompts: texts, promptCount }: SessionFacts, keptWith: string | undefined): Group {
  if (texts.length === 0) return { name: 'prompts', lines: [] };
  if (keptWith !== undefined)
    return { name: 'prompts', lines: [`Prompts of the person: ${promptCount}, which stay with ${keptWith}`] };
  const between = promptCount - texts.length;
  const title =
    between > 0 ? `Prompts of the person (${between} between the first and these left out):` : 'Prompts of the person:';
  return { name: 'prompts', title, lines: texts.map((text) => `- "${text}"`) };
}

/** Several on a line: a path is short, and they are many. */
function files({ files: edited, fileCount }: SessionFacts): Group {
  const names = edited.map(({ path, edits }) => (edits === 1 ? path : `${path} (${edits} edits)`));
  return { name: 'edited files', lines: wrapped('Edited: ', names, fileCount - edited.length) };
}

const UNCOMMITTED = 'uncommitted files';

function uncommitted(facts: SessionFacts, title = 'Not committed at its end: '): Group {
  const more = facts.uncommittedCount - facts.uncommitted.length;
  return { name: UNCOMMITTED, lines: wrapped(title, facts.uncommitted, more) };
}

const LINE = 200;

function wrapped(title: string, names: readonly string[], more: number): readonly string[] {
  if (names.length === 0) return [];
  const lines: string[] = [];
  let line = title;
  for (const name of [...names, ...(more > 0 ? [`and ${more} more`] : [])]) {
    const next = line === title || line === '  ' ? line + name : `${line}, ${name}`;
    if (next.length <= LINE || line === title) line = next;
    else {
      lines.push(`${line},`);
      line = `  ${name}`;
    }
  }
  return [...lines, line];
}

function list(
  name: string,
  title: string,
  { items, count }: { readonly items: readonly string[]; readonly count: number },
): Group {
  return { name, title: `${title}:`, lines: items.map((item) => `- ${item}`), alsoCut: count - items.length };
}

function commandLine({ kind, command, isFailed, isNewest, error }: EndedCommand): string {
  // What came later may stand with another session.
  const state = isFailed ? (isNewest ? 'failing' : 'failed earlier') : isNewest ? 'passing' : 'passed earlier';
  return `${kind === 'tests' ? 'Tests' : 'Build'} ${state}: \`${command}\`${isFailed && isNewest && error !== undefined ? ` - ${error}` : ''}`;
}
