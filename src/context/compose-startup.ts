// Gathers what a new session is told: the newest continuity, the header, earlier attempts, blocked tasks, and code that
// matches the words of the current task. The text names a broken source and continues without it.

import type { AttemptRecord } from '../kernel/attempt.ts';
import type { Continuity } from '../kernel/continuity.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import type { CodeSearch, SearchHit } from '../kernel/search.ts';
import { wordsOf } from '../kernel/search-words.ts';
import type { SessionWork } from '../kernel/session-work.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Task } from '../kernel/task.ts';
import { withoutOwnName } from '../kernel/writer.ts';
import type { Fitted } from './budget.ts';
import { type Context, type ContextAsk, composeContext } from './compose-context.ts';
import { headerYaml } from './header-yaml.ts';
import { composeStartup } from './startup.ts';
import { lastContinuity } from './tree-continuity.ts';
import { NO_WORKS, type StartupWorks } from './work/startup-works.ts';

export interface StartupAsk extends ContextAsk {
  /** The working tree whose continuity is read: `main`, or the name of a linked one. */
  readonly tree: string;
  readonly budgetChars: number;
  /** Notes of other writers name them. */
  readonly me?: string | undefined;
  readonly maxHits: number;
  /** Opened only if there is something to search for; resolves to nothing outside a repository. */
  readonly search: (() => Promise<CodeSearch | undefined>) | undefined;
  /** What sessions did, from their records; absent where nobody looks. */
  readonly works?: ((stores: Stores) => Promise<StartupWorks>) | undefined;
  /** What the caller could not read, a store for instance; named in the text. */
  readonly unavailable?: readonly string[];
}

export interface Startup extends Fitted {
  readonly context: Context;
  readonly continuity: Continuity | undefined;
  /** The sessions that the text mentions. */
  readonly works: readonly SessionWork[];
}

/** Attempts of more tasks than this are history, not context. */
const MAX_ATTEMPTS = 5;

export async function composeStartupContext(ask: StartupAsk): Promise<Startup> {
  const clean = <T>(value: T): T => mapStrings(value, ask.redact);
  const newest = await lastContinuity(ask.stores.continuity, ask.tree);
  const continuity = clean(newest && withoutOwnName(newest, ask.me));
  const context = await composeContext(ask);
  const attempts = await newestAttempts(ask.stores);
  const works = (await ask.works?.(ask.stores)) ?? NO_WORKS;
  const found = await searchFor(ask, currentTask(context, continuity));
  const fitted = composeStartup(
    {
      continuity: continuity && { value: continuity, ageMs: ask.now - Date.parse(continuity.savedAt) },
      state: works.state,
      sessions: works.sessions,
      header: headerYaml(context.header),
      attempts: clean(attempts.slice(0, MAX_ATTEMPTS)),
      moreAttempts: Math.max(0, attempts.length - MAX_ATTEMPTS),
      blocked: clean(await ask.stores.tasks.blocked()),
      hits: found.hits,
      unavailable: [...(context.header.unavailable ?? []), ...(ask.unavailable ?? []), ...found.unavailable],
    },
    ask.budgetChars,
  );
  return { ...fitted, context, continuity, works: works.works };
}

/** The requested task, the one that the last session worked on, or the first to pick. */
function currentTask(context: Context, continuity: Continuity | undefined): string {
  const named = context.task ?? context.tasks.find((task) => task.task_id === continuity?.currentTask);
  if (named !== undefined) return textOf(named);
  if (continuity?.currentTask !== undefined) return continuity.currentTask;
  const next = context.tasks.find((task) => task.task_id === context.header.backlog[0]?.id);
  return next === undefined ? '' : textOf(next);
}

function textOf(task: Task): string {
  return [task.task_id, task.intent, task.instructions, ...task.acceptance_criteria.map(({ text }) => text)].join('\n');
}

/** A search that fails (no room for its index, git missing) is named in the text; the other parts stay. */
async function searchFor(
  ask: StartupAsk,
  text: string,
): Promise<{ readonly hits: readonly SearchHit[]; readonly unavailable: readonly string[] }> {
  const words = wordsOf(text);
  if (words.length === 0) return { hits: [], unavailable: [] };
  try {
    const search = await ask.search?.();
    if (search === undefined) return { hits: [], unavailable: [] };
    await search.refresh();
    return { hits: await search.find(words, ask.maxHits), unavailable: [] };
  } catch (error) {
    return { hits: [], unavailable: [`code search (${error instanceof Error ? error.message : String(error)})`] };
  }
}

async function newestAttempts(stores: Stores): Promise<readonly { taskId: string; attempt: AttemptRecord }[]> {
  const found: { taskId: string; attempt: AttemptRecord }[] = [];
  for (const taskId of await stores.attempts.taskIds()) {
    const attempt = (await stores.attempts.open(taskId)).at(-1);
    if (attempt !== undefined) found.push({ taskId, attempt });
  }
  return found.sort((a, b) => Date.parse(b.attempt.timestamp) - Date.parse(a.attempt.timestamp));
}
