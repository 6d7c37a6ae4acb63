import { resolve } from 'node:path';
import { type HostRole, hostRole } from '../../app/role.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { CHANNEL_NAMES, type Channel, PROOFS, type Proof } from '../../kernel/receipt.ts';
import type { Call, Command } from '../command.ts';
import type { withProject } from '../with-project.ts';

export const start: Command = {
  name: 'start',
  summary: 'Start an agent in this terminal, with its startup context, provably',
  args: ['AGENT', '[ARGS...]'],
  flags: {
    tmux: { meaning: 'in a private tmux server, which outlives this terminal (foreword attach)' },
    detach: { meaning: 'in tmux, and come back once it runs; --json then prints the session' },
    channel: {
      meaning: 'begin with this way in instead of the best one',
      value: 'NAME',
      choices: CHANNEL_NAMES,
    },
    'no-context': { meaning: 'give it no startup context' },
    wait: { meaning: 'with --detach: wait for this proof of the startup context', value: 'PROOF', choices: PROOFS },
  },
  examples: [
    { line: 'foreword start claude', does: 'as always, and it knows where the last session left off' },
    { line: 'foreword start codex -- --model o5', does: "the agent's own arguments come after --" },
    { line: 'foreword start gemini --detach --wait served', does: 'unattended; 0 only when the model was given it' },
    { line: 'foreword start codex --detach --json', does: 'for programs; --json goes with --detach alone' },
  ],
  run: async (call) => {
    const options = optionsOf(call);
    const role = hostRole();
    if (role !== undefined) return host(call, options, role);
    if (options.terminal === 'tmux') return startHosted(call, options);
    return inProject(call, async (project) => (await import('../../app/host.ts')).startHere(project, options));
  },
};

/** The process that will host the session comes first: while it starts, the session is prepared here. */
async function startHosted(call: Call, options: Options): Promise<number> {
  const { beginHost } = await import('../../app/spawn.ts');
  const begun = beginHost({ ...options, store: call.text('store') }, resolve(call.text('cwd') ?? '.'));
  try {
    return await inProject(call, async (project) =>
      (await import('../../app/sessions.ts')).startDetached(project, options, begun),
    );
  } catch (error) {
    await begun.giveUp();
    throw error;
  }
}

async function host(call: Call, options: Options, role: HostRole): Promise<number> {
  const begun = role.kind === 'new' ? (await import('../../app/hosting.ts')).beginHosting(role) : undefined;
  try {
    return await inProject(
      call,
      async (project) => (await import('../../app/detached.ts')).hostHere(project, role, options, begun),
      role,
    );
  } catch (error) {
    await begun?.drop();
    throw error;
  }
}

/** Loaded when the other process is under way. */
async function inProject(...words: Parameters<typeof withProject>): Promise<number> {
  return (await import('../with-project.ts')).withProject(...words);
}

type Options = ReturnType<typeof optionsOf>;

function optionsOf(call: Call) {
  const [agent = '', ...args] = call.args;
  const isDetached = call.has('detach');
  const wait = call.text('wait') as Proof | undefined;
  if (wait !== undefined && !isDetached) {
    throw new ForewordError('bad-usage', '--wait goes with --detach: a session you sit at needs no waiting for.');
  }
  if (call.has('json') && !isDetached) {
    throw new ForewordError(
      'bad-usage',
      '--json goes with --detach: here standard output is the screen of the agent.',
      {
        hint: 'From another terminal, foreword sessions --json and foreword receipts --json tell how it stands.',
      },
    );
  }
  return {
    agent,
    args,
    channel: call.text('channel') as Channel | undefined,
    hasContext: !call.has('no-context'),
    terminal: call.has('tmux') || isDetached ? 'tmux' : 'pty',
    isDetached,
    wait,
    isJson: call.has('json'),
    config: call.text('config'),
    out: sinks(call),
  } as const;
}

function sinks(call: Call) {
  return {
    note: (text: string) => call.out.note(`foreword: ${text}`),
    print: (text: string) => call.out.print(text),
    json: (value: unknown) => call.out.json(value),
  };
}
