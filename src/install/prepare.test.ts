import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkInstalled, nodeOfHooks } from './installed.ts';
import type { InstallHost } from './machine.ts';
import { type InstallRequest, prepareInstall, prepareUninstall } from './prepare.ts';
import { TARGETS } from './targets.ts';

let home = '';
let root = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-prepare-')));
  root = join(home, 'shop');
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(home, '.claude'));
  program('dist');
});
afterEach(() => rmSync(home, { recursive: true }));

function program(at: string): void {
  mkdirSync(join(home, at, 'hook'), { recursive: true });
  writeFileSync(join(home, at, 'hook/foreword-hook'), '#!/bin/sh\n');
  chmodSync(join(home, at, 'hook/foreword-hook'), 0o755);
}

/** With a Node that is none: nothing is compiled. */
function host(at = 'dist'): InstallHost {
  return {
    env: { HOME: home, PATH: '' },
    homedir: home,
    targets: TARGETS,
    commandFile: join(home, at, 'command/start.cjs'),
    candidates: [],
    usualLineup: [],
    node: { path: '/bin/sh', version: 'v20' },
  };
}

const install = (request: InstallRequest = {}, at?: string) => prepareInstall({ cwd: root, ...request }, host(at));
const made = (prepared: ReturnType<typeof install>) =>
  prepared.plan.changes.map(({ file }) => prepared.shortened(file));

test('init is about the agents that were found, and names the others', () => {
  const prepared = install();
  expect(prepared.agents).toEqual(['claude']);
  expect(prepared.absent).toEqual(TARGETS.map(({ agent }) => agent).filter((agent) => agent !== 'claude'));
  expect(prepared.titleOf('claude')).toBe('Claude Code');
  expect(made(prepared)).toContain('~/.claude/settings.json');
  expect(install({ agents: ['codex'] })).toMatchObject({ agents: ['codex'], absent: [] });
});

test('a project gets its starting files, a home gets none', () => {
  expect(made(install())).toContain('~/shop/.foreword/tasks.yaml');
  mkdirSync(join(home, '.foreword'));
  expect(made(prepareInstall({ cwd: home }, host()))).toEqual(['~/.claude/settings.json']);
  expect(made(install({ contextFiles: true }))).toContain('~/shop/.context/CONSTITUTION.md');
});

test('a person learns that there is nothing to show yet, and that npx empties its cache', () => {
  expect(install().plan.notes.join('\n')).toContain('foreword init --context-files creates them');
  mkdirSync(join(root, '.context'));
  writeFileSync(join(root, '.context/TASKS.md'), '');
  expect(install().plan.notes.join('\n')).not.toContain('--context-files');
  program('_npx/1/dist');
  expect(install({}, '_npx/1/dist').plan.notes[0]).toContain('is in the cache of npx');
});

test('without a hook program nothing is planned', () => {
  const missing = expect.objectContaining({ code: 'missing-program', hint: 'Install foreword again.' });
  expect(() => install({}, 'elsewhere')).toThrow(missing);
});

test('uninstall takes back what init wrote, and the noted Node goes with the last agent', async () => {
  const prepared = install({ agents: ['claude', 'codex'] });
  await prepared.apply(prepared.plan.changes);
  prepared.finish();
  const note = join(prepared.stateFolder, 'node-path');
  expect(existsSync(note)).toBe(true);
  for (const [agents, isLeft] of [
    [['codex'], true],
    [undefined, false],
  ] as const) {
    const removal = prepareUninstall({ cwd: root, agents }, host());
    await removal.apply(removal.plan.changes);
    removal.finish();
    expect(existsSync(note)).toBe(isLeft);
  }
  expect(existsSync(join(root, '.foreword/tasks.yaml'))).toBe(false);
});

test('doctor lists agents that are found, and files that hold our hooks', async () => {
  const states = () => Object.fromEntries(checkInstalled(root, host()).map(({ agent, state }) => [agent, state]));
  expect(states()).toEqual({ claude: 'absent' });
  const prepared = install({ agents: ['gemini'] });
  await prepared.apply(prepared.plan.changes);
  expect(states()).toEqual({ claude: 'absent', gemini: 'in place' });
  expect(nodeOfHooks(root, host())).toBeUndefined();
  prepared.finish();
  expect(nodeOfHooks(root, host())).toBe('/bin/sh');
});
