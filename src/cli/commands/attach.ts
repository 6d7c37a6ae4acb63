import type { Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const attach: Command = {
  name: 'attach',
  summary: 'Sit down at a session that runs in tmux',
  args: ['[SESSION]'],
  flags: {},
  examples: [
    { line: 'foreword attach', does: 'the only one that runs; leave it with Ctrl-b d' },
    { line: 'foreword attach s1a2b3c4', does: 'a certain one' },
  ],
  run: (call) =>
    withProject(call, async (project) => {
      const { attachSession } = await import('../../app/sessions.ts');
      return attachSession(project, call.args[0]);
    }),
};
