import { relative, resolve } from 'node:path';
import type { Project } from '../../app/project.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { RunBaseMode } from '../../kernel/run.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import type { Task, TaskStatus } from '../../kernel/task.ts';
import { seconds } from '../../reports/event-lines.ts';
import { ignoredNote } from '../../reports/trust-report.ts';
import { ownerName } from '../../system/processes/owner.ts';
import { capsOf } from '../caps.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { mergeAtEnd } from '../merge-at-end.ts';
import { endLines } from '../run-end.ts';
import { openRunView } from '../run-view.ts';
import { stopSignal } from '../stop-signal.ts';
import { wholeNumber } from '../whole-number.ts';

/** A server that restarts is back within an hour. One that is not needs a person: agents must not stand still for a night. */
const STORE_WAIT_MS = 3_600_000;

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
    review: {
      description: 'the agent that reviews work whose checks passed (run.review); next: one that did not do the work',
      value: 'AGENT|next',
    },
    'max-cost': { description: 'US dollars that the run may cost; then it ends, with its work kept', value: 'USD' },
    'max-tokens': { description: 'tokens that the run may use, read and written', value: 'N' },
    'max-time': { description: 'how long this call may take: 90m, 8h', value: 'DURATION' },
    'max-attempts': { description: 'attempts that the run may make', value: 'N' },
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
      line: 'foreword run tasks.yaml --max-cost 5 --max-time 8h',
      does: 'ends after 5 US dollars or 8 hours, whichever comes first; the same line with more goes on',
    },
    {
      line: 'foreword run --do "Add a health endpoint" --check "npm test"',
      does: 'runs one task without a file; the same words again go on with it',
    },
    {
      line: 'foreword run tasks.json --review next',
      does: 'has another agent review what passed its checks, before it is committed',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const file = await wantedTasks(call, project);
      const tasks = chosen(file.tasks, call.texts('only'));
      if (tasks.length === 0) {
        call.out.note(`foreword: there are no tasks in ${file.path}; nothing was run.`);
        return 0;
      }
      if (!project.trust.isAgreed) {
        call.out.note(`foreword: ${ignoredNote(project.trust)}`);
      }
      const caps = capsOf(call);
      const view = openRunView(call, project, { tasks: tasks.map(({ task_id }) => task_id), caps });
      const stop = stopSignal(call, view);
      const counts: Partial<Record<NewEvent['kind'], number>> = {};
      const startedAt = project.clock.now();
      const owner = ownerName();
      try {
        project.bePatient(stop.signal, STORE_WAIT_MS);
        const { killRunning, prepareRun } = await import('../../app/run.ts');
        stop.killWith(killRunning);
        const prepared = await prepareRun(withNotes(call, project), {
          tasks,
          taskFile: file.path,
          branchName: file.name,
          name: file.project,
          config: configOf(call, project),
          lineup: call
            .text('agents')
            ?.split(',')
            .map((name) => name.trim()),
          concurrency: wholeNumber(call, 'concurrency', { from: 1, to: 32 }),
          base: baseOf(call.text('base')),
          review: call.text('review'),
          caps,
          isAgain: call.has('again'),
          isNew: call.has('new'),
          signal: stop.signal,
          onEvent: (event) => {
            counts[event.kind] = (counts[event.kind] ?? 0) + 1;
            if (event.kind === 'run-opened') project.beginRun({ run: event.run, startedAt, owner });
            view.update(event);
          },
          onActivity: view.show,
          onNote: (text) => call.out.note(`foreword: ${text}`),
        });
        if (call.has('dry-run')) return await dryRun(call, project, { tasks, prepared });
        project.state.switchOn();
        const report = await prepared.run();
        view.close();
        await project.keepRun({ run: report.end.branch.replace('foreword/', ''), startedAt, owner });
        const isDone = Object.values(report.statuses).every((status) => status === 'completed');
        if (!call.has('json')) {
          call.out.print(summary(report.statuses, counts, project.clock.now() - startedAt));
          const ids = tasks.map(({ task_id }) => task_id);
          const { end, reached } = report;
          for (const line of await endLines(project, { tasks: ids, end, reached })) call.out.print(line);
          if (call.has('do') && isDone && counts['attempt-finished'] === undefined)
            call.out.print('It was completed before; --again does it once more.');
        }
        if (report.isInterrupted) return stop.end();
        const isMerged =
          project.config.run.merge !== 'auto' ||
          (await mergeAtEnd(call, project, { tasks: file.tasks, end: report.end }));
        return isDone && isMerged ? 0 : 1;
      } catch (error) {
        // Programs that work for us, such as git, get the terminal's Ctrl-C as well.
        if (!stop.signal.aborted) throw error;
        return stop.end(error);
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

/** From the root, as the path of the task file is. */
function configOf(call: Call, { root, cwd }: Project): string | undefined {
  const config = call.text('config');
  return config === undefined ? undefined : relative(root, resolve(cwd, config));
}

function ownFile({ root, cwd, sources }: Project): string {
  const own = sources.tasks();
  if (own.kind !== 'found') return '';
  return ` This project has one: foreword run ${shellWord(relative(cwd, resolve(root, own.from)))}`;
}

/** Those of the file, or the one of `--do`. */
async function wantedTasks(call: Call, project: Project): Promise<WantedTasks> {
  const [path] = call.args;
  const [text, checks] = [call.text('do'), call.texts('check')];
  const hint = 'Usage: foreword run TASKS, or foreword run --do TEXT --check COMMAND   (foreword run --help)';
  const wrong = (message: string) => new ForewordError('bad-usage', message, { hint });
  if (text === undefined) {
    if (path === undefined) throw wrong(`foreword run needs a task file.${ownFile(project)}`);
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

function baseOf(text: string | undefined): RunBaseMode | undefined {
  if (text === undefined || text === 'head' || text === 'working') return text;
  throw new ForewordError('bad-usage', `--base was given "${text}"; it takes head or working.`);
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
