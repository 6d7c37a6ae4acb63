import type { MachineState } from '../../app/state.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { sizeText } from '../../system/files/gone-state.ts';
import { AGREEMENT_FLAGS, canAsk, namesIn, settle } from '../agreement.ts';
import type { Call, Command } from '../command.ts';
import { askKey } from '../keys.ts';
import { working } from '../working.ts';

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
    purge: {
      description:
        'also remove what foreword keeps on this machine (stores, runs, sessions, results), and the hooks of other projects',
    },
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
    if (call.has('purge')) return removeEverything(call);
    const { prepareUninstall } = await import('../../app/install.ts');
    const scope = call.text('scope');
    const prepared = prepareUninstall({
      cwd: call.text('cwd'),
      agents: namesIn(call),
      scope: call.has('team') ? 'team' : scope === 'user' || scope === 'project' ? scope : undefined,
    });
    return settle(call, prepared, {
      question: QUESTION,
      nothing: call.has('team') ? 'No entries of a team are in this project.' : NO_HOOKS,
      done: `Done. Kept: files that you wrote in .foreword/ and .context/ of projects, and ${prepared.shortened(prepared.stateFolder)}.`,
    });
  },
};

const QUESTION = 'Remove this?';
const ALL = 'Remove all of this?';
const NO_HOOKS = 'No hooks of foreword are installed here.';

/** The hooks first, also those of other projects: their records go with the data. */
async function removeEverything(call: Call): Promise<number> {
  const [{ prepareUninstall }, { keptOnThisMachine, refuseWhileRunning }] = await Promise.all([
    import('../../app/install.ts'),
    import('../../app/state.ts'),
  ]);
  const kept = await working(call, 'looking at what is kept', keptOnThisMachine);
  if (!call.has('dry-run')) refuseWhileRunning(kept);
  const prepared = prepareUninstall({ cwd: call.text('cwd'), isEverywhere: true });
  // One question for both, so both are shown before it.
  const isOneQuestion = canAsk(call) && !call.has('dry-run') && prepared.plan.changes.length > 0;
  if (isOneQuestion && kept.folders.length > 0) {
    showKept(call, kept);
    call.out.print('');
  }
  let answer: object = {};
  const status = await settle(call, prepared, {
    question: isOneQuestion ? ALL : QUESTION,
    nothing: NO_HOOKS,
    done: 'Done.',
    json: (hooks) => {
      answer = hooks;
    },
  });
  if (status === 1 && kept.folders.length > 0 && !call.has('dry-run'))
    call.out.note('foreword: the data was not removed: what could not be changed needs its records.');
  const [removed, end] = status === 0 ? await purge(call, kept, isOneQuestion) : [false, status];
  if (call.has('json')) call.out.json({ ...answer, purge: { ...kept, removed } });
  return end;
}

function showKept(call: Call, { folders, projects, bytes }: MachineState): void {
  const lines = [
    `${call.has('dry-run') ? 'Would be removed' : 'To be removed'} from this machine for good, ${sizeText(bytes)}:`,
    ...folders.map((folder) => `  ${folder}`),
    ...projects.map((root) => `  of the project ${root}: tasks, attempts, saved notes, sessions`),
    'Branches of runs, and the files in .foreword/ of your projects, stay where they are.',
  ];
  if (!call.has('json')) call.out.print(lines.join('\n'));
}

/** Whether it was removed, and the exit code. */
async function purge(call: Call, kept: MachineState, isAgreed: boolean): Promise<[boolean, number]> {
  const { folders, bytes, running } = kept;
  const say = (text: string): void => {
    if (!call.has('json')) call.out.print(text);
  };
  if (folders.length === 0) {
    say('Nothing is kept on this machine.');
    return [false, 0];
  }
  if (!isAgreed) {
    say('');
    showKept(call, kept);
  }
  if (call.has('dry-run')) {
    for (const { what } of running) say(`! ${what} still runs: until it ends, nothing would be removed.`);
    return [false, 0];
  }
  const isAsked = !isAgreed && !call.has('yes') && canAsk(call);
  const key = isAsked ? await askKey(`${ALL} [y/N] `, 'y') : isAgreed || call.has('yes') ? 'y' : 'n';
  if (key !== 'y') {
    call.out.note('foreword: the data was not removed. Use --yes to remove it without a question.');
    return [false, key === undefined ? 130 : 2];
  }
  const { purgeThisMachine } = await import('../../app/state.ts');
  await working(call, 'removing it', purgeThisMachine);
  say(`Removed, ${sizeText(bytes)}.`);
  return [true, 0];
}
