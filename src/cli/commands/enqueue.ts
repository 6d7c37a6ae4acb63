import { relative, resolve } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { canAsk } from '../agreement.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { isAgreed } from '../keys.ts';
import { working } from '../working.ts';

export const enqueue: Command = {
  name: 'enqueue',
  summary: 'Give the tasks of a file to workers on several machines',
  args: ['TASKS'],
  flags: {
    remote: { description: 'the git remote that carries the work; every worker has one of this name', value: 'NAME' },
    new: { description: 'begin another run and branch, also when the last one of this task file is not merged' },
    yes: { description: 'push without a question' },
  },
  examples: [
    {
      line: 'foreword enqueue tasks.yaml --remote origin --store rediss://USER:PASSWORD@HOST',
      does: 'prints the id of the fleet; machines with foreword worker --fleet ID do the tasks',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const [path = ''] = call.args;
      const remote = call.text('remote');
      if (remote === undefined)
        throw new ForewordError('bad-usage', 'foreword enqueue needs --remote NAME: git carries the work.', {
          hint: 'git remote lists the names. What will be pushed is shown before anything is.',
        });
      const file = await project.taskFile(path);
      const { enqueueTasks } = await import('../../app/fleet.ts');
      const enqueued = await working(call, `preparing the run for ${remote}`, (line) =>
        enqueueTasks(project, {
          tasks: file.tasks,
          taskFile: relative(project.root, resolve(project.cwd, path)),
          name: file.project,
          remote,
          isAgain: false,
          isNew: call.has('new'),
          signal: new AbortController().signal,
          onEvent: () => undefined,
          note: (text) => {
            line.clear();
            call.out.note(`foreword: ${text}`);
          },
          agree: async ({ remote: name, url, tasks, commit }) => {
            const text = `Workers push to ${name} (${url}), beginning at ${commit.slice(0, 12)}: a branch foreword/RUN with a commit for each of ${tasks} task(s), and their attempts under refs/foreword/RUN/. Known secrets are not pushed.`;
            line.clear();
            call.out.note(text);
            if (call.has('yes')) return true;
            return canAsk(call) && (await line.without(() => isAgreed('Push this?')));
          },
        }),
      );
      if (enqueued === undefined) {
        call.out.note('foreword: nothing was enqueued. Use --yes to push without a question.');
        return 2;
      }
      if (call.has('json')) call.out.json(enqueued);
      else {
        const { fleet, run, branch, tasks, rung } = enqueued;
        call.out.print(`Run ${run}: ${tasks} task(s) enqueued, ${rung} can begin now. Branch: ${branch} on ${remote}.`);
        call.out.print(`Fleet ${fleet}. On each machine, in a clone: foreword worker --fleet ${fleet} --store …`);
      }
      return 0;
    }),
};
