import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const attach: Command = {
  name: 'attach',
  summary: 'Attach to a session that runs in tmux',
  args: ['[SESSION]'],
  flags: {},
  examples: [
    { line: 'foreword attach', does: 'attaches to the only session that runs; detach with Ctrl-b d' },
    { line: 'foreword attach s1a2b3c4d', does: 'attaches to this session' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { sessionsOf } = await import('../../app/sessions.ts');
      return sessionsOf(project).attach(call.args[0]);
    }),
};
