// `foreword` alone on a terminal: which agents are here, what they are given, a test of one, one question, and what the next
// session will be told. Every step is a command of its own, which the page names. Nothing is written before the answer.

import { spawn } from 'node:child_process';
import type { HookTrust } from '../app/install.ts';
import { startupText } from '../context/startup-text.ts';
import { ForewordError } from '../kernel/errors.ts';
import { versionOfProgram } from '../system/processes/program-version.ts';
import type { Arrival } from '../verify/arrival.ts';
import type { Tried } from '../verify/measurement.ts';
import { printList } from './agreement.ts';
import type { Call } from './command.ts';
import { INIT_NEXT, runInit } from './commands/init.ts';
import { withProject } from './with-project.ts';

/** Of the text that the next session is told: more would push the rest off the screen. */
const MAX_LINES = 16;

export async function welcome(call: Call): Promise<number> {
  const { agentsHere } = await import('../app/install.ts');
  const here = agentsHere(process.cwd());
  call.out.title('foreword: the context a coding agent needs, and the proof that it arrived.');
  if (here.agents.length === 0) return nobody(here.known);
  call.out.print('');
  call.out.title('Agents on this machine');
  call.out.table(['agent', 'version', 'given by foreword'], here.agents.map(agentRow));
  const tested = here.agents.find(({ isVerifiable, program }) => isVerifiable && program !== undefined);
  if (tested !== undefined && (await tryOne(call, tested.agent, tested.title)) === 130) return stopped(call);
  call.out.print('');
  call.out.title('What foreword init would change');
  const status = await runInit(call, { next: [] });
  if (status !== 0) return status;
  await showNext(call, here.agents[0]?.agent);
  printList(call, 'Next', INIT_NEXT);
  return 0;
}

interface AgentHere {
  readonly title: string;
  readonly program: string | undefined;
  readonly isInPlace: boolean;
  readonly trust: HookTrust | undefined;
}

function agentRow({ title, program, isInPlace, trust }: AgentHere): readonly string[] {
  const version = program === undefined ? 'program not found' : (versionOfProgram(program) ?? 'installed');
  if (!isInPlace) return [title, version, 'nothing yet'];
  return [title, version, `its hooks are in place${WAITING[trust ?? 'trusted'] ?? ''}`];
}

/** Hooks that are in place and do not run. */
const WAITING: Partial<Record<HookTrust, string>> = {
  'waits for review': ', but do not run before you agree to them in it',
  modified: ', but do not run before you agree to them in it again',
  disabled: ', but are switched off in it',
  'folder not trusted': ', but those of this project do not run before you trust its folder in it',
  off: ', but it runs no hooks at all',
};

function nobody(known: readonly string[]): never {
  throw new ForewordError('missing-program', 'No coding agent was found on this machine.', {
    hint: `foreword works with ${known.join(', ')}. Install one and run foreword again, or name one that is elsewhere: foreword init --agents NAME. foreword context prints what an agent would be told here.`,
  });
}

function stopped(call: Call): number {
  call.out.note('foreword: nothing was changed.');
  return 130;
}

/** Runs the command in a process of its own, which cuts itself off the network. Its progress is on the terminal. */
async function tryOne(call: Call, agent: string, title: string): Promise<number> {
  call.out.print('');
  call.out.title(`Does it reach ${title}? (foreword verify ${agent} --quick)`);
  call.out.print('The real agent, a fake model on this machine: no account, no network, no cost.');
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'verify', agent, '--quick', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Ctrl-C reaches the child too, which then cleans up.
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
  };
  process.on('SIGINT', stop);
  const status = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
  process.off('SIGINT', stop);
  if (isStopped || status === 130) return 130;
  showArrivals(call, Buffer.concat(chunks).toString('utf8'));
  return status;
}

function showArrivals(call: Call, answer: string): void {
  const { agents, error } = parsed(answer);
  if (error !== undefined) call.out.print(`Not tried: ${error.message}`);
  const arrivals = agents?.[0]?.arrivals ?? {};
  const kinds = Object.values(arrivals).map(({ kind }) => kind);
  if (kinds.length > 0 && kinds.every((kind) => kind === 'served'))
    call.out.print('Its model was given every text, whole and once.');
}

interface Answer {
  readonly agents?: readonly { readonly arrivals: Readonly<Partial<Record<Tried, Arrival>>> }[];
  readonly error?: { readonly message: string };
}

function parsed(answer: string): Answer {
  try {
    return JSON.parse(answer) as Answer;
  } catch {
    return {};
  }
}

function showNext(call: Call, agent: string | undefined): Promise<number> {
  return withProject(call, async (project) => {
    const whole = (await startupText(project, agent)).split('\n');
    const lines = whole.filter((line) => !EMPTY.test(line));
    call.out.print('');
    call.out.title('Your next session in this project will be told (foreword load):');
    for (const line of lines.slice(0, MAX_LINES)) call.out.print(`  ${line}`);
    if (lines.length > MAX_LINES) call.out.print(`  … and ${lines.length - MAX_LINES} more lines`);
    if (lines.length < whole.length) call.out.print('  (empty lists are left out here)');
    return 0;
  });
}

/** Lists of the header in which nothing stands, and its frame: a person need not read what is not there. */
const EMPTY = /^(?:[a-z_]+: \[\]|---|\.\.\.)$/;
