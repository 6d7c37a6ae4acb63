// What a boxed agent finds, and what it cannot change.

import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type BoxField, boxed, contentsOf, makeBoxField } from './field.ts';

let field: BoxField;
afterEach(() => field.remove());

/** All that is not foreword's own: its state, and the branch and refs that a run makes in the repository. */
const outside = () =>
  contentsOf(field.folder, (path) => path.startsWith('.local') || /^project\/\.git\/(refs|logs|objects)/.test(path));
const attempt = async () => (await field.attempts('a')).at(-1);

boxed('the agent works at the project’s own path, in its checkout, with nothing of the home', async () => {
  field = makeBoxField();
  field.inHome('.ssh/id_ed25519', 'secret');
  field.inHome('.aws/credentials', 'secret');
  field.inHome('other/project/file.txt', 'another project');
  field.script('{ pwd; ls -A ~; ls -A ~/.local/state/foreword/projects/*; cat ~/.ssh/id_ed25519; } > seen.txt 2>&1');
  const ran = await field.run();
  expect(ran.status).toBe(0);
  const seen = field.onBranch('seen.txt')?.split('\n') ?? [];
  expect(seen.slice(0, 4)).toEqual([realpathSync(field.project), '.local', 'project', 'tools']);
  expect(seen.join('\n')).not.toMatch(/secret|foreword\.db|checkouts|lease/);
  expect(existsSync(join(field.project, 'done-a.txt'))).toBe(false);
  expect((await attempt())?.box).toEqual({ level: 'bubblewrap' });
});

boxed('rm -rf of the home, of the parents, of the state and of other projects changes nothing outside', async () => {
  field = makeBoxField();
  field.inHome('.ssh/id_ed25519', 'secret');
  field.inHome('other/project/file.txt', 'another project');
  mkdirSync(join(field.folder, '.config'));
  symlinkSync('/etc/hostname', join(field.folder, '.config/link'));
  field.script(
    'echo planted > ~/.bashrc; mkdir -p ~/.config/autostart; echo planted > ~/.config/autostart/evil; echo x > ../sibling.txt',
    'cp ~/.bashrc /tmp/kept; rm -rf --no-preserve-root / 2>&1 | head -200 > /dev/shm/errors',
    'rm -rf ~/* ~/.[a-z]* ../* ../../* "$HOME/other" /usr/bin/git /etc/passwd 2>> /dev/shm/errors',
    'mkdir -p ~/.ssh; echo key > ~/.ssh/authorized_keys; cat /dev/shm/errors >&2',
  );
  const before = outside();
  const ran = await field.run();
  expect(outside()).toEqual(before);
  expect(ran.stdout).toContain('completed');
  const box = (await attempt())?.box;
  expect(box?.level).toBe('bubblewrap');
  expect(box?.refused).toContain('It wrote ~/.ssh/authorized_keys, which was not kept: its home was private.');
  expect(box?.refused?.join('\n')).toMatch(/could not change \/usr/);
});

boxed('files that it plants in the home are named in the attempt and not kept', async () => {
  field = makeBoxField();
  field.script('echo x > ~/.bashrc; echo x > ../sibling.txt; mkdir -p ~/.npm/_cacache; touch ~/.npm/_cacache/{1..9}');
  expect((await field.run()).status).toBe(0);
  expect((await attempt())?.box?.refused).toEqual([
    'It wrote ~/.bashrc, which was not kept: its home was private.',
    'It wrote ~/.npm (9 files), which was not kept: its home was private.',
    'It wrote ~/sibling.txt, which was not kept: its home was private.',
  ]);
  expect(existsSync(join(field.folder, '.bashrc'))).toBe(false);
});

boxed('it writes the folders that its data names, and reads the settings over them without changing them', async () => {
  field = makeBoxField({
    agent: {
      box: {
        homes: { MINE_HOME: '~/.mine' },
        writable: ['$MINE_HOME', '~/.cache/mine'],
        readOnly: ['$MINE_HOME/settings.json', '$MINE_HOME/hooks/', '$MINE_HOME/notes.md', '~/.minerc'],
        copied: ['~/.mine.json'],
      },
    },
  });
  const settings = field.inHome('.mine/settings.json', '{"own":1}');
  field.inHome('.mine/token', 'old');
  field.inHome('.mine.json', '{"copied":1}');
  field.inHome('.minerc', 'rc');
  field.script(
    'cat ~/.mine/settings.json ~/.mine.json ~/.minerc > seen.txt; ls -A ~/.mine | sort >> seen.txt',
    'echo new > ~/.mine/token.new && mv ~/.mine/token.new ~/.mine/token; echo log > ~/.mine/transcript; echo c > ~/.cache/mine/c',
    'echo {} > ~/.mine/settings.json; rm -f ~/.mine/settings.json; mv ~/.mine/token ~/.mine/hooks/x; echo x > ~/.mine/hooks/evil',
    'echo evil > ~/.mine/notes.md; echo evil > ~/.minerc; echo "{}" > ~/.mine.json',
  );
  expect((await field.run()).status).toBe(0);
  expect(field.onBranch('seen.txt')).toBe(
    ['{"own":1}{"copied":1}rchooks', 'notes.md', 'settings.json', 'token']
      .join('\n')
      .replace('rch', 'rc\nh')
      .replace('rc\nhooks', 'rchooks'),
  );
  const read = (path: string) => readFileSync(join(field.folder, path), 'utf8');
  expect(readFileSync(settings, 'utf8')).toBe('{"own":1}');
  expect([read('.mine/token'), read('.mine/transcript'), read('.cache/mine/c')]).toEqual(['new\n', 'log\n', 'c\n']);
  expect([read('.mine.json'), read('.minerc')]).toEqual(['{"copied":1}', 'rc']);
  expect(['.mine/hooks', '.mine/notes.md'].filter((path) => existsSync(join(field.folder, path)))).toEqual([]);
});

boxed(
  'a folder that is copied can be written, is as before afterwards, and what is in its folders stays read-only',
  async () => {
    const box = { writable: ['~/.mine/'], copied: ['~/.mine/store/', '~/.config/mine/', '~/.cache/absent/'] };
    field = makeBoxField({ agent: { box } });
    field.inHome('.mine/store/state.json', 'old');
    field.inHome('.config/mine/mine.json', 'old');
    field.inHome('.config/mine/packages/code.js', 'old');
    field.script(
      'cat ~/.mine/store/state.json ~/.config/mine/mine.json ~/.config/mine/packages/code.js > seen.txt',
      'for file in ~/.mine/store/state.json ~/.config/mine/mine.json ~/.cache/absent/new; do',
      '  echo new > $file.tmp && mv $file.tmp $file && cat $file >> seen.txt; done',
      'echo evil > ~/.config/mine/packages/code.js; rm -rf ~/.config/mine/packages',
    );
    const before = outside();
    expect((await field.run()).status).toBe(0);
    expect(field.onBranch('seen.txt')).toBe('oldoldoldnew\nnew\nnew');
    const after = outside();
    expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual([]);
  },
);

boxed('a file that counts by being there cannot be planted, and one of the person stays', async () => {
  field = makeBoxField({
    agent: {
      box: { writable: ['~/.mine/'], asideIfNew: ['~/.mine/AGENTS.md', '~/.mine/SYSTEM.md', '~/.mine/plugin/'] },
    },
  });
  const own = field.inHome('.mine/AGENTS.md', 'mine');
  field.script(
    'ls ~/.mine > seen.txt',
    'echo evil > ~/.mine/AGENTS.md; echo evil > ~/.mine/SYSTEM.md; mkdir ~/.mine/plugin; echo x > ~/.mine/plugin/x',
  );
  expect((await field.run()).status).toBe(0);
  expect(field.onBranch('seen.txt')).toBe('AGENTS.md');
  expect(readFileSync(own, 'utf8')).toBe('mine');
  expect(['SYSTEM.md', 'plugin'].filter((name) => existsSync(join(own, '..', name)))).toEqual([]);
  expect(readFileSync(join(own, '../SYSTEM.md.made-in-a-box'), 'utf8')).toBe('evil\n');
  expect((await attempt())?.box?.refused).toContain(
    'While it ran ~/.mine/SYSTEM.md appeared, which was moved to ~/.mine/SYSTEM.md.made-in-a-box.',
  );
});

boxed('run.allow adds folders, and a program that is a link in the home starts', async () => {
  field = makeBoxField();
  const shared = join(field.folder, 'shared');
  mkdirSync(shared);
  writeFileSync(join(field.folder, 'tools/README'), '');
  mkdirSync(join(field.folder, '.local/bin'), { recursive: true });
  symlinkSync('../../tools/agent.sh', join(field.folder, '.local/bin/mine'));
  field.change('first', () => ({ oneshot: { command: ['mine'], prompt: 'stdin' } }));
  field.script('echo kept > ~/shared/file', 'echo evil >> ~/.local/bin/mine');
  const env = { PATH: `${field.folder}/.local/bin:${process.env.PATH}`, FOREWORD_RUN_ALLOW: '~/shared' };
  expect((await field.runWith(env)).status).toBe(0);
  expect(readFileSync(join(shared, 'file'), 'utf8')).toBe('kept\n');
  expect(readFileSync(join(field.folder, 'tools/agent.sh'), 'utf8')).not.toContain('evil\n');
});
