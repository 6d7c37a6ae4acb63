// What each tool answers, from an open project. A text for the model: bounded, redacted, with what is invisible made visible.

import type { Clock } from '../kernel/clock.ts';
import { ForewordError } from '../kernel/errors.ts';
import { oneLine, safeText } from '../kernel/safe-text.ts';
import type { CodeSearch } from '../kernel/search.ts';
import { wordsOf } from '../kernel/search-words.ts';
import type { Stores } from '../kernel/stores.ts';
import { historyText, sessionsText, type TaskAttempts, triedOn } from './history-text.ts';
import { type Arguments, limitArgument, notesArgument, textArgument } from './read-arguments.ts';
import type { ToolName } from './tools.ts';

/** What is needed of the project; app/mcp.ts fits it. */
export interface AskedProject {
  readonly root: string;
  /** Whether foreword may work here: it has a folder of ours, or a person switched it on. */
  readonly isOn: boolean;
  readonly config: { readonly search: { readonly maxHits: number } };
  readonly clock: Pick<Clock, 'now'>;
  redact(text: string): string;
  startup(agent: string | undefined, task: string | undefined): Promise<string>;
  readStores(): Promise<Stores>;
  /** `json` is what `foreword save` takes. Returns the sentence about it. */
  save(json: string): Promise<string>;
  /** `undefined` outside a repository. */
  codeSearch(): Promise<CodeSearch | undefined>;
  close(): Promise<void>;
}

export interface Asked {
  readonly tool: ToolName;
  readonly given: Arguments;
  /** The agent that asks, where its name is known. */
  readonly agent: string | undefined;
}

/** An agent reads it whole; the startup context has its own, smaller budget. */
const MOST_CHARS = 12_000;
/** Each task is read by itself. */
const MOST_TASKS_READ = 500;

/** Throws ForewordError for what the agent or the person can fix. */
export async function answerOf(asked: Asked, project: AskedProject): Promise<string> {
  if (!project.isOn)
    throw new ForewordError('bad-usage', `foreword is not switched on in ${project.root}.`, {
      hint: 'Nothing was read or saved. A person switches it on with foreword init, or by making a folder .foreword/ in the project.',
    });
  return clip(safeText(project.redact(await ANSWERS[asked.tool](asked, project))));
}

const ANSWERS: Readonly<Record<ToolName, (asked: Asked, project: AskedProject) => Promise<string>>> = {
  context: async ({ given, agent }, project) => {
    const text = await project.startup(agent, textArgument(given, 'task'));
    return text.trim() === '' ? 'Nothing is known yet: no notes, tasks or attempts.' : text;
  },
  history: async ({ given }, project) => {
    const [task, file] = [textArgument(given, 'task'), textArgument(given, 'file')];
    const stores = await project.readStores();
    if (file !== undefined) return fileHistory(stores, file, project.clock.now());
    if (task !== undefined) return taskHistory(stores, task, project.clock.now());
    throw new ForewordError('bad-input', 'Give a task or a file.');
  },
  save: ({ given }, project) => project.save(notesArgument(given)),
  search: async ({ given }, project) => {
    const words = wordsOf(textArgument(given, 'words') ?? '');
    if (words.length === 0)
      throw new ForewordError('bad-input', 'Give words of at least three letters, other than "the" or "and".');
    const code = await project.codeSearch();
    if (code === undefined)
      throw new ForewordError('bad-input', `${project.root} is not in a git repository, so no file is indexed.`);
    await code.refresh();
    const hits = await code.find(words, limitArgument(given, project.config.search.maxHits));
    if (hits.length === 0) return `No tracked file matches ${oneLine(words.join(', '), 200)}.`;
    return hits.map(({ path, line, snippet }) => `${path}:${line}: ${oneLine(snippet, 300)}`).join('\n');
  },
};

async function taskHistory(stores: Stores, task: string, now: number): Promise<string> {
  const record = await stores.tasks.get(task);
  const attempts = await stores.attempts.list(task);
  if (attempts.length > 0)
    return historyText([{ task, attempts, ...(record === undefined ? {} : { status: record.status }) }], now);
  if (record !== undefined) return `Task ${oneLine(task, 120)} (${record.status}): no attempt yet.`;
  const known = (await stores.tasks.list()).map(({ task_id }) => task_id);
  const names =
    known.length === 0 ? 'No task was run in this project yet.' : `Known: ${known.slice(0, 20).join(', ')}.`;
  throw new ForewordError('unknown-task', `There is no task "${oneLine(task, 120)}".`, { hint: names });
}

async function fileHistory(stores: Stores, file: string, now: number): Promise<string> {
  const records = (await stores.tasks.list()).slice(-MOST_TASKS_READ);
  const tasks: TaskAttempts[] = [];
  for (const { task_id: task, status } of records)
    tasks.push({ task, status, attempts: await stores.attempts.list(task) });
  const works = (await stores.works.list()).map(({ value }) => value);
  const found = [historyText(triedOn(tasks, file), now), sessionsText(works, file, now)].filter((text) => text !== '');
  return found.length === 0 ? `Nothing is known of ${oneLine(file, 200)}.` : found.join('\n\n');
}

function clip(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  const head = text.slice(0, MOST_CHARS).toWellFormed();
  return `${head}\n[${text.length - head.length} more characters had no room here]`;
}
