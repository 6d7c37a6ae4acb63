// Machines of a fleet for tests on real git: each with its own clone, home and state, and one bare repository that they share.

import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { carryBy, makeBranch, remoteOf } from '../../src/fleet/carry.ts';
import { makeRedactor } from '../../src/kernel/redact.ts';
import type { Stores } from '../../src/kernel/stores.ts';
import { openCheckouts } from '../../src/runs/checkouts/index.ts';
import { openWorkplaces } from '../../src/runs/workplaces/index.ts';
import type { LandedWork, Workplace } from '../../src/runs/workplaces/workplace.ts';
import { memoryStores } from '../../src/stores/memory.ts';
import { systemClock } from '../../src/system/clock.ts';
import { projectPlaces, runPlaces } from '../../src/system/files/project-state.ts';
import { temporaryFolder } from '../bundle.ts';
import { GIT_PATH, isolatedEnvironment, type RealGit, realGit } from '../git/real-git.ts';

export const SECRET = 'correct-horse-battery-staple';

const redact = makeRedactor([SECRET]);
const hasSecret = (content: string) => redact(content) !== content;

export interface Machines {
  readonly folder: string;
  /** The bare repository. */
  readonly shared: RealGit;
  readonly stores: Stores;
  machine(name: string): Machine;
  /** A hook of the remote, as a shell script; `undefined` takes it away. */
  hook(script: string | undefined): void;
  /** Tasks by their trailers, oldest first. */
  ledger(run: string): readonly string[];
  remove(): void;
}

export interface Machine {
  readonly clone: RealGit;
  source(): ReturnType<typeof openCheckouts>;
  workplaces(): ReturnType<typeof openWorkplaces>;
}

export function makeMachines(): Machines {
  const folder = temporaryFolder('fleet');
  const shared = realGit(join(folder, 'shared.git'));
  shared.run('init', '--quiet', '--bare', '--initial-branch=main');
  const first = realGit(join(folder, 'first'), isolatedEnvironment(folder));
  first.run('init', '--quiet', '--initial-branch=main');
  first.write('readme.txt', 'a project\n');
  first.commit('begin');
  first.run('push', '--quiet', shared.root, 'main');
  const stores = memoryStores();
  const hook = join(shared.root, 'hooks/pre-receive');
  return {
    folder,
    shared,
    stores,
    machine: (name) => {
      const home = join(folder, name);
      mkdirSync(home, { recursive: true });
      const env = { PATH: GIT_PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
      const clone = realGit(join(home, 'clone'), isolatedEnvironment(home));
      clone.run('clone', '--quiet', shared.root, '.');
      const places = projectPlaces(join(home, 'state'), `p${'0'.repeat(16)}`);
      return {
        clone,
        source: () => openCheckouts({ root: clone.root, work: places.work, env }),
        workplaces: () =>
          openWorkplaces({
            root: clone.root,
            places: runPlaces(places, join(home, 'runs'), join(home, 'state')),
            owner: { name, isAlive: () => true },
            env,
            clock: systemClock,
            runs: stores.runs,
            taskFile: 'tasks.json',
            isNew: false,
            isBusy: async () => false,
            base: 'head',
            hasSecret,
            coming: { share: [], local: [], leftOut: async () => undefined },
            carry: carryBy({ remote: 'origin', hasSecret }),
          }),
      };
    },
    hook: (script) => {
      if (script === undefined) return rmSync(hook, { force: true });
      mkdirSync(join(shared.root, 'hooks'), { recursive: true });
      writeFileSync(hook, `#!/bin/sh\n${script}\n`);
      chmodSync(hook, 0o755);
    },
    ledger: (run) =>
      shared
        .run('log', '--reverse', '--format=%(trailers:key=Foreword-Task,valueonly)', `foreword/${run}`, '^main')
        .split('\n')
        .filter(Boolean),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Begins the run as `foreword enqueue` does. */
export async function beginRun(machine: Machine): Promise<string> {
  const { run } = await machine.workplaces().begin();
  const remote = await remoteOf(await machine.source(), 'origin');
  await makeBranch(remote, `refs/heads/foreword/${run}`, machine.clone.run('rev-parse', 'HEAD'));
  return run;
}

/** Writes a file as an agent would, and what became of it. */
export async function workOn(
  place: Workplace,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<LandedWork> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(place.cwd, path)), { recursive: true });
    writeFileSync(join(place.cwd, path), content);
  }
  const after = await place.observer.snapshot();
  return { after, intent: 'do it', result: 'done', agent: 'first', attempts: 1, at: '2026-11-18T00:00:00.000Z' };
}

export const OURS = async (): Promise<void> => undefined;
