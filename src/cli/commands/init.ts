import { ForewordError } from '../../kernel/errors.ts';
import { AGREEMENT_FLAGS, namesIn, settle } from '../agreement.ts';
import type { Command } from '../command.ts';

export const init: Command = {
  name: 'init',
  summary: 'Install hooks into the agents on this machine, and prepare this project',
  args: [],
  flags: {
    ...AGREEMENT_FLAGS,
    // The hooks do nothing in a project without .foreword/ or .context/, so all projects is a safe default.
    scope: {
      description: 'user (default): for all your projects; project: only for this one',
      value: 'SCOPE',
      choices: ['user', 'project'],
    },
    'context-files': { description: 'also create the six files of .context/' },
  },
  examples: [
    { line: 'foreword init', does: 'finds the agents, shows each change, and asks' },
    { line: 'foreword init --agents claude,codex --dry-run', does: 'only shows the changes' },
    {
      line: 'foreword init --yes --context-files',
      does: 'asks nothing, and creates files for rules, decisions and so on',
    },
  ],
  run: async (call) => {
    const { prepareInstall } = await import('../../app/install.ts');
    const prepared = prepareInstall({
      cwd: call.text('cwd'),
      agents: namesIn(call),
      scope: call.text('scope') === 'project' ? 'project' : 'user',
      contextFiles: call.has('context-files'),
    });
    const { faults } = prepared.plan;
    if (faults.length > 0) {
      throw new ForewordError('bad-input', `${faults.length} file(s) cannot be edited safely; nothing was written.`, {
        hint: 'Fix these files, or name the other agents with --agents.',
        faults,
      });
    }
    if (prepared.agents.length === 0 && prepared.plan.changes.length === 0) {
      throw new ForewordError('missing-program', 'No agent was found on this machine.', {
        hint: 'Install an agent, or name one: foreword init --agents claude.',
      });
    }
    if (prepared.agents.length === 0)
      call.out.note('foreword: no agent was found on this machine. Use --agents NAME to name one.');
    return settle(call, prepared, {
      question: 'Write this?',
      nothing: 'Nothing to write.',
      done: 'Done. foreword uninstall reverts it.',
    });
  },
};
