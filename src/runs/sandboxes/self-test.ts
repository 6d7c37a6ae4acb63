// The self-test: whether a level really isolates commands on this machine, found out by trying. One command inside tries to
// get out in a dozen ways and prints each success; what can be seen from outside (connections, files, processes) is checked
// from outside. A second command is stopped by its timeout, and no process of it may be left.

import { randomInt, randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ProcessEnd } from '../../kernel/process.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { PREFIX, removeFolder } from './copy.ts';
import { homes } from './mounts.ts';
import { PROBES, type ProbeFacts } from './probes.ts';
import type { Sandbox } from './sandbox.ts';
import { numberOf, type SystemCall } from './syscalls.ts';

/** A command inside that takes longer is stuck; the test fails. */
const PROBE_MS = 10_000;
/** Long enough to have started the survivors, short enough for a start that waits for it. */
const STOP_MS = 120;
const EXPECTED_STATUS = 7;

interface Expected {
  readonly nodePath: string;
  readonly refusesNested: boolean;
  readonly hasFilter: boolean;
  /** What commands may write in all; `undefined` when there is no limit. */
  readonly writtenBytes: number | undefined;
}

/** Why the level is not used, or `undefined`. */
export async function selfTest(sandbox: Sandbox, expected: Expected): Promise<string | undefined> {
  const { nodePath, ...expectations } = expected;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const listener = await listen();
  const traces = [folder, ...homes()].map((place) => join(place, `.foreword-probe-${randomInt(1e9)}`));
  try {
    const tree = join(folder, 'tree');
    mkdirSync(tree);
    replaceFile(join(tree, 'inside'), 'original', { mode: 0o644 });
    replaceFile(join(folder, 'canary'), 'secret', { mode: 0o644 });
    const facts: ProbeFacts = {
      tree,
      canaries: [join(folder, 'canary'), ...homes().flatMap((home) => firstFile(home))],
      folders: homes().flatMap((home) => identity(home)),
      closed: ['/usr', '/etc', '/'],
      traces,
      port: listener.port,
      ...expectations,
      calls: callsOf(process.arch),
      status: EXPECTED_STATUS,
      word: randomUUID(),
    };
    const command = `${quoted(nodePath)} -e ${quoted(PROBES)} ${quoted(JSON.stringify(facts))}`;
    const mark = `86399.${randomInt(1e8, 1e9)}`;
    const stuck = `setsid sleep ${mark} & (sleep ${mark} &) ; sleep ${mark}`;
    const [probed, stopped] = await Promise.all([
      sandbox.run([{ command, workTree: tree, timeoutMs: PROBE_MS }]),
      sandbox.run([{ command: stuck, workTree: tree, timeoutMs: STOP_MS }]),
    ]);
    return (
      probeFault(probed[0], facts.word) ??
      stopFault(stopped[0]) ??
      (listener.connections() > 0 ? 'a command reached a port of this machine' : undefined) ??
      (readFileSync(join(tree, 'inside'), 'utf8') !== 'original' ? 'a command changed the work tree' : undefined) ??
      (traces.some((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
        ? 'a command wrote outside its copy'
        : undefined) ??
      ((await isLeft(mark)) ? 'a command outlived its time' : undefined)
    );
  } finally {
    listener.server.close();
    // A level that holds nothing has let them through.
    for (const path of traces) rmSync(path, { force: true });
    await removeFolder(folder);
  }
}

/** A call of each kind that the filter refuses and a kernel would allow, with its arguments, for perl. */
function callsOf(arch: string): ProbeFacts['calls'] {
  if (arch !== 'x64' && arch !== 'arm64') return [];
  const call = (name: SystemCall, ...words: number[]) => [numberOf(name, arch) ?? -1, ...words];
  return [
    // Ask for the session keyring, make a socket to the hypervisor, make a ring.
    { name: 'keyrings', words: call('keyctl', 0, -3, 1) },
    { name: 'AF_VSOCK', words: call('socket', 40, 1, 0) },
    { name: 'io_uring', words: call('io_uring_setup', 1, 0) },
  ];
}

function probeFault(end: ProcessEnd | undefined, word: string): string | undefined {
  if (end?.startError !== undefined) return end.startError;
  const faults = end?.stdout.text.split('\n').filter((line) => line.startsWith('fault: ')) ?? [];
  if (faults[0] !== undefined) return faults.map((line) => line.slice('fault: '.length)).join('; ');
  if (end?.exitCode === EXPECTED_STATUS && end.stdout.text.trimEnd().endsWith(`all probes ran ${word}`))
    return undefined;
  return `the probes did not run (exit ${end?.exitCode ?? end?.signal}): ${end?.stderr.text.trim().slice(0, 500)}`;
}

function stopFault(end: ProcessEnd | undefined): string | undefined {
  return end?.endedBy === 'timeout' ? undefined : (end?.startError ?? 'a command was not stopped by the clock');
}

/** The kernel ends a namespace a moment after its first process. */
async function isLeft(mark: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (!readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(mark))) return false;
    await setTimeout(10);
  }
  return true;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Ended in the meantime.
    return '';
  }
}

async function listen(): Promise<{ server: Server; port: number; connections(): number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, port: typeof address === 'object' ? (address?.port ?? 0) : 0, connections: () => count };
}

/** A file that is there already: nothing is written to a person's home for a test. */
function firstFile(folder: string): readonly string[] {
  try {
    const file = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isFile());
    return file === undefined ? [] : [join(folder, file.name)];
  } catch {
    // A home that we cannot list cannot be listed by a command either.
    return [];
  }
}

function identity(folder: string): ProbeFacts['folders'] {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? [] : [{ path: folder, identity: `${stats.dev}:${stats.ino}` }];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
