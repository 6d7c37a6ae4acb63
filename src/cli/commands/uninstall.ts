import { AGREEMENT_FLAGS, namesIn, settle } from '../agreement.ts';
import type { Command } from '../command.ts';

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'Take the hooks out again, byte for byte',
  args: [],
  flags: {
    ...AGREEMENT_FLAGS,
    scope: {
      meaning: 'only those for all your projects (user), or for this one (project); both by default',
      value: 'SCOPE',
      choices: ['user', 'project'],
    },
  },
  examples: [
    { line: 'foreword uninstall', does: 'shows each change and asks; a file that init made and nobody changed goes' },
    { line: 'foreword uninstall --agents codex --yes', does: 'one agent, without asking' },
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
      question: 'Take this out?',
      nothing: 'No hooks of foreword are installed here.',
      done: `Done. What was stored is kept: .foreword/ of projects, and ${prepared.shortened(prepared.stateFolder)}.`,
    });
  },
};
