import { composeTaskPrompt, type TaskPrompt } from '../../context/compose-prompt.ts';
import type { Role } from '../../context/texts/role-templates.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { columns } from '../columns.ts';
import type { Call, Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const prompt: Command = {
  name: 'prompt',
  summary: 'Print the whole prompt of a task, with history, blockers and hand-over',
  args: ['TASK'],
  flags: {
    attempt: { meaning: 'for this attempt; the next one by default', value: 'N' },
    agent: { meaning: 'as this agent would get it: another one than before means a switch', value: 'NAME' },
    role: { meaning: 'engineer by default', value: 'ROLE', choices: ['engineer', 'reviewer', 'helper'] },
    template: { meaning: 'a prompt file with {context_header} and the like in it', value: 'FILE' },
    explain: { meaning: 'list each part with source and tokens, and what was left out and why, instead' },
  },
  examples: [
    { line: 'foreword prompt api_health', does: 'what the next attempt at api_health would be told' },
    { line: 'foreword prompt api_health --attempt 2 --agent codex', does: 'with the hand-over that codex would get' },
    { line: 'foreword prompt api_health --explain', does: 'where each part comes from and what it costs' },
  ],
  run: (call) =>
    withProject(call, async (project) => {
      const { config } = project;
      const role = (call.text('role') ?? 'engineer') as Role;
      const made = await composeTaskPrompt({
        sources: project.sources,
        stores: await project.readStores(),
        redact: project.redact,
        now: project.clock.now(),
        recentSec: config.context.recentSec,
        taskId: call.args[0] ?? '',
        role,
        template: project.template(role, call.text('template')),
        attempt: attemptOf(call.text('attempt')),
        agent: call.text('agent'),
        project: config.project,
        workingDirectory: project.root,
        historySize: config.history.size,
        maxBlockers: config.history.maxBlockers,
        handover: config.handover,
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
  call.out.print(
    columns(
      ['part', 'tokens', 'chars', 'source'],
      [...rows, ['all', total, made.text.length, `attempt ${made.attempt}`]],
    ),
  );
  for (const { what, count, why } of made.leftOut) {
    call.out.print(`Left out: ${what}${count === undefined ? '' : ` (${count})`}: ${why}.`);
  }
  for (const { attempt, missing } of made.handover.warnings) {
    call.out.print(`Incomplete record of attempt ${attempt}: ${missing.join(', ')} not known.`);
  }
}

function attemptOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const attempt = Number(text);
  if (Number.isInteger(attempt) && attempt >= 1) return attempt;
  throw new ForewordError('bad-usage', `--attempt was given "${text}"; it takes a whole number from 1.`);
}
