import { AGREEMENT_FLAGS, namesIn, settle } from '../agreement.ts';
import type { Command } from '../command.ts';

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'Remove the hooks, and restore the files byte for byte',
  args: [],
  flags: {
    ...AGREEMENT_FLAGS,
    scope: {
      description: 'only hooks for all your projects (user), or for this one (project); both by default',
      value: 'SCOPE',
      choices: ['user', 'project'],
    },
  },
  examples: [
    {
      line: 'foreword uninstall',
      does: 'shows each change and asks; deletes files that init created and nobody changed',
    },
    { line: 'foreword uninstall --agents codex --yes', does: 'removes the hooks of one agent, without a question' },
  ],
  run: async (call) => {
    const { prepareUninstall } = await import('../../app/install.ts');
    const scope = call.text('scope');
    const prepared = prepareUninstall({
      cwd: call.text('cwd'),
      agents: namesIn(call),
      scope: scope === 'user' || scope === 'project' ? scope : undefined,
    });
    return settle(call, prepared, {
      question: 'Remove this?',
      nothing: 'No hooks of foreword are installed here.',
      done: `Done. Stored data is kept: .foreword/ in projects, and ${prepared.shortened(prepared.stateFolder)}.`,
    });
  },
};
