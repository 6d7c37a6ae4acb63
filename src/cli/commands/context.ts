import { refuseFaults } from '../../context/compose-context.ts';
import { contextOf } from '../../context/project-context.ts';
import { renderHeader } from '../../context/render.ts';
import type { Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const context: Command = {
  name: 'context',
  summary: 'Print the context header: repository, queue, rules, next work',
  args: [],
  flags: {
    mode: { description: 'propose (default) or review; anything else becomes propose', value: 'MODE' },
    task: { description: 'show the targets of this task', value: 'ID' },
    format: { description: 'output format; yaml by default', value: 'FORMAT', choices: ['yaml', 'json', 'md'] },
    explain: { description: 'list the source of each part and what was left out, instead of the header' },
  },
  examples: [
    { line: 'foreword context', does: 'prints what an agent would be told about this repository now' },
    { line: 'foreword context --task api_health --format md', does: 'prints the header for one task, as Markdown' },
  ],
  bringsRedactor: true,
  worksInCheckouts: true,
  run: (call) =>
    withProject(call, async (project) => {
      const context = await contextOf(project, { mode: call.text('mode') ?? 'propose', taskId: call.text('task') });
      refuseFaults(context);
      const { header, explain } = context;
      if (call.has('explain')) {
        if (call.has('json')) call.out.json({ header, explain });
        else {
          const rows = explain.map((row) => [row.part, row.shown, row.leftOut, row.source, row.why]);
          call.out.table(['part', 'shown', 'left out', 'source', 'reason'], rows);
        }
      } else if (call.has('json') || call.text('format') === 'json') call.out.json(header);
      else call.out.print(renderHeader(header, call.text('format') === 'md' ? 'md' : 'yaml').trimEnd());
      return 0;
    }),
};
