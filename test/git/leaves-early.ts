// One process that exits while it uses a private git directory: `leaves-early ROOT`.

import { withPrivateGit } from '../../src/system/git/private-git.ts';
import { openRepository } from '../../src/system/git/repository.ts';

const repository = openRepository(process.argv[2] ?? '', process.env.PATH);
if (repository === undefined) throw new Error('no repository');
await withPrivateGit(repository, async () => process.exit(7));
