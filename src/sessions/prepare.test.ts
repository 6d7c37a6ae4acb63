import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Interactive } from '../kernel/agent.ts';
import { sha256 } from '../system/sha256.ts';
import { fakeAgent, fakePlace, fakeProject, temporaryFolder } from '../testing/fake-session.ts';
import { noteOf } from './places.ts';
import { type PrepareParts, prepareSession } from './prepare.ts';

const REQUEST = { agent: 'mine', args: ['--fast'], hasContext: true, isUnattended: false, config: undefined };

/** A project and a machine on which the agent is installed. */
function field(more: Partial<Interactive> = {}) {
  const project = fakeProject();
  const bin = temporaryFolder();
  const program = join(bin, 'mine');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const parts: PrepareParts = {
    project,
    agents: () => [fakeAgent(more)],
    env: { PATH: bin, HOME: bin },
    startupText: async () => 'where we were',
    measured: () => undefined,
    installedHooks: async () => [],
    server: (root) => ['foreword', 'mcp', '--cwd', root],
    hooks: { script: '/opt/hook', quote: (word) => word, plugIn: () => '', sha256 },
  };
  return { parts, project, program, place: fakePlace() };
}

describe('preparing a session', () => {
  test("puts the person's arguments after the agent's own, and sets where the session is", async () => {
    const { parts, program, place } = field();
    const prepared = await prepareSession(parts, REQUEST, place);
    expect(prepared).toMatchObject({
      id: 's1',
      command: [program, '--tui', '--fast'],
      startup: {
        text: expect.stringMatching(/^where we were\n\n/),
        ladder: ['typed', 'file', 'notice'],
        launched: undefined,
      },
      required: 'submitted',
    });
    expect(prepared.env).toMatchObject({ FOREWORD_SESSION: 's1', FOREWORD_SOCKET: join(place.folder, 'socket') });
  });

  test('notes how it was started, for a host that takes the session over', async () => {
    const { parts, project, place } = field();
    await prepareSession(parts, { ...REQUEST, config: 'my.yaml' }, place);
    const { root, cwd } = project;
    const commandWord = expect.stringMatching(/^[0-9a-f]{6}$/);
    expect(noteOf(place)).toEqual({
      root: realpathSync(root),
      cwd,
      config: join(cwd, 'my.yaml'),
      commandWord,
      hasHooks: false,
    });
    expect(statSync(place.note).mode & 0o777).toBe(0o600);
  });

  test('gives the word for commands only to an agent whose own reply cannot be told from a file it shows', async () => {
    const { parts, place } = field();
    const { startup, commandWord = '?' } = await prepareSession(parts, REQUEST, place);
    expect(startup?.text).toContain(`Put ${commandWord} for WORD`);
    const served = field({ proofs: ['submitted', 'served'] });
    const prepared = await prepareSession(served.parts, REQUEST, served.place);
    expect(prepared).not.toHaveProperty('commandWord');
    expect(prepared.startup?.text).toMatch(/^where we were\n\n.*->continuity:save <<<text or JSON>>>/);
  });

  test('without a context composes none', async () => {
    const { parts, place } = field();
    const startupText = () => Promise.reject(new Error('composed'));
    const prepared = await prepareSession({ ...parts, startupText }, { ...REQUEST, hasContext: false }, place);
    expect(prepared).not.toHaveProperty('startup');
  });

  test('an agent that is not installed is refused before anything is written', async () => {
    const { parts, place } = field();
    await expect(prepareSession({ ...parts, env: { PATH: '/nowhere' } }, REQUEST, place)).rejects.toMatchObject({
      code: 'missing-program',
      message: 'mine is not installed: there is no mine on the PATH.',
    });
  });

  test('the hook channel leaves its text and our hooks in private files', async () => {
    const hook = { firesAt: 'launch', file: { name: 'in/hooks.json', content: '{command session-start}' } } as const;
    const { parts, place } = field({ ladder: ['hook', 'typed'], launch: { hook } });
    const { env, startup } = await prepareSession(parts, REQUEST, place);
    const context = join(place.folder, 'context.json');
    expect(env.FOREWORD_CONTEXT_FILE).toBe(context);
    expect(startup?.launched).toBe('hook');
    expect(JSON.parse(readFileSync(context, 'utf8'))).toEqual({
      id: startup?.id,
      text: expect.stringContaining('where we were'),
      commands: expect.stringContaining('->continuity:save'),
    });
    expect(statSync(context).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(place.folder, 'in/hooks.json'), 'utf8')).toBe('exec /opt/hook session-start mine');
  });

  test('hooks that are installed carry the text for an agent that takes none at its launch', async () => {
    const { parts, place } = field({ ladder: ['hook', 'typed'] });
    const launchedBy = async (states: Awaited<ReturnType<PrepareParts['installedHooks']>>) => {
      const { startup, env } = await prepareSession({ ...parts, installedHooks: async () => states }, REQUEST, place);
      return [startup?.launched, env.FOREWORD_CONTEXT_FILE !== undefined];
    };
    expect(await launchedBy([{ agent: 'mine', state: 'in place' }])).toEqual(['hook', true]);
    expect(await launchedBy([{ agent: 'other', state: 'in place' }])).toEqual([undefined, false]);
    expect(await launchedBy([{ agent: 'mine', state: 'stale' }])).toEqual([undefined, false]);
    expect(await launchedBy([{ agent: 'mine', state: 'in place', detail: 'they do not run' }])).toEqual([
      undefined,
      false,
    ]);
  });

  test("the person's own prompt stays theirs, and what ends their options ends ours too", async () => {
    const hook = { firesAt: 'launch', args: ['--hooks', '{folder}'] } as const;
    const launch = { prompt: ['--', '{text}'], hook, own: { values: ['--model'], resumes: ['--resume'] } };
    const { parts, place, program } = field({ ladder: ['flag', 'typed'], launch });
    const commandOf = async (args: readonly string[]) => {
      const { command, startup } = await prepareSession(parts, { ...REQUEST, args }, place);
      return [startup?.launched, ...command.slice(2).map((word) => (word.includes('where we were') ? 'OURS' : word))];
    };
    expect(program).toMatch(/mine$/);
    const hooks = ['--hooks', place.folder];
    expect(await commandOf(['fix it'])).toEqual([undefined, 'fix it', ...hooks]);
    expect(await commandOf(['--', '-x'])).toEqual([undefined, ...hooks, '--', '-x']);
    expect(await commandOf(['--resume'])).toEqual([undefined, '--resume', ...hooks]);
    expect(await commandOf(['--model', 'big'])).toEqual(['flag', '--model', 'big', ...hooks, '--', 'OURS']);
  });

  test('an instruction file that the launch must name is made, empty, and named', async () => {
    const { parts, project, program, place } = field();
    const aider = { ...fakeAgent(), name: 'aider' };
    const given = { ...parts, agents: () => [aider] };
    mkdirSync(join(project.root, '.foreword'));
    const { command } = await prepareSession(given, { ...REQUEST, agent: 'aider' }, place);
    const file = command.at(-1) ?? '';
    expect(command.slice(0, 3)).toEqual([program, '--tui', '--fast']);
    expect(file.startsWith(join(project.root, '.foreword/'))).toBe(true);
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('');
  });
});
