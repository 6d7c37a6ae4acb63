import { formatAge } from '../../kernel/age.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const status: Command = {
  name: 'status',
  summary: 'Show the tasks of runs, and the agents that are not available',
  args: [],
  flags: {},
  examples: [{ line: 'foreword status', does: 'works from another terminal, at any time' }],
  run: (call) =>
    inProject(call, async (project) => {
      const stores = await project.readStores();
      const now = project.clock.now();
      const tasks = await stores.tasks.list();
      const counts = new Map<string, number>();
      for (const id of await stores.attempts.taskIds()) counts.set(id, (await stores.attempts.list(id)).length);
      const breakers = (await stores.breakers.list())
        .map(({ value }) => value)
        .filter((breaker) => breaker.state !== 'closed');
      if (call.has('json')) {
        const listed = tasks.map(({ task: _, baseline: __, ...record }) => ({
          ...record,
          attempts: counts.get(record.task_id) ?? 0,
        }));
        call.out.json({ tasks: listed, breakers });
        return 0;
      }
      const rows = tasks.map((record) => [
        record.task_id,
        record.status,
        counts.get(record.task_id) ?? 0,
        formatAge(now - Date.parse(record.updated_at)),
        record.current === undefined
          ? (record.reason ?? record.intent)
          : `attempt ${record.current.attempt} by ${record.current.agent}`,
      ]);
      call.out.print(
        rows.length === 0
          ? 'No tasks yet. foreword run TASKS starts.'
          : columns(['task', 'status', 'attempts', 'changed', 'detail'], rows),
      );
      for (const breaker of breakers) {
        const until = breaker.state === 'open' ? breaker.until : breaker.leaseUntil;
        call.out.print(`Breaker of ${breaker.agent}: ${breaker.state} (${breaker.reason}) until ${until}.`);
      }
      return 0;
    }),
};
