// The catalog of sandboxes: finds one whose self-test passes. A weaker level than the configured one is never used, and
// no task, agent or repository can influence the choice. To add a level: level.ts.

import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { RunProcess } from '../../kernel/process.ts';
import { bubblewrap } from './bubblewrap.ts';
import { sweepCopies } from './copy.ts';
import { diagnose, type Missing, notInstalled } from './diagnosis.ts';
import { DEFAULT_LIMITS, type Level, type Limits } from './level.ts';
import { isWithin, realPath, refusal } from './mounts.ts';
import { sandboxOf } from './run-commands.ts';
import type { SandboxFinding } from './sandbox.ts';
import { selfTest } from './self-test.ts';
import { unshare } from './unshare.ts';

export { DEFAULT_LIMITS, type Limits } from './level.ts';

type SandboxLevel = 'auto' | 'bubblewrap' | 'unshare' | 'none';

interface SandboxRequest {
  /** `auto`: bubblewrap, else unshare. Any other is used or nothing is. */
  readonly level: SandboxLevel;
  /** More paths that commands may read, such as toolchains in a home folder. */
  readonly readOnly: readonly string[];
  readonly run: RunProcess;
  /** As in PATH; only absolute entries count. */
  readonly searchPath: string;
  /** Nothing in it is taken for the sandbox's program: a repository must not bring its own. */
  readonly workTree: string;
  readonly limits?: Partial<Limits>;
}

type Name = Exclude<SandboxLevel, 'auto' | 'none'>;

const LEVELS: Readonly<Record<Name, { program: string; make: (program: string, version: string) => Level }>> = {
  bubblewrap: { program: 'bwrap', make: bubblewrap },
  unshare: { program: 'unshare', make: unshare },
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
  const program = findProgram(entry.program, request.searchPath, request.workTree);
  if (program === undefined) return notInstalled(name, entry.program);
  const asked = await request.run({ command: [program, '--version'], cwd: '/', env: {}, timeoutMs: 5_000 });
  const version = /\d+(\.\d+)+/.exec(asked.stdout.text)?.[0];
  if (version === undefined) return diagnose(name, asked.startError ?? `${program} does not print its version`);
  const level = entry.make(program, version);
  const nodePath = process.execPath;
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  const sandbox = sandboxOf({ level, limits, readOnly: request.readOnly, nodePath, run: request.run });
  const fault = await selfTest(sandbox, level.refusesNested, nodePath);
  return fault === undefined ? { kind: 'ready', sandbox } : diagnose(name, fault);
}

/** The real path of the first executable of that name outside the work tree, or `undefined`. */
function findProgram(name: string, searchPath: string, workTree: string): string | undefined {
  const tree = realPath(workTree) ?? workTree;
  for (const folder of searchPath.split(':').filter(isAbsolute)) {
    const path = realPath(join(folder, name));
    if (path !== undefined && !isWithin(path, tree) && !isWithin(folder, tree) && isExecutable(path)) return path;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not ours to run: the next entry may be.
    return false;
  }
}

function missing(reason: string, hint: string): Missing {
  return { kind: 'missing', reason, hint };
}
