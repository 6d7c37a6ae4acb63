import { resolve } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { CHANNEL_NAMES, type Channel, PROOFS, type Proof } from '../../kernel/receipt.ts';
import { type Call, type Command, storeFlags } from '../command.ts';
import { inProject } from '../in-project.ts';

export const start: Command = {
  name: 'start',
  summary: 'Start an agent in this terminal, and deliver its startup context with proof',
  args: ['AGENT', '[ARGS...]'],
  flags: {
    tmux: { description: 'run it in a private tmux server that outlives this terminal (see foreword attach)' },
    detach: { description: 'run it in tmux, and return once it runs; --json then prints the session' },
    channel: {
      description: 'try this channel first instead of the best one',
      value: 'NAME',
      choices: CHANNEL_NAMES,
    },
    'no-context': { description: 'deliver no startup context' },
    wait: { description: 'with --detach: wait for this proof of the startup context', value: 'PROOF', choices: PROOFS },
  },
  examples: [
    { line: 'foreword start claude', does: 'starts it as usual; it knows where the last session stopped' },
    { line: 'foreword start codex -- --model o5', does: "passes the agent's own arguments after --" },
    {
      line: 'foreword start gemini --detach --wait served',
      does: 'runs unattended; exits with 0 only when the context reached the model',
    },
    { line: 'foreword start codex --detach --json', does: 'for programs; --json needs --detach' },
  ],
  run: async (call) => {
    const options = optionsOf(call);
    if (options.terminal === 'tmux') return startHosted(call, options);
    return inProject(call, async (project) => {
      project.state.switchOn();
      return (await import('../../app/session-here.ts')).startHere(project, options);
    });
  },
};

/** Starts the host process first, and prepares the session here while the host starts. */
async function startHosted(call: Call, options: Options): Promise<number> {
  const { startNewHost } = await import('../../app/session-spawn.ts');
  const host = startNewHost({ ...options, ...storeFlags(call) }, resolve(call.text('cwd') ?? '.'));
  try {
    return await inProject(call, async (project) => {
      project.state.switchOn();
      return (await import('../../app/session-start.ts')).startDetached(project, options, host);
    });
  } catch (error) {
    await host.cancel();
    throw error;
  }
}

type Options = ReturnType<typeof optionsOf>;

function optionsOf(call: Call) {
  const [agent = '', ...args] = call.args;
  const isDetached = call.has('detach');
  const wait = call.text('wait') as Proof | undefined;
  if (wait !== undefined && !isDetached) {
    throw new ForewordError('bad-usage', '--wait needs --detach: in this terminal you see the session yourself.', {
      hint: 'Add --detach, or leave --wait out.',
    });
  }
  if (call.has('json') && !isDetached) {
    throw new ForewordError(
      'bad-usage',
      '--json needs --detach: without it, standard output is the screen of the agent.',
      {
        hint: 'Add --detach, or run foreword sessions --json and foreword receipts --json in another terminal.',
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
    out: outputOf(call),
  } as const;
}

function outputOf(call: Call) {
  return {
    note: (text: string) => call.out.note(`foreword: ${text}`),
    print: (text: string) => call.out.print(text),
    json: (value: unknown) => call.out.json(value),
  };
}
