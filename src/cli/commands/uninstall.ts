import { ForewordError } from '../../kernel/errors.ts';
import { sizeText } from '../../system/files/gone-state.ts';
import { AGREEMENT_FLAGS, canAsk, namesIn, settle } from '../agreement.ts';
import type { Call, Command } from '../command.ts';
import { isAgreed } from '../keys.ts';

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
    team: { description: 'only the entries that foreword init --team wrote into this project' },
    purge: { description: 'also remove what foreword keeps on this machine: stores, runs, sessions, results' },
  },
  examples: [
    {
      line: 'foreword uninstall',
      does: 'shows each change and asks; deletes files that init created and nobody changed',
    },
    {
      line: 'foreword uninstall --purge',
      does: 'lists what is kept for which projects, and asks before it is removed',
    },
    { line: 'foreword uninstall --agents codex --yes', does: 'removes the hooks of one agent, without a question' },
  ],
  run: async (call) => {
    if (call.has('purge') && (call.has('team') || (call.text('agents') ?? call.text('scope')) !== undefined))
      throw new ForewordError(
        'bad-usage',
        '--purge removes everything, so it takes neither --agents, --scope nor --team.',
      );
    if (call.has('team') && call.text('scope') !== undefined)
      throw new ForewordError('bad-usage', '--team and --scope exclude each other.');
    const { prepareUninstall } = await import('../../app/install.ts');
    const scope = call.text('scope');
    const prepared = prepareUninstall({
      cwd: call.text('cwd'),
      agents: namesIn(call),
      scope: call.has('team') ? 'team' : scope === 'user' || scope === 'project' ? scope : undefined,
    });
    const status = await settle(call, prepared, {
      question: 'Remove this?',
      nothing: call.has('team')
        ? 'No entries of a team are in this project.'
        : 'No hooks of foreword are installed here.',
      done: call.has('purge')
        ? 'Done.'
        : `Done. Stored data is kept: .foreword/ in projects, and ${prepared.shortened(prepared.stateFolder)}.`,
    });
    return call.has('purge') && status === 0 ? purge(call) : status;
  },
};

async function purge(call: Call): Promise<number> {
  const { keptOnThisMachine, purgeThisMachine } = await import('../../app/state.ts');
  const { folders, projects, bytes } = keptOnThisMachine();
  const say = (text: string): void => {
    if (!call.has('json')) call.out.print(text);
  };
  if (folders.length === 0) {
    say('Nothing is kept on this machine.');
    return 0;
  }
  say(
    `\n${call.has('dry-run') ? 'Would be removed' : 'To be removed'} from this machine for good, ${sizeText(bytes)}:`,
  );
  for (const folder of folders) say(`  ${folder}`);
  for (const root of projects) say(`  of the project ${root}: tasks, attempts, saved notes, sessions`);
  say('Branches of runs, and the files in .foreword/ of your projects, stay where they are.');
  if (call.has('dry-run')) return 0;
  const isYes = call.has('yes') || (canAsk(call) && (await isAgreed('Remove all of this?')));
  if (!isYes) {
    call.out.note('foreword: the data was not removed. Use --yes to remove it without a question.');
    return 2;
  }
  await purgeThisMachine();
  say(`Removed, ${sizeText(bytes)}.`);
  return 0;
}
