// Puts a finished commit into the person's repository: its objects, then its branch, if that still is where we left it, and a
// ref that keeps the base from `git gc`. Nothing else is written: not HEAD, not the index, no other ref, no
// configuration, no reflog. Git reads the person's configuration here, since it says how refs are stored; everything in it
// that could start a program at these commands is off.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForewordError } from '../../kernel/errors.ts';
import { asRef, text } from './commits.ts';
import { gitEnvironment } from './environment.ts';
import { asId, noId } from './object-id.ts';
import { diskFull, type OwnRepository } from './own-repository.ts';
import { withPinned } from './pin-directory.ts';
import { branchInFiles, copyObjects } from './publish-files.ts';
import { brokenRepository, readFileWithin, SMALL } from './read-file.ts';
import type { Repository } from './repository.ts';
import { isDiskFull, runGitStatus } from './run-git.ts';

export interface Publication {
  /** `refs/heads/…`, in full. */
  readonly branch: string;
  readonly commit: string;
  /** Where the branch was left; `null` when it was not made yet. */
  readonly from: string | null;
  /** The commit the run began with, and the ref that keeps it. `null` when the repository had no commit. */
  readonly base: { readonly ref: string; readonly commit: string } | null;
}

export type Published =
  | { readonly kind: 'published' }
  /** Somebody else moved, made or deleted the branch; `found` is where it is. */
  | { readonly kind: 'moved'; readonly found: string | null }
  /** The branch is checked out there: moving it would make that work tree look changed. */
  | { readonly kind: 'checked-out'; readonly worktree: string };

/** May be called again after a crash at any point. Throws `bad-input` when the repository refuses (read-only, a branch whose name
 *  is in the way), and `disk-full`. */
export function publish(own: OwnRepository, theirs: Repository, what: Publication): Promise<Published> {
  return inTheirs(own, theirs, (held) => publishIn(own, held, what));
}

async function publishIn(own: OwnRepository, theirs: Held, what: Publication): Promise<Published> {
  const { run } = theirs;
  const { found, worktree } = await lookAt(theirs, what.branch);
  if (found === what.commit) {
    if (!(await isWhole(run, what))) await sendAgain(own, theirs, what);
  } else {
    if (worktree !== undefined) return { kind: 'checked-out', worktree };
    if (found !== what.from) return { kind: 'moved', found };
    await sendObjects(own, theirs, what);
  }
  const isDone = await moveRefs(theirs, own, what);
  releasePacks(theirs, what.branch);
  return isDone ? { kind: 'published' } : { kind: 'moved', found: await refValue(run, what.branch) };
}

/** Throws `bad-input` when a branch of the person leaves no room for `branch` (in full): `foreword` for `foreword/x`. `publish` looks
 *  too, but by then an agent has worked. */
export async function checkRoom(own: OwnRepository, theirs: Repository, branch: string): Promise<void> {
  await inTheirs(own, theirs, (held) => lookAt(held, branch));
}

/** Before the first commit of a run, so that the base cannot be collected meanwhile. */
export async function keepBase(
  own: OwnRepository,
  theirs: Repository,
  base: { ref: string; commit: string },
): Promise<void> {
  const args = ['update-ref', '--no-deref', asRef(base.ref), asId(base.commit)];
  await inTheirs(own, theirs, (held) => pastLocks(held, [base.ref], () => held.run(args)));
}

export interface PublishedRef {
  readonly ref: string;
  readonly commit: string;
  /** The work tree in which a branch is checked out. */
  readonly worktree?: string;
  /** Whether `head` has all of it. */
  readonly isMerged: boolean;
}

/** Everything of ours in the person's repository: branches of runs, and the refs that keep their bases. */
export async function listPublished(
  own: OwnRepository,
  theirs: Repository,
  head: string | null,
): Promise<readonly PublishedRef[]> {
  const list = async (format: string, ...more: readonly string[]) =>
    text(
      await inTheirs(own, theirs, ({ run }) =>
        run(['for-each-ref', `--format=${format}`, ...more, 'refs/heads/foreword/', 'refs/foreword/']),
      ),
    )
      .split('\n')
      .filter(Boolean);
  const merged = new Set(head === null ? [] : await list('%(refname)', `--merged=${asId(head)}`));
  return (await list('%(refname)%00%(objectname)%00%(worktreepath)')).map((line) => {
    const [ref = '', commit = '', worktree = ''] = line.split('\0');
    return { ref, commit, isMerged: merged.has(ref), ...(worktree === '' ? {} : { worktree }) };
  });
}

/** Removes refs of ours that still have the value given and are not checked out; others stay. Those that are gone now. */
export async function removePublished(
  own: OwnRepository,
  theirs: Repository,
  refs: readonly { readonly ref: string; readonly commit: string }[],
): Promise<readonly string[]> {
  return inTheirs(own, theirs, async (held) => {
    const { run } = held;
    const gone: string[] = [];
    for (const { ref, commit } of refs) {
      const { found, worktree } = await lookAt(held, ref);
      if (worktree !== undefined) continue;
      if (found === commit) await run(['update-ref', '--no-deref', '-d', asRef(ref), asId(commit)]);
      if ((await refValue(run, ref)) === null) gone.push(ref);
    }
    return gone;
  });
}

/** Files of a git that was killed while it wrote a ref or a pack of ours into the person's repository. */
export function strayPublished(theirs: Repository): readonly string[] {
  const locks = ['refs/heads/foreword', 'refs/foreword'].flatMap((folder) => {
    const path = join(theirs.commonDir, folder);
    if (!fs.existsSync(path)) return [];
    const names = fs.readdirSync(path, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.lock')).map((name) => join(path, name));
  });
  return [...locks, ...keptPacks(theirs.commonDir, (note) => note.startsWith(keepNote('refs/heads/foreword/')))];
}

type Run = (args: readonly string[], more?: { input?: string; accepted?: readonly number[] }) => Promise<Buffer>;

const TIME_LIMIT_MS = 600_000;

/** The configuration on the command line wins over every file. */
const OFF = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.logAllRefUpdates': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'core.alternateRefsCommand': 'false',
};
const SETTINGS = Object.entries(OFF).flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** The person's repository while its git directory is held open (pin-directory.ts). */
interface Held {
  readonly directory: string;
  /** The same, by the held path. */
  readonly repository: Repository;
  /** Where it is, for people. */
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: Run;
}

function inTheirs<T>(own: OwnRepository, theirs: Repository, use: (held: Held) => Promise<T>): Promise<T> {
  const name = theirs.commonDir;
  return withPinned(name, (directory) => {
    const env = { ...gitEnvironment(join(own.directory, 'nowhere')), GIT_DIR: directory };
    const invocation = { program: own.program, cwd: directory, name, env, timeLimitMs: TIME_LIMIT_MS };
    const run: Run = async (args, more = {}) => {
      const input = more.input === undefined ? {} : { input: Buffer.from(more.input) };
      return (await runGitStatus({ ...invocation, ...input }, [...SETTINGS, ...args], more.accepted ?? [0])).output;
    };
    return use({ directory, repository: { ...theirs, gitDir: directory, commonDir: directory }, name, env, run });
  });
}

async function refValue(run: Run, ref: string): Promise<string | null> {
  return text(await run(['rev-parse', '--verify', '--quiet', asRef(ref)], { accepted: [0, 1] })) || null;
}

/** Where the branch is, and the work tree in which it is checked out. Throws `bad-input` when a branch is in its way: one called
 *  `foreword` leaves no room for `foreword/x`. */
async function lookAt(
  { run, repository }: Held,
  branch: string,
): Promise<{ readonly found: string | null; readonly worktree?: string | undefined }> {
  const parts = branch.split('/');
  const above = parts.slice(3).map((_, index) => parts.slice(0, index + 3).join('/'));
  const known = branchInFiles(repository, branch, above);
  if (known !== undefined) return known;
  const format = '--format=%(refname)%00%(objectname)%00%(worktreepath)%00';
  const fields = (await run(['for-each-ref', format, ...[...above, branch].map(asRef)])).toString('utf8').split('\0');
  const refs = new Map<string, readonly [string, string]>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [name = '', id = '', worktree = ''] = fields.slice(at, at + 3);
    refs.set(name.trimStart(), [id, worktree]);
  }
  const inTheWay = above.find((ref) => refs.has(ref));
  if (inTheWay !== undefined) {
    const name = inTheWay.slice('refs/heads/'.length);
    throw new ForewordError('bad-input', `The branch ${name} is in the way of ${branch.slice('refs/heads/'.length)}.`, {
      hint: `Rename it: git branch -m ${name} ${name}-old`,
    });
  }
  const [found = null, worktree] = refs.get(branch) ?? [];
  return { found, worktree: worktree || undefined };
}

/** True when both refs have their values now. */
async function moveRefs(
  theirs: Held,
  own: OwnRepository,
  { branch, commit, from, base }: Publication,
): Promise<boolean> {
  const { run } = theirs;
  const lines = [
    `option no-deref\nupdate ${asRef(branch)} ${asId(commit)} ${from === null ? noId(own.objectFormat) : asId(from)}\n`,
  ];
  if (base !== null) lines.push(`option no-deref\nupdate ${asRef(base.ref)} ${asId(base.commit)}\n`);
  try {
    const refs = [branch, ...(base === null ? [] : [base.ref])];
    await pastLocks(theirs, refs, () => run(['update-ref', '--stdin'], { input: lines.join('') }));
    return true;
  } catch (error) {
    const now = await refValue(run, branch);
    if (now === commit) return true;
    if (now === from) throw error;
    return false;
  }
}

/** Git holds the lock of a ref for milliseconds. One of our own refs that is older was left by a git that was killed. */
const STALE_LOCK_MS = 2_000;
const MOST_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 100;

async function pastLocks<T>({ directory }: Held, refs: readonly string[], act: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    try {
      return await act();
    } catch (error) {
      const locks = refs.map((ref) => join(directory, `${asRef(ref)}.lock`)).filter((path) => fs.existsSync(path));
      if (locks.length === 0 || waited > MOST_WAIT_MS) throw error;
      await sleep(LOOK_AGAIN_MS);
      for (const lock of locks) removeStale(lock);
    }
  }
}

function removeStale(lock: string): void {
  const stat = fs.lstatSync(lock, { throwIfNoEntry: false });
  if (stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > STALE_LOCK_MS) fs.rmSync(lock, { force: true });
}

/** As `git fetch` does by default: a run of a thousand tasks would else leave a thousand packs. */
const UNPACK_BELOW = 100;
/** Signature, version, and the number of objects in the last four bytes. */
const PACK_HEAD = 12;
const ENDS = { timeout: TIME_LIMIT_MS, killSignal: 'SIGKILL' } as const;

async function sendObjects(own: OwnRepository, theirs: Held, what: Publication): Promise<void> {
  const known = [what.from, what.base?.commit].flatMap((id) => id ?? []);
  const [parent] = known;
  if (known.includes(what.commit)) return;
  if (parent !== undefined && (await copyObjects(own, theirs.repository, { commit: what.commit, parent }))) return;
  const packing = startPacking(own, what.commit, known);
  await takeObjects(own, theirs, { packing, branch: what.branch, unpackBelow: UNPACK_BELOW });
}

interface Packing {
  /** Node throws away what a process printed when nobody reads it at its end. */
  readonly output: PassThrough;
  readonly end: ReturnType<typeof ended>;
}

function startPacking(own: OwnRepository, commit: string, known: readonly string[]): Packing {
  const child = spawn(own.program, ['pack-objects', '--quiet', '--revs', '--stdout', '--delta-base-offset'], {
    cwd: own.directory,
    env: { ...gitEnvironment(join(own.directory, 'nowhere')), GIT_DIR: own.directory },
    ...ENDS,
  });
  // One that ended closes the pipe; its exit code says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${asId(commit)}\n${known.map((id) => `^${asId(id)}\n`).join('')}`);
  const end = ended(child);
  end.catch(() => undefined);
  return { output: child.stdout.pipe(new PassThrough()), end };
}

/** A few objects become files, more of them one pack. The file beside a pack keeps it from `git gc` until a ref leads to it;
 *  files that a `git gc --prune=now` takes away in this moment are sent again when the run ends. */
async function takeObjects(
  own: OwnRepository,
  theirs: Held,
  {
    packing,
    branch,
    unpackBelow,
  }: { readonly packing: Packing; readonly branch: string; readonly unpackBelow: number },
): Promise<void> {
  const beginning = await beginningOf(packing.output);
  const isSmall = beginning.length < PACK_HEAD || beginning.readUInt32BE(PACK_HEAD - 4) < unpackBelow;
  const command = isSmall ? ['unpack-objects', '-q'] : ['index-pack', '--stdin', `--keep=${keepNote(branch)}`];
  const taking = spawn(own.program, [...SETTINGS, ...command], {
    cwd: theirs.directory,
    env: theirs.env,
    ...ENDS,
  });
  taking.stdin.on('error', () => undefined);
  taking.stdin.write(beginning);
  packing.output.pipe(taking.stdin);
  const results = await Promise.all([packing.end, ended(taking)]);
  if (results.every(({ status }) => status === 0)) return;
  const reason = results
    .map(({ printed }) => printed)
    .join(' ')
    .trim()
    .slice(0, 300);
  const error = brokenRepository(theirs.name, `it did not take the objects of a commit: ${reason}`);
  throw isDiskFull(error) ? diskFull(theirs.name, error) : error;
}

/** The first bytes of a pack; fewer than wanted when it is cut off. */
function beginningOf(output: PassThrough): Promise<Buffer> {
  let found = Buffer.alloc(0);
  return new Promise((resolve) => {
    const take = (part: Buffer) => {
      found = Buffer.concat([found, part]);
      if (found.length >= PACK_HEAD) stop();
    };
    const stop = () => {
      output.pause().off('data', take).off('end', stop);
      resolve(found);
    };
    output.on('data', take).on('end', stop);
  });
}

/** Whether everything that the branch needs is there. */
async function isWhole(run: Run, { commit, base }: Publication): Promise<boolean> {
  const without = base === null ? [] : [`^${asId(base.commit)}`];
  try {
    await run(['rev-list', '--objects', '--quiet', asId(commit), ...without, '--']);
    return true;
  } catch {
    return false;
  }
}

/** In a pack, whose objects win over damaged files. */
async function sendAgain(own: OwnRepository, theirs: Held, { branch, commit, base }: Publication): Promise<void> {
  const packing = startPacking(own, commit, base === null ? [] : [base.commit]);
  await takeObjects(own, theirs, { packing, branch, unpackBelow: 0 });
}

function keepNote(branch: string): string {
  return `foreword ${branch}`;
}

/** Those of an earlier call that was cut off too. */
function releasePacks(theirs: Held, branch: string): void {
  for (const path of keptPacks(theirs.directory, (note) => note === keepNote(branch))) fs.rmSync(path, { force: true });
}

function keptPacks(directory: string, isOurs: (note: string) => boolean): readonly string[] {
  const folder = join(directory, 'objects/pack');
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.keep'))
    .map((name) => join(folder, name))
    .filter((path) => isOurs(noteIn(path)));
}

/** One that is no small file is not ours. */
function noteIn(path: string): string {
  try {
    return readFileWithin(path, SMALL)?.toString('utf8').trimEnd() ?? '';
  } catch {
    return '';
  }
}

function ended(child: ReturnType<typeof spawn>): Promise<{ readonly status: number | null; readonly printed: string }> {
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    printed = `${printed}${part}`.slice(0, 4096);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (status) => resolve({ status, printed }));
  });
}
