import { formatAge } from '../../kernel/age.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { openRuns, type RunView, runLine, runViews } from '../../reports/run-view.ts';
import { type SeenTask, shortCommit, taskDetail } from '../../reports/task-view.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { needsLines, seenTasks, taskFacts } from '../seen-tasks.ts';

/** The whole reason is with the commands for it. */
const MAX_DETAIL = 100;

export const status: Command = {
  name: 'status',
  summary: 'Show the tasks and branches of runs, what needs you, and the agents that are not available',
  args: [],
  flags: {},
  examples: [{ line: 'foreword status', does: 'works from another terminal, at any time' }],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const { leftByRuns } = await import('../../app/left.ts');
      const stores = await project.readStores();
      const now = project.clock.now();
      const { tasks, runs } = await seenTasks(project, stores);
      const views = runViews(
        runs,
        tasks.map(({ task }) => task),
      );
      const left = leftByRuns(project);
      const breakers = (await stores.breakers.list())
        .map(({ value }) => value)
        .filter((breaker) => breaker.state !== 'closed');
      if (call.has('json')) {
        call.out.json({ tasks: tasks.map(taskJson), runs: views, left, breakers });
        return 0;
      }
      call.out.print(
        tasks.length === 0
          ? 'No tasks yet. foreword run TASKS starts.'
          : columns(
              ['task', 'status', 'attempts', 'changed', 'commit', 'detail'],
              tasks.map((seen) => [
                seen.task.task_id,
                seen.task.status,
                seen.attempts.length,
                formatAge(now - Date.parse(seen.task.updated_at)),
                seen.task.commit === undefined ? '' : shortCommit(seen.task.commit),
                oneLine(taskDetail(seen), MAX_DETAIL),
              ]),
            ),
      );
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

function runLines(view: RunView): readonly string[] {
  return [runLine(view), ...view.commands.map((command) => `  ${command}`)];
}

function taskJson(seen: SeenTask): object {
  const { task: _, baseline: __, ...record } = seen.task;
  return { ...record, attempts: seen.attempts.length, ...taskFacts(seen) };
}
