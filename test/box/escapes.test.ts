// The ways out of the sandbox for commands (test/sandboxes/tries.ts), made by an agent of a run in its box. What an agent needs stays
// open, by name; everything else is refused, and nothing outside changes.

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { foreword, type Ran } from '../foreword.ts';
import { openScene, type Scene, survivors } from '../sandboxes/scene.ts';
import { triesOf } from '../sandboxes/tries.ts';
import { boxed, contentsOf } from './field.ts';

const AGENT = join(import.meta.dirname, 'try-escapes.mjs');

/** Its service is reached by the network, and the machine's settings are needed for that. */
const NETWORK = [
  ...['connects to a port', "asks the dashboard's port", 'connects to a port over IPv6', 'connects to another machine'],
  ...['connects to an abstract socket', 'resolves a name', 'has a network device', 'reads settings of the machine'],
];
/** Within its own namespace of processes. */
const DEBUGGING = [
  ...['traces a process', 'reads memory of another process', 'writes memory of another process'],
  ...['takes an open file of another process', 'reads the memory of the first process'],
];
/** It is its own checkout, with variables that it needs, and without limits but those of the machine. */
const OWN = ['finds variables', 'reads the settings of git', 'sees many processes', 'sees a file of ours that is open'];
const OPEN = [...NETWORK, ...DEBUGGING, ...OWN];

/** Limits are no part of the box (docs/box.md), and one that kills everything kills the agent that tries. */
const LEFT_OUT = [
  ...['writes a file of 10 GiB', 'reserves more than the limit', 'fills the copy with files', 'makes too many files'],
  ...['fills copy, /tmp and /dev/shm together', 'makes too many folders', 'fills the memory', 'fills shared memory'],
  ...['takes 9 GiB of memory', 'raises its limits', 'raises its priority', 'starts processes without end'],
  ...['leaves a core dump', 'kills everything it can', 'sleeps past its time'],
];

/** What a run makes itself. */
const isOurs = (path: string) =>
  path.startsWith('home/.local') || path.startsWith('own') || /\/\.git\/(refs|logs|objects)/.test(path);

describe('a boxed agent that tries every way out', () => {
  let scene: Scene;
  let ran: Ran;
  let before: Readonly<Record<string, string>>;
  let config: string;
  let names: readonly string[];

  const inHome = (...args: string[]) =>
    foreword([...args, '--config', config], { cwd: scene.tree, env: { HOME: join(scene.base, 'home') } });
  const outcomes = (): readonly { name: string; isOpen: boolean }[] =>
    JSON.parse(readFileSync(join(scene.base, 'own/out/outcomes.json'), 'utf8'));

  beforeAll(async () => {
    scene = await openScene();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: scene.tree });
    git('init', '-q');
    appendFileSync(join(scene.tree, '.git/info/exclude'), '.foreword\nsocket\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    const own = join(scene.base, 'own');
    // Not where a try would find the list itself.
    for (const name of ['out', 'list']) mkdirSync(join(own, name), { recursive: true });
    const tries = triesOf(scene, process.pid).filter(({ name }) => !LEFT_OUT.includes(name));
    names = tries.map(({ name }) => name);
    writeFileSync(
      join(own, 'list/tries.json'),
      JSON.stringify({ tries, reversed: [...scene.secret].reverse().join('') }),
    );
    const command = [process.execPath, AGENT, join(own, 'list/tries.json'), join(own, 'out/outcomes.json')];
    config = join(own, 'config.json');
    const agents = { tries: { oneshot: { command, prompt: 'stdin' } } };
    const run = { confine: 'required', allow: [join(own, 'out')], maxWaitS: 0 };
    writeFileSync(config, JSON.stringify({ lineup: ['tries'], agents, run }));
    const check = { file_exists: 'done.txt' };
    const task = { task_id: 'a', intent: 'a', instructions: 'a', acceptance_criteria: [{ text: 'done', check }] };
    writeFileSync(join(own, 'tasks.json'), JSON.stringify([task]));
    before = contentsOf(scene.base, isOurs);
    ran = await inHome('run', join(own, 'tasks.json'));
  }, 120_000);
  afterAll(() => scene.close());

  boxed('nothing is open but what an agent needs', () => {
    const all = outcomes();
    expect([ran.stderr, all.map(({ name }) => name).sort()]).toEqual(['', [...names].sort()]);
    const open = all.filter(({ isOpen }) => isOpen).map(({ name }) => name);
    expect(open.filter((name) => !OPEN.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThanOrEqual(100);
  });

  boxed('everything outside is the same to the byte, and no process is left', async () => {
    expect(contentsOf(scene.base, isOurs)).toEqual(before);
    expect(await survivors(scene.mark)).toEqual([]);
  });

  boxed('no secret reached the attempt, and it says what was not kept', async () => {
    const { stdout } = await inHome('history', 'a', '--json');
    expect(stdout).not.toContain(scene.secret);
    const [attempt] = JSON.parse(stdout).attempts;
    expect(attempt.box.level).toBe('bubblewrap');
    expect(attempt.box.refused.join('\n')).toMatch(/It wrote ~\/.*which was not kept: its home was private\./);
    expect((await inHome('history', 'a')).stdout).toContain('box: bubblewrap');
  });
});
