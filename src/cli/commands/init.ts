import { keepAcross, readAcross } from '../../config/across.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { ownStateFolder } from '../../system/files/person-state.ts';
import { AGREEMENT_FLAGS, canAsk, namesIn, settle } from '../agreement.ts';
import type { Call, Command } from '../command.ts';
import { askKey } from '../keys.ts';

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
    team: { description: 'entries to commit: no path of a machine, silent where foreword is not installed' },
    lineup: { description: 'the agents of foreword run, in your order; proposed by default', value: 'NAMES' },
    'context-files': { description: 'also create the six files of .context/' },
  },
  examples: [
    { line: 'foreword init', does: 'finds the agents, says in five lines what would change, and asks' },
    { line: 'foreword init --agents claude,codex --dry-run', does: 'only shows the changes' },
    {
      line: 'foreword init --yes --context-files',
      does: 'asks nothing, and creates files for rules, decisions and so on',
    },
    {
      line: 'foreword init --team --agents claude,copilot',
      does: 'writes entries for everybody who clones this project',
    },
  ],
  run: async (call) => {
    const status = await runInit(call);
    return status === 0 && !call.has('dry-run') && !call.has('team') ? askAcross(call) : status;
  },
};

/** Plans, asks and writes. Throws what a person must fix first. */
export async function runInit(
  call: Call,
  { next = INIT_NEXT }: { readonly next?: readonly string[] } = {},
): Promise<number> {
  const isTeam = call.has('team');
  if (isTeam && call.text('scope') !== undefined)
    throw new ForewordError(
      'bad-usage',
      '--team and --scope exclude each other: the entries of a team are in the project.',
    );
  const { prepareInstall, prepareTeam } = await import('../../app/install.ts');
  const request = {
    cwd: call.text('cwd'),
    lineup: namesIn(call, 'lineup'),
    contextFiles: call.has('context-files'),
  };
  const scope = call.text('scope') === 'project' ? 'project' : 'user';
  const prepare = (agents: readonly string[] | undefined) =>
    isTeam ? prepareTeam({ ...request, agents }) : prepareInstall({ ...request, agents, scope });
  const prepared = await prepare(namesIn(call));
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
    done: `Done. foreword uninstall${isTeam ? ' --team' : ''} reverts it.`,
    next: isTeam ? TEAM_NEXT : next,
    forAgents: prepare,
  });
}

export const INIT_NEXT = [
  'Start your agent as always: the next session in this project is given what foreword load prints.',
  'foreword verify proves on this machine that it arrives; foreword doctor says what is wrong when it does not.',
];

const TEAM_NEXT = ['Look at the changes with git diff, and commit them.'];

/** Once for all projects, and only where somebody can answer; until then, no. Ctrl-C is no answer. */
async function askAcross(call: Call): Promise<number> {
  const state = ownStateFolder();
  if (!canAsk(call) || readAcross(state) !== undefined) return 0;
  call.out.print(
    '\nThe next session is told what the last one did, also when it is another agent: files, commands, commits.',
  );
  const { key, isOwn } = await askOwnKey('Show it your prompts too, though its service is of another vendor? [y/N] ');
  if (key === undefined) {
    call.out.note(
      'foreword: the hooks are installed; your prompts are not shown until you answer. foreword init asks again.',
    );
    return 130;
  }
  // An Enter may have been meant for the question before.
  if (isOwn) keepAcross(state, key === 'y');
  else call.out.note('foreword: they are not shown for now; foreword init asks again.');
  return 0;
}

/** The answer, and whether the person pressed its letter: Enter and the end of input are the default. */
async function askOwnKey(question: string): Promise<{ readonly key: string | undefined; readonly isOwn: boolean }> {
  let last = '';
  const hear = (chunk: Buffer | string): void => {
    last = String(chunk);
  };
  process.stdin.on('data', hear);
  try {
    const key = await askKey(question, 'y');
    return { key, isOwn: /^[yn]/i.test(last) };
  } finally {
    process.stdin.off('data', hear);
  }
}
