// A bare repository of ours beside a project: it holds every snapshot and commit that runs make. The project's objects
// are read through a link (`baseObjects`), so nothing is copied, and nothing is written there. Of the project's configuration
// only line ends and the like are taken over; it has no hooks, no remotes and is never collected. What it shares with the project
// (alternates, shallow, info/) is brought up to date each time it is opened.

import * as fs from 'node:fs';
import { join, resolve } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { replaceFile } from '../files/atomic.ts';
import { configValue } from './config-text.ts';
import { gitEnvironment, withChanges } from './environment.ts';
import { gitFor } from './private-git.ts';
import { readFileWithin } from './read-file.ts';
import type { ObjectFormat, Repository } from './repository.ts';
import { isDiskFull, runGitStatus } from './run-git.ts';
import { quoted } from './tree-folder.ts';

export interface OwnRepository {
  /** Absolute path of git. */
  readonly program: string;
  readonly directory: string;
  /** Where new objects go. */
  readonly objects: string;
  /** An object folder with the packs of `objects` and neither loose objects nor alternates. */
  readonly packsAlone: string;
  readonly objectFormat: ObjectFormat;
  /** The folders that its alternates name, in order. */
  readonly alternates: readonly string[];
  /** Runs one of git's built-in commands and returns its standard output. Throws `bad-input` when git fails, also since the project's
   *  repository is gone, and `disk-full` when that is why. */
  run(args: readonly string[], more?: OwnRun): Promise<Buffer>;
  status(args: readonly string[], more?: OwnRun): Promise<{ readonly status: number; readonly output: Buffer }>;
}

export interface OwnRun {
  readonly input?: string | Uint8Array | undefined;
  /** Goes over the environment made here; `undefined` takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The repository's directory when absent. */
  readonly cwd?: string | undefined;
  /** Exit codes that are no failure; 0 when absent. */
  readonly accepted?: readonly number[] | undefined;
}

export interface OwnPlaces {
  readonly directory: string;
  readonly baseObjects: string;
}

/** `theirs` may be a folder without a repository: `gitDir` and `commonDir` are then our directory. `settings` are those of
 *  config-text.ts. Throws `bad-input` when the object format is another than it was. */
export function openOwnRepository(
  places: OwnPlaces,
  theirs: Repository,
  settings: ReadonlyMap<string, string>,
): OwnRepository {
  const { directory } = places;
  const program = gitFor(theirs);
  if (!fs.existsSync(directory)) make(directory, configText(theirs.objectFormat, settings));
  checkFormat(directory, theirs.objectFormat);
  const alternates = theirs.commonDir === directory ? [] : linkObjects(places.baseObjects, theirs);
  keep(join(directory, 'config'), configText(theirs.objectFormat, settings));
  keep(join(directory, 'objects/info/alternates'), alternates.map((path) => `${lineOf(path)}\n`).join(''));
  if (theirs.commonDir !== directory) {
    for (const name of ['shallow', 'info/exclude', 'info/attributes'])
      keep(join(directory, name), readFileWithin(join(theirs.commonDir, name), LIST_LIMIT) ?? '');
  }
  const env = { ...gitEnvironment(join(directory, 'nowhere')), GIT_DIR: directory };
  const status = async (args: readonly string[], more: OwnRun = {}) => {
    const input = more.input === undefined ? {} : { input: Buffer.from(more.input) };
    const invocation = { program, cwd: more.cwd ?? directory, env: withChanges(env, more.env), ...input };
    try {
      return await runGitStatus({ ...invocation, timeLimitMs: TIME_LIMIT_MS }, args, more.accepted ?? [0]);
    } catch (error) {
      if (isDiskFull(error) || isFull(directory)) throw diskFull(directory, error);
      throw alternates.length === 0 || fs.existsSync(places.baseObjects) ? error : gone(theirs, error);
    }
  };
  return {
    program,
    directory,
    objects: join(directory, 'objects'),
    packsAlone: join(directory, 'alone'),
    objectFormat: theirs.objectFormat,
    alternates,
    run: async (args, more) => (await status(args, more)).output,
    status,
  };
}

/** Git holds the lock of a ref for milliseconds, and waits so long for it. One this old was left by a git that was killed. */
export const REF_LOCK_MS = 3000;

/** A checkout of some hundred thousand files, with a filter on them. */
const TIME_LIMIT_MS = 1_800_000;
const LIST_LIMIT = 16 * 1024 * 1024;
/** Git follows alternates of alternates five deep. */
const MOST_ALTERNATES = 5;

/** Whole or not at all. Of two processes that make it at once, one finds the other's. */
function make(directory: string, config: string): void {
  const making = fs.mkdtempSync(`${directory}.making-`);
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'info', 'alone'])
    fs.mkdirSync(join(making, name), { recursive: true });
  fs.symlinkSync('../objects/pack', join(making, 'alone/pack'));
  fs.writeFileSync(join(making, 'HEAD'), 'ref: refs/heads/none\n');
  fs.writeFileSync(join(making, 'config'), config);
  try {
    fs.renameSync(making, directory);
  } catch (error) {
    fs.rmSync(making, { recursive: true, force: true });
    if (!fs.existsSync(directory)) throw error;
  }
}

/** Attributes of the person are not used, since those that a commit names must mean the same for everybody. */
function configText(format: ObjectFormat, settings: ReadonlyMap<string, string>): string {
  const lines = [
    '[core]',
    `repositoryformatversion = ${format === 'sha1' ? 0 : 1}`,
    'bare = true',
    'fsmonitor = false',
    'hooksPath = /dev/null',
    'attributesFile = /dev/null',
    'logAllRefUpdates = false',
    `filesRefLockTimeout = ${REF_LOCK_MS}`,
    'splitIndex = false',
    'untrackedCache = false',
    ...coreLines(settings),
    '[gc]',
    'auto = 0',
    '[maintenance]',
    'auto = false',
    '[protocol]',
    'allow = never',
  ];
  if (format !== 'sha1') lines.push('[extensions]', `objectFormat = ${format}`);
  return `${lines.join('\n')}\n`;
}

/** Lines of the section `core`. */
export function coreLines(settings: ReadonlyMap<string, string>): string[] {
  return [...settings].map(([key, value]) => `${key.slice('core.'.length)} = ${value}`);
}

function checkFormat(directory: string, format: ObjectFormat): void {
  const text = readFileWithin(join(directory, 'config'), LIST_LIMIT)?.toString('utf8') ?? '';
  const known = configValue(text, 'extensions.objectformat') ?? 'sha1';
  if (known === format) return;
  throw new ForewordError(
    'bad-input',
    `${directory} has objects of ${known}, but the project's repository has ${format}.`,
    {
      hint: 'The repository was made again with another object format: move the folder away to begin without its attempts.',
    },
  );
}

/** The link and, since git ignores relative alternates below the first level, every folder that the project's own alternates
 *  name, as absolute paths. */
function linkObjects(link: string, theirs: Repository): string[] {
  const objects = join(theirs.commonDir, 'objects');
  if (linkTarget(link) !== objects) {
    const making = `${link}.${process.pid}`;
    fs.rmSync(making, { force: true });
    fs.symlinkSync(objects, making);
    fs.renameSync(making, link);
  }
  const found: string[] = [];
  let level = [objects];
  for (let depth = 0; depth < MOST_ALTERNATES && level.length > 0; depth += 1) {
    level = level.flatMap(alternatesOf).filter((path) => path !== objects && !found.includes(path));
    found.push(...level);
  }
  return [link, ...found];
}

function linkTarget(link: string): string | undefined {
  try {
    return fs.readlinkSync(link);
  } catch {
    // Not made yet, or not a link: the rename says so.
    return undefined;
  }
}

function alternatesOf(objects: string): string[] {
  const text = readFileWithin(join(objects, 'info/alternates'), LIST_LIMIT)?.toString('utf8') ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('"'))
    .map((line) => resolve(objects, line));
}

/** Other readers than git do not know quotes, so only a path that needs them gets some. */
export function lineOf(path: string): string {
  return /^["#]|\n/.test(path) ? quoted(path) : path;
}

/** An empty file is as good as none for all that is kept here, except that an empty `shallow` would make git think. */
function keep(path: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  const before = readFileWithin(path, LIST_LIMIT);
  if (bytes.length === 0) fs.rmSync(path, { force: true });
  else if (before?.equals(bytes) !== true) replaceFile(path, bytes);
}

/** Git does not always print why it could not write a file. */
function isFull(folder: string): boolean {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize < 1024 * 1024;
}

/** Its objects are read from where they are, so a project that is moved takes them away from a run under way. */
function gone({ root }: Repository, cause: unknown): ForewordError {
  return new ForewordError('bad-input', `The git repository of ${root} is gone: it was moved, deleted or unmounted.`, {
    hint: 'Put it back, or run the command again where it is now: it continues with what it has.',
    cause,
  });
}

export function diskFull(folder: string, cause: unknown): ForewordError {
  return new ForewordError('disk-full', `No space left in ${folder}.`, {
    hint: 'Free some space, or set XDG_STATE_HOME to a folder on another disk.',
    cause,
  });
}
