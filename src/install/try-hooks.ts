// For doctor: runs installed hooks once for real. They run in a project and with a state folder of their own, which are removed
// afterwards, so that nothing of the person is changed; the shell, the scripts, Node and the program are the real ones.

import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProcessEnd, RunProcess } from '../kernel/process.ts';
import type { Environment } from '../system/environment.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { personState, stateFolder } from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { childEnvironment } from '../system/processes/environment.ts';

/** One hook as it is installed. */
export interface HookToTry {
  /** As the agent calls it. */
  readonly event: string;
  /** For `sh -c`. */
  readonly line: string;
}

export interface HookFault {
  readonly event: string;
  readonly why: string;
}

export interface TryMachine {
  readonly env: Environment;
  /** The person's state folder, whose note about Node counts. */
  readonly stateFolder: string;
  readonly run: RunProcess;
}

/** The hook has 1.5 s by itself; the rest is for a busy machine. */
const LONGEST_MS = 10_000;
const PROJECT_FILES = { '.foreword/tasks.yaml': 'tasks: []\n', '.context/CONSTITUTION.md': '# Rules\n\nBe kind.\n' };

export async function tryHooks(hooks: readonly HookToTry[], machine: TryMachine): Promise<readonly HookFault[]> {
  const faults = await Promise.all(hooks.map((hook) => tryHook(hook, machine)));
  return faults.flatMap((fault) => fault ?? []);
}

async function tryHook({ event, line }: HookToTry, machine: TryMachine): Promise<HookFault | undefined> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-doctor-')));
  try {
    const project = join(folder, 'project');
    const env = environmentFor(machine.env, folder);
    const state = stateFolder(env);
    prepare(project, state, machine.stateFolder);
    const input = JSON.stringify({
      session_id: 'foreword-doctor',
      cwd: project,
      source: 'startup',
      prompt: 'Is anybody there?',
      tool_name: 'none',
      tool_input: {},
    });
    const ended = await machine.run({
      command: ['/bin/sh', '-c', line],
      cwd: project,
      env,
      input: `${input}\n`,
      timeoutMs: LONGEST_MS,
    });
    const why = faultIn(ended) ?? lastComplaint(personState(state).hookLog) ?? silence(line, ended);
    return why === undefined ? undefined : { event, why };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Nothing of a session or a run around us, and no store of the person. */
function environmentFor(env: Environment, folder: string): Record<string, string> {
  const own = childEnvironment({ base: env, names: ['FOREWORD_NODE'] });
  return { ...own, HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
}

function prepare(project: string, state: string, known: string): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(PROJECT_FILES)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    replaceFile(join(project, name), text);
  }
  try {
    copyFileSync(personState(known).node, personState(state).node);
  } catch {
    // None is noted there: PATH counts, or the note beside the program.
    return;
  }
}

function faultIn({ exitCode, startError, endedBy, stderr }: ProcessEnd): string | undefined {
  if (startError !== undefined) return startError;
  if (endedBy !== undefined) return `did not end within ${LONGEST_MS / 1000} s`;
  const last = stderr.text.trim().split('\n').at(-1) ?? '';
  return exitCode === 0 ? undefined : `ended with ${exitCode}${last === '' ? '' : `: ${last}`}`;
}

/** What the hook wrote to its log is the reason why it does nothing. */
function lastComplaint(log: string): string | undefined {
  const read = readTextFile(log);
  if (read.kind !== 'text') return undefined;
  return read.text
    .trim()
    .split('\n')
    .at(-1)
    ?.replace(/^\S+ \S+ \S+: /, '');
}

/** A session start always has something to say in that project. */
function silence(line: string, { stdout }: ProcessEnd): string | undefined {
  if (!/ session-start \S+$/.test(line) || stdout.text.trim() !== '') return undefined;
  return 'prints nothing at a session start';
}
