// What a person set for git, read as data: `git config --list` follows includes and conditions and starts nothing. Which file a
// value comes from decides what is done with it: a filter of the system or the person runs, one of the repository does not.

import { homedir } from 'node:os';
import { join } from 'node:path';
import { isHarmless } from './config-text.ts';
import { gitEnvironment, withChanges } from './environment.ts';
import { gitFor } from './private-git.ts';
import type { Repository } from './repository.ts';
import { runGit } from './run-git.ts';

/** Who a commit is by. */
export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

export interface PersonConfig {
  /** `undefined` when name or mail is not set, or is nothing that git takes. */
  readonly identity: CommitIdentity | undefined;
  /** Line ends and the like (config-text.ts), from all files. */
  readonly settings: ReadonlyMap<string, string>;
  /** The person's own list of ignored files, which need not exist. */
  readonly excludesFile: string | undefined;
  /** Names of the filters that the system or the person defines. */
  readonly filters: ReadonlySet<string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws `bad-input` when git cannot read one of the files. */
export async function readPersonConfig(repository: Repository, env: Environment): Promise<PersonConfig> {
  const output = await runGit(
    {
      program: gitFor(repository),
      cwd: repository.root,
      env: { ...personEnvironment(repository.gitDir, env), GIT_DIR: repository.gitDir },
    },
    ['config', '--list', '-z', '--show-scope', '--includes'],
  );
  return personConfig(parseScopes(output.toString('utf8')), env);
}

/** The environment of gitEnvironment, in which git finds the person's and the system's configuration as it would in a shell. */
export function personEnvironment(nowhere: string, env: Environment): Record<string, string> {
  return withChanges(gitEnvironment(join(nowhere, 'nowhere')), {
    GIT_CONFIG_NOSYSTEM: env.GIT_CONFIG_NOSYSTEM,
    GIT_CONFIG_SYSTEM: env.GIT_CONFIG_SYSTEM,
    GIT_CONFIG_GLOBAL: env.GIT_CONFIG_GLOBAL,
    XDG_CONFIG_HOME: env.XDG_CONFIG_HOME,
    HOME: env.HOME ?? homedir(),
  });
}

interface Entry {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

function parseScopes(text: string): Entry[] {
  const fields = text.split('\0');
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', entry = ''] = [fields[at], fields[at + 1]];
    const end = entry.indexOf('\n');
    const [key, value] = end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    entries.push({ scope, key, value });
  }
  return entries;
}

function personConfig(entries: readonly Entry[], env: Environment): PersonConfig {
  const last = (key: string, among = entries) => among.findLast((entry) => entry.key === key)?.value;
  const own = entries.filter(({ scope }) => scope === 'system' || scope === 'global');
  const name = cleaned(last('user.name') ?? '');
  const email = cleaned(last('user.email') ?? '');
  return {
    identity: name === '' || email === '' ? undefined : { name, email },
    settings: new Map(entries.filter(({ key, value }) => isHarmless(key, value)).map(({ key, value }) => [key, value])),
    excludesFile: excludesFile(last('core.excludesfile', own), env),
    filters: new Set(own.flatMap(({ key }) => /^filter\.(.+)\.(?:smudge|clean|process)$/s.exec(key)?.[1] ?? [])),
  };
}

/** Git refuses a name without a letter or digit, and cuts these signs off at both ends. */
function cleaned(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = text.replace(/[\u0000-\u001f\u007f<>]/g, '').trim();
  return /[^\s.,:;"\\']/.test(plain) ? plain : '';
}

function excludesFile(named: string | undefined, env: Environment): string | undefined {
  const home = env.HOME ?? homedir();
  if (named === '') return undefined;
  if (named === undefined) return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git/ignore');
  return named.startsWith('~/') ? join(home, named.slice(2)) : named;
}
