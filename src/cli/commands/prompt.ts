import type { TaskPrompt } from '../../context/compose-prompt.ts';
import { promptOf } from '../../context/project-prompt.ts';
import { ROLES, type Role } from '../../context/texts/role-templates.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { wholeNumber } from '../whole-number.ts';

export const prompt: Command = {
  name: 'prompt',
  summary: 'Print the whole prompt of a task: history, blockers and hand-over included',
  args: ['TASK'],
  flags: {
    attempt: { description: 'for this attempt; the next one by default', value: 'N' },
    agent: { description: 'for this agent; if the last attempt used another one, it is a switch', value: 'NAME' },
    role: {
      description: 'role of the agent; engineer by default',
      value: 'ROLE',
      choices: ROLES,
    },
    template: { description: 'use this prompt template, with placeholders such as {context_header}', value: 'FILE' },
    explain: { description: 'list each part with its source and tokens, and what was left out, instead of the text' },
  },
  examples: [
    { line: 'foreword prompt api_health', does: 'prints the prompt of the next attempt at api_health' },
    {
      line: 'foreword prompt api_health --attempt 2 --agent codex',
      does: 'includes the hand-over that this agent would get',
    },
    { line: 'foreword prompt api_health --role cto', does: 'prints the prompt for planning it, without changing code' },
    { line: 'foreword prompt api_health --explain', does: 'shows the source and size of each part' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const made = await promptOf(project, call.args[0] ?? '', {
        role: (call.text('role') ?? 'engineer') as Role,
        template: call.text('template'),
        attempt: wholeNumber(call, 'attempt', { from: 1 }),
        agent: call.text('agent'),
      });
      if (call.has('json')) call.out.json(made);
      else if (call.has('explain')) explain(call, made);
      else call.out.print(made.text.trimEnd());
      return 0;
    }),
};

function explain(call: Call, made: TaskPrompt): void {
  const total = made.parts.reduce((sum, part) => sum + part.tokens, 0);
  const rows = made.parts.map((part) => [part.name, part.tokens, part.text.length, part.source]);
  call.out.table(
    ['part', 'tokens', 'chars', 'source'],
    [...rows, ['all', total, made.text.length, `attempt ${made.attempt}`]],
  );
  for (const { what, count, why } of made.leftOut) {
    call.out.print(`Left out: ${what}${count === undefined ? '' : ` (${count})`}: ${why}.`);
  }
  for (const { attempt, missing } of made.handover.warnings) {
    call.out.print(`The record of attempt ${attempt} is incomplete: no ${missing.join(', ')}.`);
  }
}
