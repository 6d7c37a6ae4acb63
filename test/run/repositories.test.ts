// Repositories as they are: whatever kind the person has, the branch gets exactly the agent's change, and everything of the
// person's is as it was.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/system/sha256.ts';
import { everydayRows } from '../long.ts';
import { IS_LONG } from '../scale.ts';
import { begin, completes, type Deed, type Ground, makeGround, NEW } from './ground.ts';

let ground: Ground;
afterEach(() => ground.field.remove());

interface Kind {
  /** Makes what the test is about; `repo` has one commit. */
  make(ground: Ground): void;
  readonly deeds?: readonly Deed[];
  /** Beside new.txt. */
  readonly changed?: Record<string, string>;
  /** Where the project is; new.txt is expected there. */
  readonly at?: string;
  readonly inRepository?: string;
  /** Of the task. */
  readonly more?: object;
}

const ALLOW = ['-c', 'protocol.file.allow=always'];
const AS = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];

const HISTORY: Readonly<Record<string, Kind>> = {
  'a detached HEAD': { make: ({ git }) => git('checkout', '-q', '--detach') },
  'a branch with a slash and letters beyond ASCII': { make: ({ git }) => git('checkout', '-qb', 'feature/größe') },
  'a shallow clone': {
    make: ({ git, write, commit, repo }) => {
      write('a', 'a\n');
      commit('second');
      git('clone', '-q', '--depth=1', `file://${repo}`, '../shallow');
    },
    at: 'shallow',
  },
  'a clone that borrows objects': {
    make: ({ git, repo }) => git('clone', '-q', '--shared', repo, '../clone'),
    at: 'clone',
  },
  'a history with replaced commits and grafts': {
    make: ({ git, write, commit, repo }) => {
      write('a', 'a\n');
      commit('second');
      const other = git(...AS, 'commit-tree', '-m', 'replaced', 'HEAD~1^{tree}');
      git('replace', 'HEAD', other);
      writeFileSync(join(repo, '.git/info/grafts'), `${git('rev-parse', 'HEAD')}\n`);
    },
  },
  'sha256 ids': {
    make: (at) => {
      rmSync(join(at.repo, '.git'), { recursive: true });
      begin(at, '--object-format=sha256');
    },
  },
  'packed refs and no loose object': { make: ({ git }) => git('gc', '-q', '--prune=now') },
};

const PLACES: Readonly<Record<string, Kind>> = {
  'a sub-project of a monorepo': {
    make: ({ write, commit }) => {
      write('packages/a/.foreword/notes.md', 'notes\n');
      write('packages/b/b.txt', 'b\n');
      commit();
    },
    at: 'repo/packages/a',
    inRepository: 'packages/a/',
    deeds: [['copy', '../b/b.txt', 'src.txt']],
    changed: { 'packages/a/src.txt': '100644 b\n' },
    more: { targets: ['new.txt', 'src.txt'] },
  },
  'a linked worktree': { make: ({ git }) => git('worktree', 'add', '-q', '-b', 'other', '../tree'), at: 'tree' },
  'a worktree of a bare clone': {
    make: ({ git, repo }) => {
      git('clone', '-q', '--bare', repo, '../bare.git');
      git('-C', '../bare.git', 'worktree', 'add', '-q', '../tree', 'main');
    },
    at: 'tree',
  },
  'a submodule': {
    make: (at) => {
      at.git(...ALLOW, 'clone', '-q', at.repo, '../library');
      at.git(...ALLOW, 'submodule', '--quiet', 'add', '../library', 'lib');
      at.commit();
    },
    at: 'repo/lib',
  },
  'a folder below a link': {
    make: ({ link }) => link('repo', '../way'),
    at: 'way',
  },
};

const TREES: Readonly<Record<string, Kind>> = {
  'submodules, of which one is missing': {
    make: (at) => {
      for (const name of ['library', 'other']) at.git(...ALLOW, 'clone', '-q', at.repo, `../${name}`);
      for (const name of ['library', 'other']) at.git(...ALLOW, 'submodule', '--quiet', 'add', `../${name}`, name);
      at.commit();
      at.git('submodule', '--quiet', 'deinit', 'other');
      rmSync(join(at.repo, '.git/modules/other'), { recursive: true });
    },
    deeds: [['copy', 'library/readme.txt', 'copy.txt']],
    changed: { 'copy.txt': '100644 a project\n' },
  },
  'a sparse checkout in cone mode': {
    make: (at) => {
      for (const name of ['in/a', 'out/b', 'out/c']) at.write(name, `${name}\n`);
      at.commit();
      at.git('sparse-checkout', 'set', '--cone', 'in');
    },
    deeds: [
      ['replace', 'out/b', 'out', 'changed'],
      ['replace', 'in/a', 'in', 'changed'],
    ],
    changed: { 'in/a': '100644 changed/a\n', 'out/b': '100644 changed/b\n' },
  },
  'a sparse checkout by patterns': {
    make: (at) => {
      for (const name of ['in/a', 'out/b.c', 'out/c.h']) at.write(name, `${name}\n`);
      at.commit();
      at.git('sparse-checkout', 'set', '--no-cone', '/*', '!*.h');
    },
    deeds: [['replace', 'out/c.h', 'out', 'changed']],
    changed: { 'out/c.h': '100644 changed/c.h\n' },
  },
  'a sparse index': {
    make: (at) => {
      for (const name of ['in/a', 'out/b', 'out/c']) at.write(name, `${name}\n`);
      at.commit();
      at.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    },
    deeds: [['delete', 'out/b']],
    changed: { 'out/b': 'gone' },
  },
  'a split index, an untracked cache and a file system monitor': {
    make: (at) => {
      at.git('config', 'core.untrackedCache', 'true');
      at.git('config', 'core.splitIndex', 'true');
      at.git('update-index', '--split-index', '--untracked-cache');
      at.write('later', 'later\n');
      at.git('add', 'later');
      at.git(...AS, 'commit', '-qm', 'later');
      at.git('config', 'core.fsmonitor', at.program('../monitor', 'monitor'));
    },
  },
  'files that are staged, assumed unchanged, skipped, intended to be added and in conflict': {
    make: (at) => {
      for (const name of ['staged', 'assumed', 'skipped', 'both']) at.write(name, 'old\n');
      at.commit();
      at.git('checkout', '-qb', 'other');
      at.write('both', 'theirs\n');
      at.commit();
      at.git('checkout', '-q', 'main');
      at.write('both', 'ours\n');
      at.commit();
      expect(() => at.git(...AS, 'merge', '-q', 'other')).toThrow();
      for (const name of ['staged', 'assumed', 'skipped', 'intended']) at.write(name, 'mine\n');
      at.git('add', 'staged');
      at.git('add', '-N', 'intended');
      at.git('update-index', '--assume-unchanged', 'assumed');
      at.git('update-index', '--skip-worktree', 'skipped');
    },
    deeds: [
      ['copy', 'both', 'seen'],
      ['copy', 'skipped', 'seen too'],
    ],
    changed: { seen: '100644 ours\n', 'seen too': '100644 old\n' },
  },
  'a repository inside, empty folders and files that archives leave out': {
    make: (at) => {
      at.write('.gitattributes', 'secret.txt export-ignore\nversion.txt export-subst\n');
      at.write('secret.txt', 'in every checkout\n');
      at.write('version.txt', '$Format:%H$\n');
      at.commit();
      at.git('init', '-q', 'inside');
      at.write('inside/a', 'a\n');
      mkdirSync(join(at.repo, 'empty'));
    },
    deeds: [
      ['copy', 'secret.txt', 'copy.txt'],
      ['shell', 'mkdir hollow; git init -q mine; echo x > mine/x; mkdir .git/hollow'],
    ],
    changed: { 'copy.txt': '100644 in every checkout\n', 'mine/x': '100644 x\n' },
  },
};

const LONG = `${'long/'.repeat(60)}${'n'.repeat(200)}`;
/** Larger than what is not read where a snapshot does not become a commit. */
const BIG = 21 * 1024 * 1024;

/** They do not disturb each other, so one repository has them all; the long run also takes each alone. */
const FILES: Readonly<Record<string, Kind>> = {
  'names with spaces, line ends, quotes, bytes that are no UTF-8, and both forms of one letter': {
    make: (at) => {
      at.git('config', 'core.precomposeUnicode', 'false');
      for (const name of [' two  spaces ', 'line\nend', '"quoted"\\', '-n', ':(top)x', '\u00e9', 'e\u0301'])
        at.write(name, 'old\n');
      const bytes = Buffer.concat([Buffer.from(`${at.repo}/`), Buffer.from([0xff, 0x80])]);
      writeFileSync(bytes, 'old\n');
      at.commit();
    },
    deeds: [
      ['write', 'line\nend', 'new\n'],
      ['delete', ' two  spaces '],
      ['write', 'e\u0301', 'new\n'],
      ['shell', "printf 'new\\n' > $(printf '\\377\\200'); printf 'new\\n' > $(printf '\\376')"],
      ['write', ':(top)x', 'new\n'],
      ['write', '-n', 'new\n'],
    ],
    changed: {
      'line\nend': '100644 new\n',
      ' two  spaces ': 'gone',
      [Buffer.from('e\u0301').toString('latin1')]: '100644 new\n',
      '\u00ff\u0080': '100644 new\n',
      '\u00fe': '100644 new\n',
      ':(top)x': '100644 new\n',
      '-n': '100644 new\n',
    },
  },
  'links: dangling, out of the tree, to folders, in the place of files': {
    make: (at) => {
      at.write('../private.txt', 'private\n');
      at.link('nowhere', 'dangling');
      at.link('../private.txt', 'out');
      at.write('folder/x', 'x\n');
      at.link('folder', 'to-folder');
      at.write('file', 'file\n');
      at.commit();
    },
    deeds: [
      ['delete', 'dangling'],
      ['link', 'elsewhere', 'dangling'],
      ['delete', 'file'],
      ['link', '/etc/hostname', 'file'],
      ['write', 'to-folder/x', 'through the link\n'],
    ],
    changed: { dangling: '120000 elsewhere', file: '120000 /etc/hostname', 'folder/x': '100644 through the link\n' },
  },
  'executable bits': {
    make: (at) => {
      at.program('run.sh', 'never', 'exit 0');
      at.write('plain', 'plain\n');
      at.commit();
    },
    deeds: [
      ['executable', 'plain'],
      ['shell', 'chmod -x run.sh; printf x > made; chmod +x made'],
    ],
    changed: { plain: '100755 plain\n', 'run.sh': expect.stringMatching(/^100644 #!/), made: '100755 x' },
  },
  'renames that differ in case alone': {
    make: (at) => {
      at.write('Name.txt', 'name\n');
      at.write('Upper/x', 'x\n');
      at.commit();
    },
    deeds: [['shell', 'mv Name.txt name.txt; mv Upper upper']],
    changed: { 'Name.txt': 'gone', 'name.txt': '100644 name\n', 'Upper/x': 'gone', 'upper/x': '100644 x\n' },
  },
  'a very long path and a big file': {
    make: (at) => {
      at.write(LONG, 'long\n');
      at.write('big', Buffer.alloc(BIG, 'b'));
      at.commit();
    },
    deeds: [
      ['write', LONG, 'changed\n'],
      ['shell', 'echo more >> big'],
    ],
    changed: { [LONG]: '100644 changed\n', big: `100644 ${BIG + 5} bytes with ${sha256(`${'b'.repeat(BIG)}more\n`)}` },
  },
};

const SETTINGS: Readonly<Record<string, Kind>> = {
  'executable bits that git does not look at (core.fileMode)': {
    make: (at) => {
      at.program('run.sh', 'never', 'exit 0');
      at.write('plain', 'plain\n');
      at.commit();
      at.git('config', 'core.fileMode', 'false');
    },
    deeds: [
      ['executable', 'plain'],
      ['shell', 'chmod -x run.sh; echo more >> run.sh'],
    ],
    changed: { 'run.sh': expect.stringMatching(/^100755 #!.*more\n$/s) },
  },
  'line ends that git turns (core.autocrlf true)': {
    make: (at) => {
      at.git('config', 'core.autocrlf', 'true');
      at.write('.gitattributes', 'unix eol=lf\n');
      at.write('unix', 'a\n');
      at.write('dos', 'a\r\nb\r\n');
      at.commit();
    },
    deeds: [
      ['shell', 'grep -c "\r" dos readme.txt unix > "seen by the agent"'],
      ['replace', 'dos', 'b', 'c'],
      ['write', 'made', '1\r\n2\r\n'],
    ],
    changed: {
      'seen by the agent': '100644 dos:2\nreadme.txt:1\nunix:0\n',
      dos: '100644 a\nc\n',
      made: '100644 1\n2\n',
    },
  },
  'line ends that git turns on the way in (core.autocrlf input, from the home)': {
    make: (at) => {
      at.home('[core]', 'autocrlf = input');
    },
    deeds: [['write', 'made', '1\r\n2\r\n']],
    changed: { made: '100644 1\n2\n' },
  },
  'line ends and encodings by attributes': {
    make: (at) => {
      at.write('.gitattributes', '*.bat eol=crlf\n*.u16 text working-tree-encoding=UTF-16LE eol=lf\n*.bin -text\n');
      at.write('a.bat', 'a\r\n');
      at.write('a.u16', Buffer.from('ä\n', 'utf16le'));
      at.write('a.bin', 'a\r\n');
      at.commit();
    },
    deeds: [
      ['shell', 'wc -c < a.u16 | tr -d " " > seen'],
      ['shell', 'cat a.u16 a.u16 > b.u16; cat a.bat a.bat > b.bat; cat a.bin a.bin > b.bin'],
    ],
    changed: {
      seen: '100644 4\n',
      'b.u16': `100644 ${Buffer.from('ä\nä\n').toString('latin1')}`,
      'b.bat': '100644 a\na\n',
      'b.bin': '100644 a\r\na\r\n',
    },
  },
};

const TOGETHER: Kind = {
  make: (at) => {
    for (const { make } of Object.values(FILES)) make(at);
  },
  deeds: Object.values(FILES).flatMap(({ deeds = [] }) => deeds),
  changed: Object.assign({}, ...Object.values(FILES).map(({ changed }) => changed)),
};

describe.each<[string, Record<string, Kind>, number[]]>([
  ['a history', HISTORY, [2, 4, 5]],
  ['a place', PLACES, [0, 1, 3]],
  ['a tree', TREES, [0, 3, 5, 6]],
  ['files', { [Object.keys(FILES).join('; ')]: TOGETHER, ...(IS_LONG ? FILES : {}) }, [0]],
  ['settings', SETTINGS, [0, 3]],
])('%s:', (_, kinds, everyday) => {
  test.each(everydayRows(Object.entries(kinds), ...everyday))(
    '%s',
    async (_name, { make, deeds, changed, at = 'repo', inRepository = '', more }) => {
      ground = makeGround(deeds, more);
      begin(ground);
      make(ground);
      ground.at = at;
      await completes(ground, { [`${inRepository}new.txt`]: NEW['new.txt'], ...changed });
    },
  );
});

test('a sub-project of a monorepo: files of its neighbours are outside its targets', async () => {
  ground = makeGround([['write', '../b/b.txt', 'changed\n']], { targets: ['**'] });
  begin(ground);
  ground.write('packages/a/.foreword/notes.md', 'notes\n');
  ground.write('packages/b/b.txt', 'b\n');
  ground.commit();
  ground.at = 'repo/packages/a';
  const { status, stdout } = await ground.run();
  expect([status, stdout]).toEqual([1, expect.stringContaining('../b/b.txt')]);
  expect(ground.branch()).toBe('');
});
