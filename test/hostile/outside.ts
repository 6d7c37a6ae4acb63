// What a person has beside a hostile repository: a home with settings and keys, states of other projects, a neighbour
// repository with uncommitted work, a tmux server. None of it may change, and none of its words may show anywhere.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { continuity, record } from '../../src/stores/contract/samples.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { temporaryFolder } from '../bundle.ts';
import { initialised } from '../git/real-git.ts';

/** In every file of the person; a word with it in an output, a prompt or a store is a leak. */
export const PRIVATE = 'PRIVATE-WORD';

export interface Outside {
  /** Everything lies in it, the repository too. */
  readonly folder: string;
  readonly repository: string;
  readonly home: string;
  readonly victim: string;
  readonly state: string;
  readonly runtime: string;
  readonly temporary: string;
  /** A program that a trap started leaves a file in it. */
  readonly canary: string;
  /** Programs and configuration of the person's own, and what the person's agents write about themselves. */
  readonly own: string;
  readonly tmux: string;
  /** Nobody has a reason to connect to it. */
  readonly port: number;
  readonly connections: () => number;
  readonly isTmuxAlive: () => boolean;
  close(): void;
}

export const OTHER_PROJECT = 'p00112233445566aa';

/** Entries in the state folder that belong to other projects, and to the person. */
const OTHER_STATES = [
  `projects/${OTHER_PROJECT}/project.json`,
  `projects/${OTHER_PROJECT}/runs/in-place/observer/git/config`,
  `projects/${OTHER_PROJECT}/trees/main/search.db`,
  'roots/srv/other/.fw/id',
  'roots/srv/other/.fw/on',
  'roots/srv/other/.fw/gate/session',
  'roots/srv/other/.fw/spool/line.jsonl',
  'trust/0000.json',
  'installed/claude.json',
  'verify.json',
];

/** `place` is the folder that holds the person's states, seen from the folder of everything. */
export async function openOutside(place = 'state'): Promise<Outside> {
  const folder = realpathSync(temporaryFolder('hostile'));
  const at = (name: string): string => join(folder, name);
  const put = (path: string, text = `# ${PRIVATE} of ${path}\n`): void => {
    mkdirSync(dirname(at(path)), { recursive: true, mode: 0o700 });
    writeFileSync(at(path), text, { mode: 0o600 });
  };
  for (const name of ['canary', 'run', 'tmp', 'own', 'person']) mkdirSync(at(name), { mode: 0o700 });
  for (const name of HOME_FILES) put(`home/${name}`);
  put('home/.claude/settings.json', '{ "theme": "dark" }\n');
  put('home/.codex/config.toml', 'model = "o5"\n');
  put('home/diary/monday.md');
  for (const name of OTHER_STATES) put(`${place}/foreword/${name}`);
  mkdirSync(at('own/log'));
  const copyStore = await otherStore(at('own/log/other.db'));
  copyStore(at(`${place}/foreword/projects/${OTHER_PROJECT}/foreword.db`));
  makeVictim(at('victim'));
  copyStore(at('victim/.foreword/foreword.db'));
  linkTools(at('own/bin'));
  const tmux = at('person/tmux');
  const ask = (...args: string[]) => spawnSync('tmux', ['-f', '/dev/null', '-S', tmux, ...args], { encoding: 'utf8' });
  const started = ask('new-session', '-d', '-s', 'work', '--', 'sleep', '3600');
  if (started.status !== 0) throw new Error(`no tmux server for the person: ${started.stderr}`);
  const pid = ask('list-panes', '-F', '#{pane_pid}').stdout;
  let connections = 0;
  const server = createServer((peer) => {
    connections += 1;
    peer.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    folder,
    repository: at('repository'),
    home: at('home'),
    victim: at('victim'),
    state: at(`${place}/foreword`),
    runtime: at('run'),
    temporary: at('tmp'),
    canary: at('canary'),
    own: at('own'),
    tmux,
    isTmuxAlive: () => ask('list-panes', '-F', '#{pane_pid}').stdout === pid,
    close: () => {
      ask('kill-server');
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const HOME_FILES = [
  '.bashrc',
  '.profile',
  '.gitconfig',
  '.npmrc',
  '.ssh/id_ed25519',
  '.ssh/authorized_keys',
  '.tmux.conf',
  '.config/git/config',
  '.claude/CLAUDE.md',
  'CLAUDE.md',
  'thesis.txt',
];

/** Made elsewhere and copied: the library closes its files when it likes, and takes files away as it does. */
async function otherStore(file: string): Promise<(copy: string) => void> {
  const stores = await openSqliteStores(file);
  await stores.continuity.append({ ...continuity('con_other'), summary: `${PRIVATE} of another project` });
  await stores.tasks.add({ ...record('other_task', 'completed'), intent: PRIVATE });
  return (copy) => {
    for (const end of ['', '-wal']) if (existsSync(file + end)) cpSync(file + end, copy + end);
  };
}

/** The neighbour: a repository of the person with its own state of foreword and work that is nowhere else. */
function makeVictim(folder: string): void {
  const git = initialised(folder);
  git.write('thesis.txt', `${PRIVATE} one\n`);
  git.write('src/a.txt', 'a\n');
  git.commit(`${PRIVATE} subject`);
  git.write('thesis.txt', `${PRIVATE} uncommitted\n`);
  git.write('never-added.txt', `${PRIVATE} never added\n`);
  git.write('.foreword/config.yaml', 'history: { size: 4 }\n');
  git.write('.foreword/notes/scratch/mine.md', `# ${PRIVATE}\n`);
  git.write('.context/CONSTITUTION.md', `# ${PRIVATE}\n`);
  git.write('CLAUDE.md', `# ${PRIVATE}\n`);
}

/** What a command may need, without the agents that are installed on the machine of the test. */
function linkTools(folder: string): void {
  mkdirSync(folder);
  for (const place of (process.env.PATH ?? '').split(':').toReversed()) {
    const names = new Set(list(place));
    for (const tool of ['git', 'tmux', 'bwrap', 'unshare', 'prlimit', 'ps', 'script']) {
      if (!names.has(tool)) continue;
      rmSync(join(folder, tool), { force: true });
      symlinkSync(join(place, tool), join(folder, tool));
    }
  }
  chmodSync(folder, 0o700);
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A PATH may name what is not there.
    return [];
  }
}
