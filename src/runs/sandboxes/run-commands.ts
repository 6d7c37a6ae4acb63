// Runs commands under one level: one copy for all of them, one layout for each, and nothing left.

import { release } from 'node:os';
import { dirname } from 'node:path';
import type { ProcessEnd, RunProcess } from '../../kernel/process.ts';
import { type Copy, makeCopy, removeFolder } from './copy.ts';
import type { Level, Limits, SandboxLayout } from './level.ts';
import { holdsHome, INNER_HOME, isWithin, type Mount, realPath, systemMounts } from './mounts.ts';
import { outerLine } from './outer-shell.ts';
import type { Sandbox, SandboxedCommand } from './sandbox.ts';

interface Setup {
  readonly level: Level;
  readonly limits: Limits;
  readonly readOnly: readonly string[];
  /** The node that commands find first. */
  readonly nodePath: string;
  readonly run: RunProcess;
}

export function sandboxOf(setup: Setup): Sandbox {
  return { level: setup.level.name, run: (commands, signal) => runCommands(setup, commands, signal) };
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
  const made = await makeCopy(workTree, setup.limits);
  if (made.kind === 'refused') return commands.map(() => notRun(made.reason));
  try {
    const layout = layoutOf(setup, workTree, system, made.copy);
    setup.level.prepare?.(layout);
    const ends: ProcessEnd[] = [];
    for (const command of commands) ends.push(await runOne(setup, command, layout, signal));
    return ends;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return commands.map(() => notRun(`the sandbox could not be prepared: ${message}`));
  } finally {
    await removeFolder(made.copy.folder);
  }
}

function layoutOf(setup: Setup, workTree: string, system: readonly Mount[], copy: Copy): SandboxLayout {
  return {
    mounts: [
      ...system,
      { kind: 'memory', target: '/dev/shm', bytes: setup.limits.temporaryBytes },
      { kind: 'writable', source: copy.tree, target: workTree },
      ...copy.mounts,
    ],
    cwd: workTree,
    env: {
      PATH: [...new Set([dirname(setup.nodePath), '/usr/local/bin', '/usr/bin', '/bin'])].join(':'),
      HOME: INNER_HOME,
      TMPDIR: '/tmp',
      LANG: 'C.UTF-8',
    },
    emptyFolder: copy.emptyFolder,
    shell: [],
  };
}

async function runOne(
  setup: Setup,
  command: SandboxedCommand,
  layout: SandboxLayout,
  signal: AbortSignal | undefined,
): Promise<ProcessEnd> {
  if (signal?.aborted === true) return { ...notRun('stopped before it was its turn'), endedBy: 'caller' };
  const shell = ['/bin/sh', '-c', limitsScript(setup.limits, command.timeoutMs), 'sh', command.command];
  const line = outerLine(setup.level.commandLine({ ...layout, shell }));
  if (typeof line === 'string') return notRun(line);
  const end = await setup.run({ command: line, cwd: '/', env: {}, timeoutMs: command.timeoutMs }, signal);
  const failure = setup.level.failure(end.stderr.text, end.exitCode);
  return failure === undefined ? end : { ...end, exitCode: null, startError: failure };
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

function countsByNamespace(): boolean {
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
