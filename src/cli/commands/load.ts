import { refuseFaults } from '../../context/compose-context.ts';
import { startupOf } from '../../context/project-startup.ts';
import { storesOrNone } from '../../context/startup-text.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const load: Command = {
  name: 'load',
  summary: 'Print the startup context: what a new session is told at its start',
  args: [],
  flags: {
    task: { description: 'for this task', value: 'ID' },
    agent: { description: 'as this agent is told it: its own prompts are shown to it alone', value: 'NAME' },
    explain: { description: 'list the parts, their sources and sizes, and what was left out, instead of the text' },
    anyway: { description: 'continue without broken files and name them, as a session start does' },
  },
  examples: [
    { line: 'foreword load', does: 'prints saved notes, the queue, earlier attempts, code that may matter' },
    { line: 'foreword load --explain', does: 'shows how the budget was used' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const { config } = project;
      if (!call.has('anyway')) await (await import('../../app/sessions.ts')).sessionsOf(project).settle();
      const read = call.has('anyway') ? await storesOrNone(project) : {};
      const started = await startupOf(project, { ...read, taskId: call.text('task'), reader: readerOf(call) });
      if (!call.has('anyway')) refuseFaults(started.context);
      const { text, parts, omitted, continuity, works } = started;
      if (call.has('json')) {
        const faults = started.context.faults;
        call.out.json({
          text,
          parts,
          omitted,
          continuity: continuity ?? null,
          sessions: works,
          ...(faults.length > 0 ? { faults } : {}),
        });
      } else if (call.has('explain')) {
        const rows = parts.map((part) => [part.name, part.text.length, estimateTokens(part.text), part.source]);
        call.out.table(['part', 'chars', 'tokens', 'source'], rows);
        call.out.print(`${text.length} of ${config.startup.budgetChars} characters used.`);
        for (const { name, count } of omitted) call.out.print(`Left out to fit the budget: ${name} (${count}).`);
      } else call.out.print(text.trimEnd());
      return 0;
    }),
};

function readerOf(call: Call) {
  const agent = call.text('agent');
  return agent === undefined ? undefined : { agent };
}
