// The person who runs commands in the hostile repository: an environment from nothing, and a look at everything outside
// before and after.

import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tuiAgent } from '../agents/tui-log.ts';
import { allProcesses, isAlive, kill, type Seen, tagged } from '../processes/processes.ts';
import { careIn } from './care.ts';
import type { Line } from './commands.ts';
import { faultsOf, wordsIn } from './output.ts';
import type { Outside } from './outside.ts';
import { onTerminal, type Ran, runLine, type Seat } from './run-line.ts';
import { differences, type Snapshot, snapshot } from './snapshot.ts';
import { trappedPath } from './traps/programs.ts';

const SCRIPTED = join(import.meta.dirname, '../agents/scripted.mjs');

export interface Person {
  readonly outside: Outside;
  /** Runs a line and notes what is wrong about its output. */
  run(line: Line, cwd?: string): Promise<Ran>;
  sit(args: readonly string[]): Seat;
  /** Everything wrong so far: outputs, changes outside, canaries, processes. Looks at it all again. */
  faults(): Promise<readonly string[]>;
  /** The number of command lines so far. */
  count(): number;
}

export interface PersonOptions {
  readonly network?: 'none' | 'watched';
  /** Besides the repository: other folders that are the project's own. */
  readonly roots?: readonly string[];
}

export function openPerson(outside: Outside, options: PersonOptions = {}): Person {
  const { network = 'none', roots = [] } = options;
  const tag = randomBytes(8).toString('hex');
  const env = {
    PATH: `${trappedPath(outside.repository)}:${outside.own}/bin:/usr/bin:/bin`,
    HOME: outside.home,
    FOREWORD_CHECKOUTS: dirname(outside.state),
    TMPDIR: outside.temporary,
    XDG_RUNTIME_DIR: outside.runtime,
    ...(outside.state.startsWith(outside.home) ? {} : { XDG_STATE_HOME: dirname(outside.state) }),
    TMUX: `${outside.tmux},1,0`,
    TERM: 'xterm-256color',
    HOSTILE_TEST: tag,
  };
  writeOwn(outside);
  const look = (): Snapshot => snapshot([outside.folder], careIn(outside, [outside.repository, ...roots]));
  const before = look();
  const found: string[] = [];
  let count = 0;
  const processes = (): readonly Seen[] =>
    [...tagged(`HOSTILE_TEST=${tag}`), ...allProcesses().filter(({ command }) => isOurs(command, outside))].filter(
      isAlive,
    );
  const note = (name: string, faults: readonly string[]): void => {
    const shown = name.replaceAll(/[^ -~]/g, '?').replaceAll(outside.folder, '…');
    found.push(...faults.map((fault) => `${shown}: ${fault}`));
  };
  /** By command, so that the one that did it is named. */
  const noteCanaries = (name: string): void => {
    const sung = readdirSync(outside.canary).map((canary) => `canary ${canary}`);
    note(
      name,
      sung.filter((one) => !found.some((fault) => fault.endsWith(one))),
    );
  };
  return {
    outside,
    run: async (line, cwd = outside.repository) => {
      count += 1;
      const name = `${line.program === undefined ? 'foreword' : 'foreword-hook'} ${line.args.join(' ')}`;
      const visit = async (url: string): Promise<void> => note(name, await visitFaults(url));
      const ran = await runLine(line, { cwd, env, network, visit });
      note(name, faultsOf(ran));
      if (line.mustSucceed === true && ran.status !== 0)
        note(name, [`was kept from its work: ${ran.stderr}${ran.stdout}`]);
      noteCanaries(name);
      return ran;
    },
    sit: (args) => onTerminal(args, { cwd: outside.repository, env }),
    faults: async () => {
      noteCanaries('later');
      const deadline = performance.now() + 10_000;
      while (processes().length > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 50));
      const alive = processes();
      const left = alive.map(({ pid, command }) => `left running: ${pid} ${command.replaceAll('\0', ' ')}`);
      for (const one of alive) if (isAlive(one)) kill(one.pid);
      const tmux = outside.isTmuxAlive() ? [] : ['the tmux server of the person is gone'];
      const calls = outside.connections() === 0 ? [] : [`${outside.connections()} connections to somebody`];
      const open = openToOthers(outside).map((path) => `others can read ${path}`);
      const changes = differences(before, look()).map((change) => change.replaceAll(outside.folder, '…'));
      return [...found, ...changes, ...open, ...left, ...tmux, ...calls];
    },
    count: () => count,
  };
}

/** What other users could open: the folders of a project, of a root and of sessions are private. */
function openToOthers({ state, runtime }: Outside): readonly string[] {
  const entries = [state, join(state, 'projects'), join(runtime, 'foreword')].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [],
  );
  return entries.filter((path) => (lstatSync(path).mode & 0o077) !== 0);
}

/** What tmux starts has no variable of ours, only the folder in its arguments. */
function isOurs(command: string, outside: Outside): boolean {
  return command.includes(`${outside.folder}/`) && !command.includes(outside.tmux);
}

/** The pages of the dashboard, as far as they need no id. */
async function visitFaults(url: string): Promise<readonly string[]> {
  const { origin, search } = new URL(url);
  const faults: string[] = [];
  for (const path of ['/', '/state', '/metrics']) {
    const body = await (await fetch(`${origin}${path}${search}`)).text();
    faults.push(...wordsIn(body).map((fault) => `${path} has ${fault}`));
  }
  return faults;
}

/** Agents and tasks that the person has written, outside of the repository. */
function writeOwn({ own }: Outside): void {
  mkdirSync(join(own, 'log'), { recursive: true });
  const command = [process.execPath, SCRIPTED, 'works', join(own, 'log/ledger')];
  const terminal = (more: object) =>
    tuiAgent({
      profile: 'plain',
      log: join(own, 'log/tui.jsonl'),
      script: { busyMs: 100, ...more },
      submitDelayMs: 100,
      file: 'CLAUDE.local.md',
    });
  const [tui, once] = [terminal({}), terminal({ exitAfterTurns: 1 })];
  const agents = { mine: { oneshot: { command, prompt: 'stdin' } }, tui, once };
  writeFileSync(
    join(own, 'config.json'),
    JSON.stringify({ lineup: ['mine'], agents, run: { maxWaitS: 0, allow: [join(own, 'log')] } }),
  );
  const check = { file_contains: { path: 'done-mine.txt', pattern: '^done$' } };
  const task = { task_id: 'mine', intent: 'x', instructions: 'y', acceptance_criteria: [{ text: 'z', check }] };
  writeFileSync(join(own, 'tasks.json'), JSON.stringify([task]));
}
