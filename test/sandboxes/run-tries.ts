// A process of its own, so that it can run as another user: finds one level, makes every try of the list in it, and prints
// what came of it as JSON. Arguments: the level (`control`: no sandbox, and only tries that do no harm), the search path, and
// `calls` for the system calls alone. The secret, which is also in the session keyring, comes by
// the environment, as a token of a person would.

import type { ProcessEnd } from '../../src/kernel/process.ts';
import { findSandbox } from '../../src/runs/sandboxes/index.ts';
import type { Sandbox, SandboxFinding } from '../../src/runs/sandboxes/sandbox.ts';
import { runProcess } from '../../src/system/processes/run-process.ts';
import { copiesLeft, fingerprintOf, openScene, survivors } from './scene.ts';
import { systemCallTries } from './system-call-tries.ts';
import { CONTROL, CONTROL_CALLS, TRY_LIMITS, type Try, triesOf } from './tries.ts';

export interface TriesReport {
  /** As the sandbox names itself; `undefined` when there is none. */
  readonly level: string | undefined;
  readonly reason?: string;
  readonly outcomes: readonly { readonly name: string; readonly outcome: Outcome }[];
  readonly isUnchanged: boolean;
  readonly connections: number;
  readonly survivors: readonly string[];
  readonly copiesLeft: readonly string[];
}

type Outcome = 'refused' | 'open' | 'timed out' | `not run: ${string}`;

/** Most of the time they wait for the kernel. */
const AT_ONCE = 3;
const BATCH = 15;
const CONTROLS = [...CONTROL, ...CONTROL_CALLS];

const [level = '', searchPath = '', only = ''] = process.argv.slice(2);
const scene = await openScene(process.env.FOREWORD_TRY_SECRET_TOKEN);
try {
  console.log(JSON.stringify(await report()));
} finally {
  scene.close();
}

async function report(): Promise<TriesReport> {
  const before = fingerprintOf(scene.base);
  const finding = level === 'control' ? unlocked() : await findLevel(level as 'bubblewrap');
  const nothing = { isUnchanged: true, connections: 0, survivors: [], copiesLeft: [] };
  if (finding.kind === 'missing') return { level: undefined, reason: finding.reason, outcomes: [], ...nothing };
  const all = only === 'calls' ? systemCallTries() : triesOf(scene, process.pid);
  const tries = all.filter(({ name }) => level !== 'control' || CONTROLS.includes(name));
  const outcomes = new Map<string, Outcome>();
  const waiting = batchesOf(tries);
  const work = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const ends = await finding.sandbox.run(
        batch.map(({ command, timeoutMs = 20_000 }) => ({ command, workTree: scene.tree, timeoutMs })),
      );
      for (const [index, { name }] of batch.entries()) outcomes.set(name, outcomeOf(ends[index]));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return {
    level: finding.sandbox.level,
    outcomes: tries.map(({ name }) => ({ name, outcome: outcomes.get(name) ?? 'not run: lost' })),
    isUnchanged: fingerprintOf(scene.base) === before,
    connections: scene.connections(),
    survivors: await survivors(scene.mark),
    copiesLeft: copiesLeft(),
  };
}

function findLevel(name: 'bubblewrap' | 'unshare'): Promise<SandboxFinding> {
  return findSandbox({
    level: name,
    readOnly: [],
    run: runProcess,
    searchPath: `${scene.tree}/bin:${searchPath}`,
    workTree: scene.tree,
    limits: TRY_LIMITS,
  });
}

/** Runs in the work tree itself, with our environment. */
function unlocked(): SandboxFinding {
  const sandbox: Sandbox = {
    level: 'none',
    run: (commands) =>
      Promise.all(
        commands.map(({ command, workTree, timeoutMs }) => {
          const env = { PATH: searchPath, HOME: scene.base, SECRET: scene.secret };
          return runProcess({ command: ['sh', '-c', command], cwd: workTree, env, timeoutMs });
        }),
      ),
  };
  return { kind: 'ready', sandbox };
}

/** One that deletes everything has a copy of its own: it must not spare the next its work. */
function batchesOf(tries: readonly Try[]): (readonly Try[])[] {
  const keeping = tries.filter(({ keepsCopy }) => keepsCopy === true);
  const shared = Array.from({ length: Math.ceil(keeping.length / BATCH) }, (_, index) =>
    keeping.slice(index * BATCH, (index + 1) * BATCH),
  );
  return [...shared, ...tries.filter(({ keepsCopy }) => keepsCopy !== true).map((each) => [each])];
}

function outcomeOf(end: ProcessEnd | undefined): Outcome {
  if (end?.startError !== undefined) return `not run: ${end.startError}`;
  const printed = `${end?.stdout.text}${end?.stderr.text}`;
  if (printed.includes('ESCAPED') || printed.includes(scene.secret)) return 'open';
  const mistake = /.* at -e line \d+.*/.exec(printed)?.[0];
  if (mistake !== undefined) return `not run: ${mistake}`;
  return end?.endedBy === 'timeout' ? 'timed out' : 'refused';
}
