// The fleets of one project: their ids are small files in the state of the project, one for each server. What distinguishes
// the project from others on every machine comes from its repository.

import { linkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { replaceFile } from '../system/files/atomic.ts';
import type { ProjectState } from '../system/files/project-state.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { openRepository } from '../system/git/repository.ts';
import type { FleetProject, Fleets } from './fleets.ts';

export function projectFleets(parts: {
  readonly root: string;
  /** Where git is looked for. */
  readonly path: string | undefined;
  readonly state: Pick<ProjectState, 'fleet' | 'makeFleets'>;
}): Fleets {
  const { state } = parts;
  const get: Fleets['get'] = (server) => {
    const read = readTextFile(state.fleet(server));
    const [id = ''] = read.kind === 'text' ? read.text.split('\n') : [];
    return id === '' ? undefined : id;
  };
  return {
    get,
    keep: (server, id) => {
      state.makeFleets();
      const file = state.fleet(server);
      const temporary = `${file}.${id}`;
      writeFileSync(temporary, contentOf(server, id), { mode: 0o600 }); // house-rule: no-plain-write
      try {
        linkSync(temporary, file);
        return id;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        return get(server) ?? id;
      } finally {
        rmSync(temporary, { force: true });
      }
    },
    join: (server, id) => {
      if (get(server) === id) return;
      state.makeFleets();
      replaceFile(state.fleet(server), contentOf(server, id), { mode: 0o600 });
    },
    project: () => describe(parts),
  };
}

/** The second line is for people. */
function contentOf(server: string, id: string): string {
  return `${id}\n${server}\n`;
}

async function describe({
  root,
  path,
}: {
  readonly root: string;
  readonly path: string | undefined;
}): Promise<FleetProject> {
  const repository = openRepository(root, path);
  if (repository === undefined) return { roots: [], folder: '' };
  const { rootCommits } = await import('../system/git/root-commits.ts');
  return { roots: rootCommits(repository) ?? [], folder: relative(repository.root, realpathSync(root)) };
}
