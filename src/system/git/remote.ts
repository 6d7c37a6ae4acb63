// Work that travels: a branch and refs of ours on a remote repository that the person named. Git runs in our own repository, with
// the person's configuration, keys and credential helpers, and never with a hook of ours or a question. A branch moves by
// compare-and-swap (`--force-with-lease`), so of two machines that push at once exactly one succeeds.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { ForewordError, isForewordError } from '../../kernel/errors.ts';
import { asRef, text } from './commits.ts';
import { withChanges } from './environment.ts';
import { asId } from './object-id.ts';
import type { OwnRepository } from './own-repository.ts';
import { personEnvironment } from './person-config.ts';
import type { Repository } from './repository.ts';
import { runGitStatus } from './run-git.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface RemotePlace {
  /** As the person calls it. */
  readonly name: string;
  readonly url: string;
}

export type Pushed =
  | { readonly kind: 'pushed' }
  /** It was not where the caller thought: somebody else pushed first. */
  | { readonly kind: 'moved' }
  /** By a hook or a rule of the remote. One sentence. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It may or may not have arrived. */
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface RemoteMove {
  readonly ref: string;
  /** `null`: it must not be there yet. */
  readonly from: string | null;
  /** `null` removes it. */
  readonly to: string | null;
}

export interface Remote extends RemotePlace {
  /** The refs that begin with these, with their commits. Throws `bad-input` when the remote cannot be reached. */
  list(...prefixes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Brings what these refs reach into our repository; no ref of ours is moved. */
  bring(refs: readonly string[]): Promise<void>;
  /** All of them or none. */
  push(moves: readonly RemoteMove[]): Promise<Pushed>;
}

/** A push of a day's work over a slow line. */
const TIME_LIMIT_MS = 300_000;

/** Transports that start no program which an address names. */
const TRANSPORTS = 'file:git:http:https:ssh';

/** Throws `bad-input` when the clone has no remote of that name. */
export async function findRemote(theirs: Repository, own: OwnRepository, what: { name: string; env: Environment }) {
  const { name, env } = what;
  const invocation = {
    program: own.program,
    cwd: theirs.root,
    env: { ...personEnvironment(own.directory, env), GIT_DIR: theirs.commonDir },
  };
  const isName = /^[A-Za-z0-9][\w./-]*$/.test(name);
  const { status, output } = isName
    ? await runGitStatus(invocation, ['config', '--get', `remote.${name}.url`], [0, 1])
    : { status: 1, output: Buffer.alloc(0) };
  if (status === 0 && text(output) !== '') return { name, url: text(output) };
  throw new ForewordError('bad-input', `This clone has no remote "${name}": ${theirs.root}.`, {
    hint: `git remote lists those that it has; git remote add ${isName ? name : 'NAME'} URL adds one.`,
  });
}

/** `answerMs`: how long asking what it has may take. */
export function openRemote(
  own: OwnRepository,
  { answerMs = TIME_LIMIT_MS, ...place }: RemotePlace & { readonly answerMs?: number | undefined },
  env: Environment,
): Remote {
  const invocation = {
    program: own.program,
    cwd: own.directory,
    name: `the remote ${place.name}`,
    env: remoteEnvironment(own, env),
    timeLimitMs: TIME_LIMIT_MS,
  };
  const run = (args: readonly string[], accepted: readonly number[] = [0]) =>
    runGitStatus(invocation, [...SETTINGS, ...args], accepted);
  return {
    ...place,
    list: async (...prefixes) => {
      const patterns = prefixes.map((prefix) => (prefix.endsWith('/') ? `${prefix}*` : prefix));
      const limited = { ...invocation, timeLimitMs: answerMs };
      const args = ['ls-remote', '--refs', '--quiet', '--', place.url, ...patterns];
      const { output } = await runGitStatus(limited, [...SETTINGS, ...args], [0]);
      const lines = text(output).split('\n').filter(Boolean);
      const found = lines.map((line) => line.split('\t') as [string, string]);
      // A pattern matches the end of a name.
      const isWanted = (ref: string) => prefixes.some((one) => (one.endsWith('/') ? ref.startsWith(one) : ref === one));
      return new Map(found.flatMap(([id, ref]) => (isWanted(ref) ? [[ref, asId(id)] as const] : [])));
    },
    bring: async (refs) => {
      if (refs.length > 0) await run([...FETCH, '--', place.url, ...refs.map(asRef)]);
    },
    push: async (moves) => {
      const leases = moves.map(
        ({ ref, from }) => `--force-with-lease=${asRef(ref)}:${from === null ? '' : asId(from)}`,
      );
      const wanted = moves.map(({ ref, to }) => `${to === null ? '' : asId(to)}:${asRef(ref)}`);
      const atomic = moves.length > 1 ? ['--atomic'] : [];
      try {
        const how = ['push', '--porcelain', '--no-verify', '--no-signed', ...atomic];
        const { status, output } = await run([...how, ...leases, '--', place.url, ...wanted], [0, 1]);
        return status === 0 ? { kind: 'pushed' } : pushFault(output.toString('utf8'));
      } catch (error) {
        if (!isForewordError(error)) throw error;
        return { kind: 'unreachable', reason: error.message };
      }
    },
  };
}

const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
];
const SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', '-c', 'push.recurseSubmodules=no'];

/** From the lines of `git push --porcelain`: `!<tab>from:to<tab>[rejected] (stale info)`. */
export function pushFault(output: string): Pushed {
  const lines = output.split('\n').filter((line) => line.startsWith('!\t'));
  const reasons = lines.map((line) => line.split('\t')[2] ?? '');
  const isMoved =
    /stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|reference already exists|incorrect old value/;
  const other = reasons.find(
    (reason) => !isMoved.test(reason) && !/atomic push failed|transaction failed/.test(reason),
  );
  if (other === undefined) return { kind: 'moved' };
  const [, why = other] = /\((.*)\)\s*$/.exec(other) ?? [];
  return { kind: 'refused', reason: why.replace(/\s+/g, ' ').slice(0, 300) };
}

/** As a shell of the person would have it for ssh, credentials and proxies; git itself is the one that was found. */
function remoteEnvironment(own: OwnRepository, env: Environment): Record<string, string> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => KEPT.test(name)));
  return withChanges(
    { ...personEnvironment(own.directory, env), LC_ALL: 'C' },
    {
      ...kept,
      PATH: env.PATH,
      HOME: env.HOME ?? homedir(),
      GIT_EXEC_PATH: undefined,
      GIT_DIR: own.directory,
      GIT_ALLOW_PROTOCOL: TRANSPORTS,
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: env.GIT_SSH_COMMAND ?? 'ssh -o BatchMode=yes',
      GIT_HTTP_LOW_SPEED_LIMIT: '100',
      GIT_HTTP_LOW_SPEED_TIME: '60',
      TMPDIR: env.TMPDIR ?? join('/tmp'),
    },
  );
}

const KEPT =
  /^(SSH_|GIT_SSH|GIT_ASKPASS$|GNUPGHOME$|(https?|all|no)_proxy$|(HTTPS?|ALL|NO)_PROXY$|XDG_CONFIG_HOME$|USER$|LOGNAME$)/;
