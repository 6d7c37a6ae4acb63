// Puts the files of a commit into a worktree without running anything that a configuration names. Git gets a git directory
// of our own, as in private-git.ts, and every filter is off, since the content of a filtered file can be copied from
// where it lies in the project. Line ends are as the person's own configuration has them.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { configValue } from './config-text.ts';
import { environmentFor, gitFor, makePrivateFolder, removePrivateFolder, writeGitDirectory } from './private-git.ts';
import { readFileWithin } from './read-file.ts';
import { configTexts, type Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/** Some hundred thousand files on a slow disk. */
const TIME_LIMIT_MS = 1_800_000;
const LIST_LIMIT = 1024 * 1024;
/** Highest in rank: it wins over every .gitattributes. */
const NO_FILTERS = '\n* -filter\n';

interface Checkout {
  readonly commit: string;
  /** Whose sparse checkout and own attributes count. */
  readonly from: Repository;
  /** Of the person, for where their configuration is. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `worktree` is registered and has no files yet. Returns the paths of files behind a filter, as the repository stores them.
 *  Throws `bad-input` when git fails. */
export async function checkOut(worktree: Repository, what: Checkout): Promise<readonly string[]> {
  const directory = makePrivateFolder();
  try {
    writeGitDirectory(directory, worktree);
    fs.mkdirSync(join(directory, 'info'));
    const attributes = readFileWithin(join(what.from.commonDir, 'info/attributes'), LIST_LIMIT) ?? Buffer.alloc(0);
    fs.writeFileSync(join(directory, 'info/attributes'), Buffer.concat([attributes, Buffer.from(NO_FILTERS)]));
    copySparse(directory, what.from);
    const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
      runGit({ program: gitFor(worktree), cwd: worktree.root, timeLimitMs: TIME_LIMIT_MS, env }, args);
    const env = environmentFor(directory, worktree);
    await run(['read-tree', '--reset', '-u', what.commit], personConfig(env, what.env));
    fs.writeFileSync(join(directory, 'info/attributes'), attributes);
    const listed = await run(['ls-files', '-z', '--', '.', ':(exclude,attr:!filter)'], env);
    return listed.toString('utf8').split('\0').filter(Boolean);
  } finally {
    removePrivateFolder(directory);
  }
}

/** In a partial clone, what is left out has no content here. */
function copySparse(directory: string, from: Repository): void {
  const value = (key: string) =>
    configTexts(from)
      .map((text) => configValue(text, key))
      .findLast((one) => one !== undefined);
  const list = readFileWithin(join(from.gitDir, 'info/sparse-checkout'), LIST_LIMIT);
  if (list === undefined || !isOn(value('core.sparsecheckout'))) return;
  const isCone = isOn(value('core.sparsecheckoutcone'));
  fs.appendFileSync(join(directory, 'config'), `[core]\nsparseCheckout = true\nsparseCheckoutCone = ${isCone}\n`);
  fs.writeFileSync(join(directory, 'info/sparse-checkout'), list);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(true|yes|on|1|)$/i.test(value);
}

/** The person's settings and the system's count here; ours, of the git directory, are above them. */
function personConfig(
  ours: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const { HOME = '', XDG_CONFIG_HOME = '' } = env;
  const { GIT_CONFIG_NOSYSTEM: _, GIT_CONFIG_SYSTEM: __, GIT_CONFIG_GLOBAL: ___, ...rest } = ours;
  return { ...rest, HOME, ...(XDG_CONFIG_HOME === '' ? {} : { XDG_CONFIG_HOME }) };
}
