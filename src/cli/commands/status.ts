import { stateOf } from '../../fleet/old-signs.ts';
import { queueLine, WORKER_HEADS, workerRows } from '../../fleet/worker-rows.ts';
import { formatAge } from '../../kernel/age.ts';
import { usageOfAttempts } from '../../kernel/attempt.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { costText, tokensOf, type UsageSum, usageText } from '../../kernel/usage.ts';
import { openRuns, type RunView, runLine, runViews } from '../../reports/run-view.ts';
import { type SeenTask, shortCommit, taskDetail } from '../../reports/task-view.ts';
import { newestQueue } from '../../reports/worker-metrics.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { needsLines, seenTasks, taskFacts } from '../seen-tasks.ts';

/** The whole reason is with the commands for it. */
const MAX_DETAIL = 100;

export const status: Command = {
  name: 'status',
  summary: 'Show the tasks and branches of runs, what needs you, and the agents that are not available',
  args: [],
  flags: {
    watch: { description: 'stay and show what goes on, until q or Ctrl-C; not on a terminal: a line for each event' },
  },
  examples: [
    { line: 'foreword status', does: 'works from another terminal, at any time' },
    { line: 'foreword status --watch', does: 'shows a run that goes on elsewhere as its own terminal does' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      if (call.has('watch')) return (await import('../watch-status.ts')).watchStatus(call, project);
      const { leftByRuns } = await import('../../app/left.ts');
      const stores = await project.readStores();
      const now = project.clock.now();
      const { tasks, runs } = await seenTasks(project, stores);
      const views = runViews(
        runs,
        tasks.map(({ task }) => task),
      ).map((view) => ({ ...view, usage: usageOfRun(view.id, tasks) }));
      const left = leftByRuns(project);
      const breakers = (await stores.breakers.list())
        .map(({ value }) => value)
        .filter((breaker) => breaker.state !== 'closed');
      const workers = (await stores.fleet?.signs()) ?? [];
      const at = workers.length === 0 ? now : ((await stores.fleet?.now()) ?? now);
      if (call.has('json')) {
        call.out.json({
          tasks: tasks.map(taskJson),
          runs: views,
          left,
          breakers,
          workers: workers.map((sign) => ({ ...sign, state: stateOf(sign, at) })),
          queue: newestQueue(workers),
        });
        return 0;
      }
      if (tasks.length === 0) call.out.print('No tasks yet. foreword run TASKS starts.');
      else
        call.out.table(
          ['task', 'status', 'attempts', 'used', 'changed', 'commit', 'detail'],
          tasks.map((seen) => [
            seen.task.task_id,
            seen.task.status,
            seen.attempts.length,
            usedShort(usageOfAttempts(seen.attempts)),
            formatAge(now - Date.parse(seen.task.updated_at)),
            seen.task.commit === undefined ? '' : shortCommit(seen.task.commit),
            oneLine(taskDetail(seen), MAX_DETAIL),
          ]),
        );
      if (workers.length > 0) {
        call.out.print('');
        call.out.table(WORKER_HEADS, workerRows(workers, at));
        const queue = newestQueue(workers);
        if (queue !== undefined) call.out.print(queueLine(queue, at));
      }
      const sections = [needsLines(tasks), ...openRuns(views).map(runLines)].filter((lines) => lines.length > 0);
      for (const lines of sections) call.out.print(`\n${lines.join('\n')}`);
      if (sections.length > 0 && left.checkouts + breakers.length > 0) call.out.print('');
      if (left.checkouts > 0) {
        const [what, them] = left.checkouts === 1 ? ['1 checkout', 'it'] : [`${left.checkouts} checkouts`, 'them'];
        call.out.print(`Left by runs: ${what} that no run uses. foreword clean removes ${them}.`);
      }
      for (const breaker of breakers) {
        const until = breaker.state === 'open' ? breaker.until : breaker.leaseUntil;
        call.out.print(`Breaker of ${breaker.agent}: ${breaker.state} (${breaker.reason}) until ${until}.`);
      }
      return 0;
    }),
};

/** Attempts of other runs at the same tasks do not count. */
function usageOfRun(id: string, tasks: readonly SeenTask[]): UsageSum {
  return usageOfAttempts(tasks.flatMap(({ attempts }) => attempts.filter(({ run }) => run === id)));
}

/** The cost, or the tokens where that is unknown: `$0.12`, `12,345 tokens`. */
function usedShort(usage: UsageSum): string {
  if (usage.runs === 0) return '';
  if (usage.costUsd !== undefined) return costText(usage.costUsd);
  const tokens = tokensOf(usage);
  return tokens === undefined ? 'unknown' : `${tokens.toLocaleString('en')} tokens`;
}

function runLines(view: RunView & { readonly usage: UsageSum }): readonly string[] {
  const used = view.usage.runs === 0 ? [] : [`  used: ${usageText(view.usage)}`];
  return [runLine(view), ...used, ...view.commands.map((command) => `  ${command}`)];
}

function taskJson(seen: SeenTask): object {
  const { task: _, baseline: __, ...record } = seen.task;
  const usage = usageOfAttempts(seen.attempts);
  return { ...record, attempts: seen.attempts.length, usage, ...taskFacts(seen) };
}
