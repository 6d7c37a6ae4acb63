// The catalog of sandboxes: finds one whose self-test passes. A weaker level than the configured one is never used, and
// no task, agent or repository can influence the choice. To add a level: level.ts.

import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunProcess } from '../../kernel/process.ts';
import { findProgram } from '../../system/processes/find-program.ts';
import { bubblewrap } from './bubblewrap.ts';
import { PREFIX, removeFolder, sweepCopies } from './copy.ts';
import { diagnose, type Missing, notInstalled } from './diagnosis.ts';
import { DEFAULT_LIMITS, type Level, type Limits } from './level.ts';
import { isWithin, realPath, refusal } from './mounts.ts';
import { countsByNamespace, sandboxOf } from './run-commands.ts';
import type { SandboxFinding } from './sandbox.ts';
import { filterFor } from './seccomp.ts';
import { selfTest } from './self-test.ts';
import { openSpace } from './space.ts';
import { unshare } from './unshare.ts';

export { DEFAULT_LIMITS, type Limits } from './level.ts';

type SandboxLevel = 'auto' | 'bubblewrap' | 'unshare' | 'none';

interface SandboxRequest {
  /** `auto`: bubblewrap, else unshare. Any other is used or nothing is. */
  readonly level: SandboxLevel;
  /** More paths that commands may read, such as toolchains in a home folder. */
  readonly readOnly: readonly string[];
  /** What the commands of one run may write in total; `limits` wins. */
  readonly writeMiB?: number;
  readonly run: RunProcess;
  /** As in PATH; only absolute entries count. */
  readonly searchPath: string;
  /** Nothing of its repository is taken for the sandbox's program. */
  readonly workTree: string;
  readonly limits?: Partial<Limits>;
}

type Name = Exclude<SandboxLevel, 'auto' | 'none'>;

/** Finds a program on the search path, outside the work tree. */
type Find = (name: string) => string | undefined;

const LEVELS: Readonly<
  Record<Name, { program: string; make: (program: string, version: string, find: Find) => Level }>
> = {
  bubblewrap: { program: 'bwrap', make: bubblewrap },
  unshare: { program: 'unshare', make: (program, version, find) => unshare(program, version, shownPerl(find)) },
};

/** Never throws. Takes about a quarter of a second, for the self-test. */
export async function findSandbox(request: SandboxRequest): Promise<SandboxFinding> {
  if (request.level === 'none') return missing('the sandbox is switched off', 'Set sandbox.level to auto.');
  if (process.platform !== 'linux') return missing('sandboxes need Linux', 'Give each criterion a check.');
  const refused = request.readOnly.map(refusal).find((reason) => reason !== undefined);
  if (refused !== undefined) return missing(`sandbox.readOnly: ${refused}`, 'Remove it from the list.');
  try {
    await sweepCopies(Date.now());
    const names: readonly Name[] = request.level === 'auto' ? ['bubblewrap', 'unshare'] : [request.level];
    const found: Missing[] = [];
    for (const name of names) {
      const finding = await tryLevel(name, request);
      if (finding.kind === 'ready') return finding;
      found.push(finding);
    }
    return missing(found.map(({ reason }) => reason).join('; '), found[0]?.hint ?? '');
  } catch (error) {
    return missing(
      `the self-test could not run: ${String(error)}`,
      'Check that the folder for temporary files is writable.',
    );
  }
}

async function tryLevel(
  name: Name,
  request: SandboxRequest,
): Promise<Extract<SandboxFinding, { kind: 'ready' }> | Missing> {
  const entry = LEVELS[name];
  const find: Find = (program) => programOutside(program, request);
  const program = find(entry.program);
  if (program === undefined) return notInstalled(name, entry.program);
  const asked = await request.run({ command: [program, '--version'], cwd: '/', env: {}, timeoutMs: 5_000 });
  const version = /\d+(\.\d+)+/.exec(asked.stdout.text)?.[0];
  if (version === undefined) return diagnose(name, asked.startError ?? `${program} does not print its version`);
  const level = entry.make(program, version, find);
  const nodePath = process.execPath;
  const written = request.writeMiB === undefined ? {} : { writtenBytes: request.writeMiB * 2 ** 20 };
  const limits = { ...DEFAULT_LIMITS, ...written, ...request.limits };
  const filter = level.canFilter && kernelFilters() ? filterFor(process.arch) : undefined;
  const nsenter = await usableNsenter(level, find, request.run);
  const lacks = lacksOf(level, { hasFilter: filter !== undefined, hasSpace: nsenter !== undefined });
  const { readOnly, run } = request;
  const sandbox = sandboxOf({ level, lacks, filter, nsenter, limits, readOnly, nodePath, run });
  const facts = { refusesNested: level.refusesNested, nodePath, hasFilter: filter !== undefined };
  const fault = await selfTest(sandbox, {
    ...facts,
    writtenBytes: nsenter === undefined ? undefined : limits.writtenBytes,
  });
  return fault === undefined ? { kind: 'ready', sandbox } : diagnose(name, fault);
}

/** For people, as the end of a sentence that begins with "without". */
function lacksOf(level: Level, has: { readonly hasFilter: boolean; readonly hasSpace: boolean }): readonly string[] {
  return [
    ...(has.hasFilter ? [] : ['a filter of system calls (keyrings, AF_VSOCK and io_uring are open)']),
    ...(has.hasSpace ? [] : ['a limit on what commands write in total']),
    ...(countsByNamespace() ? [] : ['a limit on processes (only the timeout ends a fork bomb)']),
    ...(level.refusesNested ? [] : ['a ban on nested user namespaces']),
  ];
}

/** Inside there is /usr and nothing else of the machine. */
function shownPerl(find: Find): string | undefined {
  const perl = find('perl');
  return perl !== undefined && isWithin(perl, '/usr') ? perl : undefined;
}

function kernelFilters(): boolean {
  return /^Seccomp:/m.test(readFileSync('/proc/self/status', 'utf8'));
}

/** Whether a space can be made and entered is found out by trying: AppArmor, containers and old kernels refuse it. */
async function usableNsenter(level: Level, find: Find, run: RunProcess): Promise<string | undefined> {
  const nsenter = find('nsenter');
  if (nsenter === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  try {
    const space = await openSpace({ level, run, nsenter, folder, bytes: 2 ** 20 });
    if (typeof space === 'string') return undefined;
    const fault = await space.limit({ bytes: 2 ** 19, files: 10 });
    space.close();
    return fault === undefined ? nsenter : undefined;
  } finally {
    await removeFolder(folder);
  }
}

/** Its real path; never one of the repository. */
function programOutside(name: string, { searchPath, workTree }: SandboxRequest): string | undefined {
  const found = findProgram(name, { path: searchPath, cwd: workTree });
  return found === undefined ? undefined : realPath(found);
}

function missing(reason: string, hint: string): Missing {
  return { kind: 'missing', reason, hint };
}
