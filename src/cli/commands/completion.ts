import type { Project } from '../../app/project.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { Call, Command } from '../command.ts';
import { type Completion, complete, type LookedUp } from '../complete.ts';
import { COMPLETION_SCRIPTS, COMPLETION_SHELLS, FILES_FOLLOW } from '../completion-scripts.ts';
import { inProject } from '../in-project.ts';

/** Other ids would need quoting, which differs between shells. */
const PLAIN_ID = /^[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,127}$/;

export const completion: Command = {
  name: 'completion',
  summary: 'Print the script that completes commands, flags and ids in bash, zsh or fish',
  args: ['[SHELL]', '[WORDS...]'],
  flags: { complete: { description: 'print what can follow the words after --; the scripts call it' } },
  examples: [
    { line: 'source <(foreword completion bash)', does: 'completes in this bash; in ~/.bashrc, in every one' },
    { line: 'source <(foreword completion zsh)', does: 'the same in zsh, after compinit' },
    {
      line: 'foreword completion fish > ~/.config/fish/completions/foreword.fish',
      does: 'completes in every new fish',
    },
  ],
  run: async (call) => {
    if (call.has('complete')) return printCompletion(call);
    const shell = COMPLETION_SHELLS.find((one) => one === call.args[0]);
    if (shell === undefined || call.args.length > 1)
      throw new ForewordError('bad-usage', `foreword completion takes one of ${COMPLETION_SHELLS.join(', ')}.`, {
        hint: 'Example: source <(foreword completion bash)',
      });
    call.out.print(COMPLETION_SCRIPTS[shell]);
    return 0;
  },
};

async function printCompletion(call: Call): Promise<number> {
  const found = complete(await call.commands(), call.args.length === 0 ? [''] : call.args);
  for (const [word, description] of await wordsOf(call, found))
    call.out.print(description === '' ? word : `${word}\t${description}`);
  return 0;
}

async function wordsOf(call: Call, found: Completion): Promise<readonly (readonly [string, string])[]> {
  if (found.kind === 'files') return [[FILES_FOLLOW, '']];
  if (found.kind === 'words') return found.words;
  let ids: readonly (readonly [string, string])[] = [];
  await inProject(call, async (project) => {
    ids = await LOOK_UP[found.of](project);
    return 0;
  });
  return ids.filter(([id]) => PLAIN_ID.test(id));
}

const LOOK_UP: Readonly<Record<LookedUp, (project: Project) => Promise<readonly (readonly [string, string])[]>>> = {
  AGENT: async (project) =>
    (await import('../../app/agents.ts')).agentsOf(project).map(({ name }) => [name, ''] as const),
  RUN: async (project) => (await (await project.readStores()).runs.list()).map(({ id }) => [id, ''] as const),
  SESSION: async (project) => {
    const { viewSessions } = await import('../../app/sessions.ts');
    const running = await viewSessions(project, await project.readStores(), { isAll: false });
    return running.map(({ id, agent }) => [id, agent] as const);
  },
  TASK: async (project) =>
    (await (await project.readStores()).tasks.list()).map(({ task_id, status }) => [task_id, status] as const),
};
