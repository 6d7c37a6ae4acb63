// `foreword init --team`: entries that are committed. A file that git ignores is of no use to the team, so git is asked first.

import { ignoredAmong } from '../system/git/ignored.ts';
import { readPersonConfig } from '../system/git/person-config.ts';
import { openRepository } from '../system/git/repository.ts';
import { type InstallHost, openMachine } from './machine.ts';
import { type InstallRequest, type PreparedInstall, prepareInstall } from './prepare.ts';

/** Throws what `prepareInstall` throws, and `bad-input` when git cannot answer. */
export async function prepareTeam(
  request: Omit<InstallRequest, 'scope' | 'ignored'>,
  host: InstallHost,
): Promise<PreparedInstall> {
  const { places, targets } = openMachine(host, request.cwd);
  const files = targets.flatMap((target) => target.sites('team', places).map(({ file }) => file));
  const repository = openRepository(places.root, places.env.PATH ?? '');
  const ignored =
    repository === undefined
      ? []
      : await ignoredAmong(
          repository,
          [...new Set(files)],
          (await readPersonConfig(repository, host.env)).excludesFile,
        );
  return prepareInstall({ ...request, scope: 'team', ignored }, host);
}
