// The dev container of examples/devcontainer, with bubblewrap in the place of a container engine: a rebuilt container has a new home
// and the old volume, and the project is mounted at its path again.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from './bundle.ts';
import { shop } from './foreword.ts';
import { testUnless } from './skipping.ts';

const EXAMPLE = join(import.meta.dirname, '../examples/devcontainer');
const MAIN = join(import.meta.dirname, '../dist/command/start.cjs');
const folder = temporaryFolder('container');
afterAll(() => rmSync(folder, { recursive: true }));

const settings = JSON.parse(readFileSync(join(EXAMPLE, 'devcontainer.json'), 'utf8')) as {
  readonly build: { readonly dockerfile: string };
  readonly remoteUser: string;
  readonly mounts: readonly string[];
  readonly postCreateCommand: string;
};

test('names the files beside it, and a volume that outlives a rebuild, in a folder that the image makes', () => {
  const image = readFileSync(join(EXAMPLE, settings.build.dockerfile), 'utf8');
  expect(settings.mounts).toHaveLength(1);
  const [mount = ''] = settings.mounts;
  const parts = Object.fromEntries(mount.split(',').map((part) => part.split('=')));
  expect(parts).toMatchObject({ type: 'volume', source: expect.stringMatching(/^foreword-\$\{devcontainerId\}$/) });
  expect(parts.target).toBe(`/home/${settings.remoteUser}/.local/state/foreword`);
  expect(image).toContain(`-o ${settings.remoteUser} -g ${settings.remoteUser} -m 700 ${parts.target}`);
  expect(settings.postCreateCommand).toBe('sh .devcontainer/install-foreword.sh');
});

test('without a package beside it nothing is installed by name, and the cure is said', () => {
  const bare = join(folder, 'bare');
  mkdirSync(bare);
  cpSync(join(EXAMPLE, 'install-foreword.sh'), join(bare, 'install-foreword.sh'));
  writeFileSync(join(bare, 'npm'), `#!/bin/sh\necho "$@" > '${bare}/called'\n`, { mode: 0o755 });
  const { status, stderr } = spawnSync('/bin/sh', [join(bare, 'install-foreword.sh')], {
    env: { HOME: bare, PATH: `${bare}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('npm pack');
  expect(existsSync(join(bare, 'called'))).toBe(false);
});

const works = spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0;

testUnless(works ? undefined : 'bubblewrap does not work here')(
  'what a session left is there in the rebuilt container, whose project has another inode',
  () => {
    const { project, remove } = projectWithContainer();
    try {
      const volume = join(folder, 'volume');
      mkdirSync(volume, { mode: 0o700 });
      const first = inContainer({ project, volume, home: join(folder, 'home-1') });
      expect(first('sh .devcontainer/install-foreword.sh')).toMatchObject({ status: 0 });
      expect(first('foreword save --next "Finish the cart"')).toMatchObject({ status: 0 });
      const copy = join(folder, 'copy');
      cpSync(project, copy, { recursive: true, verbatimSymlinks: true });
      const rebuilt = inContainer({ project: copy, at: project, volume, home: join(folder, 'home-2') });
      expect(rebuilt('sh .devcontainer/install-foreword.sh')).toMatchObject({ status: 0 });
      expect(rebuilt('foreword load').stdout).toContain('Finish the cart');
      const elsewhere = inContainer({
        project: copy,
        at: project,
        volume: join(folder, 'none'),
        home: join(folder, 'home-3'),
      });
      expect(elsewhere('sh .devcontainer/install-foreword.sh')).toMatchObject({ status: 0 });
      expect(elsewhere('foreword load').stdout).not.toContain('Finish the cart');
    } finally {
      remove();
    }
  },
);

function projectWithContainer() {
  const project = shop();
  cpSync(EXAMPLE, join(project, '.devcontainer'), { recursive: true });
  writeFileSync(join(project, '.devcontainer/foreword-0.0.0.tgz'), 'stands in for the package');
  return { project, remove: () => rmSync(join(project, '..'), { recursive: true }) };
}

interface Container {
  readonly project: string;
  /** Where the container mounts it. */
  readonly at?: string;
  readonly volume: string;
  readonly home: string;
}

function inContainer({ project, at = project, volume, home }: Container) {
  const state = join(home, '.local/state/foreword');
  for (const made of [state, volume]) mkdirSync(made, { recursive: true, mode: 0o700 });
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  // Stands in for npm: the package is the built command.
  const npm = `#!/bin/sh\nmkdir -p "$HOME/.local/bin"\nln -sf '${MAIN}' "$HOME/.local/bin/foreword"\n`;
  writeFileSync(join(bin, 'npm'), npm);
  chmodSync(join(bin, 'npm'), 0o755);
  const mounts = ['--dev-bind', '/', '/', '--bind', project, at, '--bind', volume, state, '--chdir', at];
  const env = { HOME: home, PATH: `${bin}:${home}/.local/bin:${process.env.PATH}` };
  return (line: string) => {
    const { status, stdout, stderr } = spawnSync('bwrap', [...mounts, 'sh', '-c', line], {
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, stdout, stderr };
  };
}
