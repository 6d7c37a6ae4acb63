// Runs commands under one level: one copy for all of them, one layout for each, and nothing left.

import { release } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProcessEnd, RunProcess } from '../../kernel/process.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import type { Filter, Level, Limits, SandboxLayout } from './level.ts';
import { hiddenMounts, holdsHome, INNER_HOME, isWithin, type Mount, realPath, systemMounts } from './mounts.ts';
import { outerLine } from './outer-shell.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

export interface Setup {
  readonly level: Level;
  /** What this machine cannot keep commands from, for people. */
  readonly lacks: readonly string[];
  readonly filter: Uint8Array | undefined;
  /** Absent: what commands write has no limit in total. */
  readonly nsenter: string | undefined;
  readonly limits: Limits;
  readonly readOnly: readonly string[];
  /** The node that commands find first. */
  readonly nodePath: string;
  readonly run: RunProcess;
}

export function sandboxOf(setup: Setup): Sandbox {
  const { level, lacks } = setup;
  return {
    level: [level.name, ...(lacks.length === 0 ? [] : ['without', lacks.join(', ')])].join(' '),
    run: (commands, signal) => runCommands(setup, commands, signal),
  };
}

async function runCommands(
  setup: Setup,
  commands: readonly SandboxedCommand[],
  signal: AbortSignal | undefined,
): Promise<readonly ProcessEnd[]> {
  const first = commands[0];
  if (first === undefined) return [];
  if (commands.some((command) => command.workTree !== first.workTree)) {
    return commands.map(() => notRun('commands of one run must share a work tree'));
  }
  const workTree = realPath(first.workTree) ?? first.workTree;
  const system = systemMounts(setup.nodePath, setup.readOnly, setup.limits.temporaryBytes);
  const reason = refuseTree(workTree, setup.level, system);
  if (reason !== undefined) return commands.map(() => notRun(reason));
  const { level, limits, run, nsenter } = setup;
  const workspace = await openWorkspace({ workTree, level, limits, run, nsenter });
  if (typeof workspace === 'string') return commands.map(() => notRun(workspace));
  try {
    const ends: ProcessEnd[] = [];
    const inside = insideOf(setup, workTree, { system, workspace });
    for (const command of commands) ends.push(await runOne({ setup, workspace, inside }, command, signal));
    return ends;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return commands.map(() => notRun(`the sandbox could not be prepared: ${message}`));
  } finally {
    await workspace.close();
  }
}

/** The same for every command but for the fresh places of memory. */
function insideOf(
  setup: Setup,
  workTree: string,
  of: { readonly system: readonly Mount[]; readonly workspace: Workspace },
): SandboxLayout {
  const { emptyFolder, folder, mounts } = of.workspace;
  const layout: SandboxLayout = {
    mounts: [
      ...of.system,
      { kind: 'memory', target: '/dev/shm', bytes: setup.limits.temporaryBytes },
      ...mounts,
      ...hiddenMounts(),
    ],
    cwd: workTree,
    env: {
      PATH: [...new Set([dirname(setup.nodePath), '/usr/local/bin', '/usr/bin', '/bin'])].join(':'),
      HOME: INNER_HOME,
      TMPDIR: '/tmp',
      LANG: 'C.UTF-8',
    },
    emptyFolder,
    filter: setup.filter === undefined ? undefined : storeFilter(setup.filter, folder),
    shell: [],
  };
  setup.level.prepare?.(layout);
  return layout;
}

function storeFilter(bytes: Uint8Array, folder: string): Filter {
  const file = join(folder, 'filter');
  replaceFile(file, bytes, { mode: 0o600 });
  return { bytes, file };
}

async function runOne(
  { setup, workspace, inside }: { setup: Setup; workspace: Workspace; inside: SandboxLayout },
  command: SandboxedCommand,
  signal: AbortSignal | undefined,
): Promise<ProcessEnd> {
  const shell = ['/bin/sh', '-c', limitsScript(setup.limits, command.timeoutMs), 'sh', command.command];
  const fresh = workspace.fresh();
  const mounts = inside.mounts.map((mount) => fresh.place(mount));
  const [program, ...words] = [...workspace.enter, ...setup.level.commandLine({ ...inside, mounts, shell })];
  const line = program === undefined ? 'there is no command' : outerLine([program, ...words]);
  if (typeof line === 'string') return notRun(line);
  const end = await setup.run({ command: line, cwd: '/', env: {}, timeoutMs: command.timeoutMs }, signal);
  await fresh.remove();
  const failure = enterFailure(end) ?? setup.level.failure(end.stderr.text, end.exitCode);
  return failure === undefined ? end : { ...end, exitCode: null, startError: failure };
}

/** A command that imitates it gains `not-run`, never a pass. */
function enterFailure({ stderr, exitCode }: ProcessEnd): string | undefined {
  return exitCode === 1 && stderr.text.startsWith('nsenter: ') ? stderr.text.slice(0, 2_000).trim() : undefined;
}

/** A limit that cannot be set is one that is lower already. `-u` is bash's letter for processes, `-p` dash's. */
function limitsScript(limits: Limits, timeoutMs: number): string {
  const each = [
    'ulimit -c 0',
    // Per process; several cores may use more than the wall clock shows.
    `ulimit -t ${Math.ceil(timeoutMs / 1_000) * 8}`,
    `ulimit -f ${Math.floor(limits.fileBytes / 512)}`,
    `ulimit -d ${Math.floor(limits.memoryBytes / 1_024)}`,
    ...(countsByNamespace() ? [`ulimit -u ${limits.processes} || ulimit -p ${limits.processes}`] : []),
  ];
  return `${each.map((limit) => `{ ${limit}; } 2>/dev/null`).join('\n')}\nmkdir -p "$HOME"\nexec /bin/sh -c "$1"`;
}

export function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
}

/** The copy takes the place of the work tree, so that must not be a place the inside needs, nor hold a home folder. */
function refuseTree(workTree: string, level: Level, system: readonly Mount[]): string | undefined {
  if (isWithin(level.program, workTree)) return `${level.program} lies in the work tree`;
  if (holdsHome(workTree)) return `the work tree ${workTree} holds the home folder`;
  const covered = [...system.map((mount) => mount.target), '/proc', '/dev'].find((path) => isWithin(path, workTree));
  if (covered !== undefined) return `the work tree ${workTree} holds ${covered}`;
  const inner = ['/proc', '/sys', '/dev'].find((path) => isWithin(workTree, path));
  return inner === undefined ? undefined : `the work tree lies in ${inner}`;
}

function notRun(startError: string): ProcessEnd {
  const nothing = { text: '', bytes: 0 };
  return { exitCode: null, signal: null, stdout: nothing, stderr: nothing, durationMs: 0, startError };
}
