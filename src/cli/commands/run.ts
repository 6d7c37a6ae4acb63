import { relative, resolve } from 'node:path';
import type { Project } from '../../app/project.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { RunBaseMode } from '../../kernel/run.ts';
import type { Task, TaskStatus } from '../../kernel/task.ts';
import { eventLine, seconds } from '../../reports/event-lines.ts';
import { ignoredNote } from '../../reports/trust-report.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { openLiveList } from '../live-list.ts';
import { mergeAtEnd } from '../merge-at-end.ts';
import { endLines } from '../run-end.ts';

export const run: Command = {
  name: 'run',
  summary: 'Work through a task file with agents, unattended',
  args: ['[TASKS]'],
  flags: {
    do: { description: 'one task in these words, instead of a task file', value: 'TEXT' },
    check: {
      description: 'with --do: a command line that must end with 0 for the task to be done',
      value: 'COMMAND',
      many: true,
    },
    agents: { description: 'the lineup for this run, separated by commas', value: 'NAMES' },
    only: { description: 'only this task; the tasks it depends on must be completed', value: 'ID', many: true },
    concurrency: {
      description: 'tasks at the same time (run.concurrency), each in its own checkout',
      value: 'N',
    },
    base: {
      description: 'what agents begin with (run.base): your last commit, or that with your uncommitted changes',
      value: 'head|working',
    },
    again: {
      description: 'run completed tasks and those that need review again, and accept tasks whose definition changed',
    },
    new: { description: 'begin another run and branch, also when the last one of this task file is not merged' },
    'dry-run': { description: 'print the plan and the first prompts, run nothing' },
  },
  examples: [
    {
      line: 'foreword run .foreword/tasks.yaml',
      does: 'runs until every task is completed, failed, blocked or needs review',
    },
    {
      line: 'foreword run tasks.json --agents codex,claude --only api_health',
      does: 'runs one task, with these agents',
    },
    {
      line: 'foreword run --do "Add a health endpoint" --check "npm test"',
      does: 'runs one task without a file; the same words again go on with it',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const file = await wantedTasks(call, project);
      const tasks = chosen(file.tasks, call.texts('only'));
      if (!project.trust.isAgreed) {
        call.out.note(`foreword: ${ignoredNote(project.trust)}`);
      }
      const stop = stopSignal(call);
      const view = viewOf(call, tasks);
      const counts: Partial<Record<NewEvent['kind'], number>> = {};
      const startedAt = project.clock.now();
      try {
        project.bePatient(stop.signal, project.config.run.maxWaitS * 1000);
        const { prepareRun } = await import('../../app/run.ts');
        const prepared = await prepareRun(withNotes(call, project), {
          tasks,
          taskFile: file.path,
          branchName: file.name,
          name: file.project,
          lineup: call
            .text('agents')
            ?.split(',')
            .map((name) => name.trim()),
          concurrency: concurrencyOf(call.text('concurrency')),
          base: baseOf(call.text('base')),
          isAgain: call.has('again'),
          isNew: call.has('new'),
          signal: stop.signal,
          onEvent: (event) => {
            counts[event.kind] = (counts[event.kind] ?? 0) + 1;
            view.update(event);
          },
        });
        if (call.has('dry-run')) return await dryRun(call, project, { tasks, prepared });
        project.state.switchOn();
        const report = await prepared.run();
        view.close();
        const isDone = Object.values(report.statuses).every((status) => status === 'completed');
        if (!call.has('json')) {
          call.out.print(summary(report.statuses, counts, project.clock.now() - startedAt));
          const ids = tasks.map(({ task_id }) => task_id);
          for (const line of await endLines(project, { tasks: ids, end: report.end })) call.out.print(line);
          if (call.has('do') && isDone && counts['attempt-finished'] === undefined)
            call.out.print('It was completed before; --again does it once more.');
        }
        if (report.isInterrupted) return stop.exitCode();
        const isMerged =
          project.config.run.merge !== 'auto' ||
          (await mergeAtEnd(call, project, { tasks: file.tasks, end: report.end }));
        return isDone && isMerged ? 0 : 1;
      } finally {
        view.close();
        stop.close();
      }
    }),
};

interface WantedTasks {
  readonly tasks: readonly Task[];
  readonly project?: string;
  /** Names the run. */
  readonly path: string;
  readonly name?: string;
}

/** Those of the file, or the one of `--do`. */
async function wantedTasks(call: Call, project: Project): Promise<WantedTasks> {
  const [path] = call.args;
  const [text, checks] = [call.text('do'), call.texts('check')];
  const hint = 'Usage: foreword run TASKS, or foreword run --do TEXT --check COMMAND   (foreword run --help)';
  const wrong = (message: string) => new ForewordError('bad-usage', message, { hint });
  if (text === undefined) {
    if (path === undefined) throw wrong('foreword run needs TASKS.');
    if (checks.length > 0) throw wrong('--check belongs to --do; a task file has its own checks.');
    return { ...(await project.taskFile(path)), path: relative(project.root, resolve(project.cwd, path)) };
  }
  if (path !== undefined) throw wrong(`foreword run takes a task file or --do, not both ("${path}").`);
  if (text.trim() === '' || checks.some((check) => check.trim() === '')) throw wrong('--do and --check need a text.');
  const { oneTask } = await import('../../app/run.ts');
  const { task, taskFile, name } = oneTask(text, checks);
  if (checks.length === 0)
    call.out.note(
      'foreword: without --check only a helper agent can find out whether it is done; what it cannot decide needs your review.',
    );
  return { tasks: [task], path: taskFile, name };
}

/** An agent that is not started, because a file that its command names changed, is printed with the reason. */
function withNotes(call: Call, project: Project): Project {
  const refusal: Project['trust']['refusal'] = (agent, cwd) => {
    const reason = project.trust.refusal(agent, cwd);
    if (reason !== undefined) call.out.note(`foreword: ${agent} was not started: ${reason}`);
    return reason;
  };
  return { ...project, trust: { ...project.trust, refusal } };
}

/** The first thing a person who comes back wants to know. */
function summary(
  statuses: Readonly<Record<string, TaskStatus>>,
  counts: Partial<Record<NewEvent['kind'], number>>,
  durationMs: number,
): string {
  const all = Object.values(statuses);
  const kinds = [...new Set(all)].map((status) => `${all.filter((each) => each === status).length} ${status}`);
  const [attempts, switches] = [counts['attempt-finished'] ?? 0, counts['agent-switched'] ?? 0];
  return `${all.length} task(s): ${kinds.join(', ')}. ${attempts} attempt(s), ${switches} switch(es), ${seconds(durationMs)}.`;
}

function chosen(tasks: readonly Task[], only: readonly string[]): readonly Task[] {
  const unknown = only.filter((id) => !tasks.some((task) => task.task_id === id));
  if (unknown.length > 0) {
    throw new ForewordError('unknown-task', `There is no task "${unknown.join('", "')}" in the file.`, {
      hint: `Tasks in the file: ${tasks
        .slice(0, 10)
        .map((task) => task.task_id)
        .join(', ')}.`,
    });
  }
  return only.length === 0 ? tasks : tasks.filter((task) => only.includes(task.task_id));
}

function concurrencyOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 32) return Number(text);
  throw new ForewordError('bad-usage', `--concurrency was given "${text}"; it takes a whole number from 1 to 32.`);
}

function baseOf(text: string | undefined): RunBaseMode | undefined {
  if (text === undefined || text === 'head' || text === 'working') return text;
  throw new ForewordError('bad-usage', `--base was given "${text}"; it takes head or working.`);
}

/** As a shell shows a program that a broken pipe ended: 128 and SIGPIPE. */
const UNREAD = 141;

/** The first Ctrl-C or TERM, or a reader of the output that is gone (`| head -2`), stops cleanly; a second signal exits at once,
 *  and the next run continues from there. */
function stopSignal(call: Call): { readonly signal: AbortSignal; exitCode(): number; close(): void } {
  const controller = new AbortController();
  let [code, isOver] = [130, false];
  const stop = () => {
    if (controller.signal.aborted) process.exit(code);
    controller.abort();
  };
  call.whenUnread(() => {
    if (isOver || controller.signal.aborted) return;
    code = UNREAD;
    controller.abort();
    call.out.note('foreword: nobody reads the output any more: the run stops. The same command goes on with it.');
  });
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  return {
    signal: controller.signal,
    exitCode: () => code,
    close: () => {
      isOver = true;
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(name, stop);
    },
  };
}

function viewOf(call: Call, tasks: readonly Task[]): { update(event: NewEvent): void; close(): void } {
  if (call.has('json')) return { update: (event) => call.out.jsonEvent(event), close: () => undefined };
  if (process.stdout.isTTY && !call.has('dry-run')) {
    const list = openLiveList(
      tasks.map((task) => task.task_id),
      {
        write: (text) => void process.stdout.write(text),
        columns: process.stdout.columns,
        now: () => Date.now(),
      },
    );
    let isOpen = true;
    return {
      update: (event) => {
        list.update(event);
      },
      close: () => {
        if (isOpen) list.close();
        isOpen = false;
      },
    };
  }
  return {
    update: (event) => {
      const line = eventLine(event);
      if (line !== undefined) call.out.print(line);
    },
    close: () => undefined,
  };
}

async function dryRun(
  call: Call,
  project: Project,
  what: {
    readonly tasks: readonly Task[];
    readonly prepared: {
      readonly lineup: readonly string[];
      readonly installed: ReadonlySet<string>;
      composeFirst(task: Task): Promise<string>;
    };
  },
): Promise<number> {
  const { tasks, prepared } = what;
  const stores = await project.readStores();
  const plan = await Promise.all(
    tasks.map(async (task) => ({
      task_id: task.task_id,
      status: (await stores.tasks.get(task.task_id))?.status ?? 'new',
      depends_on: task.depends_on,
      prompt: await prepared.composeFirst(task),
    })),
  );
  const agents = prepared.lineup.map((name) => ({ name, installed: prepared.installed.has(name) }));
  if (call.has('json')) {
    call.out.json({ agents, plan });
    return 0;
  }
  call.out.print(
    `Agents: ${agents.map(({ name, installed }) => `${name}${installed ? '' : ' (not installed)'}`).join(', ')}`,
  );
  for (const { task_id, status, depends_on, prompt } of plan) {
    call.out.print(
      `\n=== ${task_id} (${status}${depends_on.length > 0 ? `, after ${depends_on.join(', ')}` : ''}) ===\n${prompt.trimEnd()}`,
    );
  }
  return 0;
}
