// Composes the header from the sources. Never stops at the first broken one: it collects every fault, and the caller
// decides whether to continue without the source (a hook) or to report all faults (a person's command).

import { demand } from '../kernel/demand.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Task } from '../kernel/task.ts';
import { buildHeader, type Header, type HeaderEnv, type NoteFacts } from './header.ts';
import { foundOr, originOf, type Sources, type TaskFile } from './sources/port.ts';

export interface ContextAsk {
  readonly sources: Sources;
  readonly stores: Stores;
  readonly redact: (text: string) => string;
  readonly now: number;
  readonly recentSec: number;
  readonly mode: string;
  /** The task whose targets the header shows. */
  readonly taskId?: string | undefined;
  /** The task itself, when the caller has it: a run's, whose file need not be the project's. */
  readonly task?: Task | undefined;
  readonly env?: HeaderEnv | undefined;
}

export interface Context {
  readonly header: Header;
  readonly project: string | undefined;
  readonly tasks: readonly Task[];
  readonly task: Task | undefined;
  readonly faults: readonly Fault[];
  readonly explain: readonly ExplainRow[];
}

/** One line of `--explain`: the source of a section, how much of it is shown, and why the rest is not. */
export interface ExplainRow {
  readonly part: string;
  readonly source: string;
  readonly shown: number;
  readonly leftOut: number;
  readonly why: string;
}

const NO_NOTES: NoteFacts = { pending: [], pendingTotal: 0, recent: [] };
const NO_TASKS: TaskFile = { tasks: [] };

export async function composeContext(ask: ContextAsk): Promise<Context> {
  const faults: Fault[] = [];
  // git runs as a process; the files are read while it does.
  const [git, records] = [ask.sources.git(), ask.stores.tasks.list()];
  // The `await` below throws this error; without a handler here it would count as unhandled until then.
  records.catch(() => undefined);
  const observed = {
    tasks: ask.sources.tasks(),
    notes: ask.sources.notes(),
    policy: ask.sources.policy(),
    git: await git,
  };
  // Redact before anything is shortened: half a secret is no longer recognised.
  const clean = <T>(value: T): T => mapStrings(value, ask.redact);
  const file = foundOr(observed.tasks, NO_TASKS, faults);
  const notes = clean(foundOr(observed.notes, NO_NOTES, faults));
  const policy = clean(foundOr(observed.policy, undefined, faults));
  const repo = clean(foundOr(observed.git, { branch: null, head: null }, faults));
  const known = await records;
  const task = ask.task ?? (ask.taskId === undefined ? undefined : findTask(ask.taskId, file.tasks, known));
  if (ask.taskId !== undefined && task === undefined && faults.length === 0) throw unknownTask(ask.taskId, file.tasks);
  const header = buildHeader({
    now: ask.now,
    recentSec: ask.recentSec,
    repo,
    notes,
    tasks: clean(file.tasks),
    taken: new Set(known.filter((record) => record.status !== 'queued').map((record) => record.task_id)),
    completed: new Set(known.filter((record) => record.status === 'completed').map((record) => record.task_id)),
    policy,
    targets: clean(task?.targets ?? []),
    mode: ask.mode,
    env: ask.env,
    unavailable: [...new Set(faults.map((fault) => fault.where))],
  });
  return {
    header,
    project: file.project,
    tasks: file.tasks,
    task,
    faults,
    explain: explain(header, {
      tasks: originOf(observed.tasks),
      notes: originOf(observed.notes),
      policy: originOf(observed.policy),
      git: originOf(observed.git),
      taken: known.filter((record) => record.status !== 'queued').length,
    }),
  };
}

/** Throws `bad-input` with all faults of a context: for commands that a person runs. */
export function refuseFaults(context: { readonly faults: readonly Fault[] }): void {
  demand(context, 'refuseFaults(await composeContext(project))', { faults: 'list' });
  const { faults } = context;
  if (faults.length === 0) return;
  const files = new Set(faults.map((fault) => fault.where)).size;
  throw new ForewordError(
    'bad-input',
    `${faults.length} fault(s) in ${files} file(s); nothing was composed or written.`,
    {
      hint: 'Fix these and run it again.',
      faults,
    },
  );
}

function findTask(
  id: string,
  tasks: readonly Task[],
  known: readonly { readonly task_id: string; readonly task?: Task }[],
): Task | undefined {
  return tasks.find((task) => task.task_id === id) ?? known.find((record) => record.task_id === id)?.task;
}

function unknownTask(id: string, tasks: readonly Task[]): ForewordError {
  const ids = tasks.map((task) => task.task_id);
  const shown = ids.slice(0, 10).join(', ') + (ids.length > 10 ? `, and ${ids.length - 10} more` : '');
  return new ForewordError('unknown-task', `There is no task "${id}".`, {
    hint:
      ids.length === 0 ? 'This project has no tasks. Put them into .foreword/tasks.yaml.' : `Known tasks: ${shown}.`,
  });
}

interface Origins {
  readonly tasks: string;
  readonly notes: string;
  readonly policy: string;
  readonly git: string;
  readonly taken: number;
}

function explain(header: Header, from: Origins): readonly ExplainRow[] {
  const more = header.more ?? {};
  const cut = (name: string) => more[name] ?? 0;
  const row = (part: string, source: string, shown: number, why: string): ExplainRow => ({
    part,
    source,
    shown,
    leftOut: cut(part),
    why: cut(part) > 0 ? why : '',
  });
  return [
    { part: 'repo', source: from.git, shown: header.repo.branch === null ? 0 : 1, leftOut: 0, why: '' },
    row('pending', from.notes, header.pending.length, 'at most 7, oldest first'),
    {
      ...row('backlog', from.tasks, header.backlog.length, 'at most 7, by priority and id'),
      ...(from.taken > 0 && cut('backlog') === 0
        ? { why: `${from.taken} running, blocked or finished are not backlog` }
        : {}),
    },
    row('hotspots', from.notes, header.hotspots.length, 'at most 7, newest first'),
    row('targets', from.tasks, header.targets.length, 'at most 12'),
    row(
      'policy',
      from.policy === 'none found' ? 'built-in default' : from.policy,
      header.policy.length,
      'at most 7, limits and deny first',
    ),
    { part: 'next_work', source: 'pending, backlog, hotspots', shown: header.next_work.length, leftOut: 0, why: '' },
  ];
}
