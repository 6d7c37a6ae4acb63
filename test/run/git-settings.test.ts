// What a person and their repository configured: hooks, filters, signing, names. Of the repository's own programs none runs for
// foreword's work; those of the person's home do where a faithful checkout needs them, and all of them in their own merge.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { everydayRows, longTest } from '../long.ts';
import { begin, completes, type Ground, makeGround, NEW } from './ground.ts';

let ground: Ground;
afterEach(() => ground.field.remove());

const PERSON = ['[user]', 'name = A Person', 'email = person@example.com'];
const commit = (...format: string[]) => ground.git('log', '-1', `--format=${format.join('%n')}`, ground.branch());

/** Every hook that git 2.47 knows. */
const HOOKS =
  'applypatch-msg commit-msg fsmonitor-watchman p4-changelist p4-post-changelist p4-pre-submit p4-prepare-changelist post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate update'.split(
    ' ',
  );

describe('hooks', () => {
  test.each(
    everydayRows(
      [
        ['.git/hooks', '.git/hooks', undefined],
        ['a folder that the repository configures', 'tools/hooks', '.git/config'],
        ['a folder that the home configures', '../hooks', 'home'],
      ],
      1,
    ),
  )('in %s run in a merge and not in a run', async (_, folder, configured) => {
    ground = makeGround();
    begin(ground);
    for (const hook of HOOKS) ground.program(`${folder}/${hook}`, hook, 'exit 0');
    const path = join(ground.repo, folder);
    ground.home(...PERSON, ...(configured === 'home' ? ['[core]', `hooksPath = ${path}`] : []));
    if (configured === '.git/config') ground.git('config', 'core.hooksPath', path);
    await completes(ground);
    ground.ran();
    const { status, stderr } = await ground.command('merge', '--squash');
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(ground.ran()).toEqual(expect.arrayContaining(['commit-msg', 'post-commit', 'post-merge', 'pre-commit']));
  });
});

describe('filters', () => {
  const filters = (smudge: string, clean: string) => ['[filter "upper"]', `smudge = ${smudge}`, `clean = ${clean}`];

  test('of the repository do not run: the agent sees what is stored', async () => {
    ground = makeGround([['copy', 'a.up', 'seen']]);
    begin(ground);
    ground.write('.gitattributes', '*.up filter=upper\n');
    ground.write('a.up', 'abc\n');
    ground.commit();
    ground.git('config', 'filter.upper.smudge', ground.program('../smudge', 'smudge', 'tr a-z A-Z'));
    ground.git('config', 'filter.upper.clean', ground.program('../clean', 'clean', 'tr A-Z a-z'));
    await completes(ground, { ...NEW, seen: '100644 abc\n' });
  });

  test('of the home run, when files are written and when they are read', async () => {
    ground = makeGround([
      ['copy', 'a.up', 'seen'],
      ['write', 'b.up', 'NEW\n'],
    ]);
    begin(ground);
    ground.write('.gitattributes', '*.up filter=upper\n');
    ground.write('a.up', 'abc\n');
    ground.commit();
    ground.home(...filters('tr a-z A-Z', 'tr A-Z a-z'));
    ground.git('checkout', '-q', 'HEAD', '--', '.');
    await completes(ground, { ...NEW, seen: '100644 ABC\n', 'b.up': '100644 new\n' });
  });

  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 4\n`;

  longTest('LFS without git-lfs: the agent sees pointers, and they stay what they are', async () => {
    ground = makeGround([['copy', 'a.bin', 'seen']]);
    begin(ground);
    ground.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    ground.write('a.bin', pointer);
    ground.commit();
    await completes(ground, { ...NEW, seen: `100644 ${pointer}` });
  });

  test('LFS with git-lfs: the agent sees the objects that .git/lfs has, and the pointers stay', async () => {
    ground = makeGround([['copy', 'a.bin', 'seen']]);
    begin(ground);
    ground.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    ground.write('a.bin', pointer);
    ground.commit();
    // Stands in for git-lfs: an object in lfs.storage for its pointer, and back.
    const smudge = 'storage=$(git config lfs.storage || echo .git/lfs); cat > /dev/null; cat "$storage/objects/a"';
    const clean = `printf '%s\\n' ${pointer
      .trimEnd()
      .split('\n')
      .map((line) => `'${line}'`)
      .join(' ')}; cat > /dev/null`;
    writeFileSync(join(ground.field.folder, 'smudge.sh'), smudge);
    writeFileSync(join(ground.field.folder, 'clean.sh'), clean);
    const at = ground.field.folder;
    ground.home('[filter "lfs"]', `smudge = sh ${at}/smudge.sh`, `clean = sh ${at}/clean.sh`, 'required = true');
    ground.write('.git/lfs/objects/a', 'DATA');
    rmSync(join(ground.repo, 'a.bin'));
    ground.git('checkout', '-q', 'HEAD', '--', 'a.bin');
    expect(readFileSync(join(ground.repo, 'a.bin'), 'utf8')).toBe('DATA');
    await completes(ground, { ...NEW, seen: '100644 DATA' });
  });
});

describe('commits', () => {
  test('of a person without a name are by foreword, also where git shall not guess one', async () => {
    ground = makeGround();
    begin(ground);
    ground.git('config', 'user.useConfigOnly', 'true');
    await completes(ground);
    expect(commit('%an <%ae>', '%cn <%ce>')).toBe(Array(2).fill('foreword <foreword@localhost>').join('\n'));
  });

  test('are unsigned where signing is required; the merge is signed by the person', async () => {
    ground = makeGround();
    begin(ground);
    const signature = '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n';
    const body = `cat > /dev/null; printf '\\n[GNUPG:] SIG_CREATED \\n' >&2; printf '%b' '${signature}'`;
    const gpg = ground.program('../gpg', 'gpg', body);
    ground.home(...PERSON, '[commit]', 'gpgSign = true', '[gpg]', `program = ${gpg}`, '[merge]', 'ff = false');
    await completes(ground);
    expect(commit('%an', '%GK%G?')).toBe('A Person\nN');
    expect(await ground.command('merge')).toMatchObject({ status: 0 });
    expect(ground.ran()).toEqual(['gpg']);
    expect(ground.git('cat-file', 'commit', 'HEAD')).toContain('gpgsig -----BEGIN');
  });

  test('before the first one of the person: the branch begins with the task', async () => {
    ground = makeGround();
    ground.git('init', '-q', '--initial-branch=main');
    ground.write('not-committed.txt', 'x\n');
    await completes(ground);
    expect(ground.git('rev-list', '--count', ground.branch())).toBe('1');
    expect((await ground.command('merge')).status).toBe(0);
    expect(readFileSync(join(ground.repo, 'new.txt'), 'utf8')).toBe('done\n');
    expect(ground.git('status', '--porcelain')).toBe('?? not-committed.txt');
  });

  test('in a home that is itself a repository: the state in it is nobody’s file', async () => {
    ground = makeGround();
    const home = ground.field.folder;
    ground.at = '..';
    ground.git('-C', home, 'init', '-q', '--initial-branch=main');
    ground.home(...PERSON);
    ground.git('-C', home, 'add', '.gitconfig');
    ground.git('-C', home, 'commit', '-qm', 'dotfiles');
    const { status, stdout, stderr } = await ground.run();
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('.local/state');
    expect(ground.changed()).toEqual(NEW);
  });
});

/** Found before an agent is started, and nothing is written. */
describe('refused before an agent is paid:', () => {
  const refused = async (words: RegExp) => {
    const before = ground.personal();
    const { status, stderr } = await ground.run();
    expect([status, stderr]).toEqual([expect.any(Number), expect.stringMatching(words)]);
    expect(status).not.toBe(0);
    expect(stderr.split('\n').length).toBeLessThanOrEqual(4);
    expect(ground.field.ledger()).toEqual([]);
    expect(ground.personal()).toEqual(before);
    expect(ground.git('-C', join(ground.field.project, ground.at), 'for-each-ref', 'refs/heads/foreword/')).toBe('');
  };

  test('a branch named foreword, which leaves no room for foreword/RUN', async () => {
    ground = makeGround();
    begin(ground);
    ground.git('branch', 'foreword');
    await refused(/The branch foreword is in the way of .*git branch -m foreword/s);
    ground.git('branch', '-m', 'foreword', 'foreword-old');
    expect((await ground.run()).status).toBe(0);
  });

  longTest('the same before the first commit', async () => {
    ground = makeGround();
    ground.git('init', '-q', '--initial-branch=foreword');
    ground.write('a', 'a\n');
    ground.commit();
    ground.git('symbolic-ref', 'HEAD', 'refs/heads/main');
    await refused(/The branch foreword is in the way of/);
  });

  longTest('a partial clone that lacks files of the commit', async () => {
    ground = makeGround();
    begin(ground);
    ground.git('config', 'uploadpack.allowFilter', 'true');
    ground.git('clone', '-q', '--no-checkout', '--filter=blob:none', `file://${ground.repo}`, '../partial');
    ground.at = 'partial';
    await refused(/the repository lacks some of its files.*partial clone/s);
  });

  test('a git directory elsewhere that does not name its work tree', async () => {
    ground = makeGround();
    begin(ground);
    ground.git('init', '-q', '--separate-git-dir=../elsewhere.git');
    await refused(/A run makes a branch.*does not belong to.*clone of its own/s);
    ground.git('config', 'core.worktree', ground.repo);
    await completes(ground);
  });
});
