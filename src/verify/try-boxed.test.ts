import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AGENTS } from '../agents/index.ts';
import type { Agent } from '../kernel/agent.ts';
import type { ProcessRequest, RunProcess } from '../kernel/process.ts';
import { boxDataOf } from './box-data.ts';
import { type BoxedTrial, keepResults, knownProgram } from './results.ts';
import { boxTrials } from './try-boxed.ts';

const codex = AGENTS.find(({ name }) => name === 'codex') ?? expect.fail();
const aider = AGENTS.find(({ name }) => name === 'aider') ?? expect.fail();

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-try-'));
  mkdirSync(join(folder, 'bin'));
  write('codex', '#!/bin/sh\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, 'bin', name), text);
  chmodSync(join(folder, 'bin', name), 0o755);
}

/** Trials whose process stores `stored`, if anything. */
function trials(stored?: Partial<BoxedTrial>) {
  const started: ProcessRequest[] = [];
  const trying: string[] = [];
  const stateFolder = join(folder, 'state');
  const run: RunProcess = async (request) => {
    started.push(request);
    request.onLine?.('codex 1.2.3: trying it in its box', 'stderr');
    const known = knownProgram('codex', '1.2.3', join(folder, 'bin/codex'));
    const trial = {
      agent: 'codex',
      version: '1.2.3',
      at: '2026-11-15T12:00:00.000Z',
      data: boxDataOf(codex),
      ms: 900,
    };
    if (stored !== undefined)
      keepResults(stateFolder, { boxed: [{ ...trial, ...stored }], programs: known ? [known] : [] });
    return {
      exitCode: 0,
      signal: null,
      stdout: { text: '', bytes: 0 },
      stderr: { text: '', bytes: 0 },
      durationMs: 1,
    };
  };
  const tryBoxed = boxTrials(run, {
    env: { PATH: join(folder, 'bin'), KEY: 'k' },
    cwd: join(folder, 'project'),
    stateFolder,
    command: ['node', 'start.cjs'],
  });
  const ask = (agent: Agent) => tryBoxed(agent, async (version) => void trying.push(version));
  return { ask, started, trying };
}

test('an agent is tried once per version, and a person hears when it begins', async () => {
  const { ask, started, trying } = trials({});
  expect(await ask(codex)).toEqual({ kind: 'passed' });
  expect(await ask(codex)).toEqual({ kind: 'passed' });
  expect(started.map(({ command }) => command)).toEqual([
    ['node', 'start.cjs', 'verify', 'codex', '--boxed', '--allow-network', '--json'],
  ]);
  expect(trying).toEqual(['1.2.3']);
  write('codex', '#!/bin/sh\n# another version\n');
  await ask(codex);
  expect(started).toHaveLength(2);
});

test('an agent that failed has failed until it or its data change', async () => {
  const { ask, started } = trials({ why: 'could not write a file in its box' });
  const failed = { kind: 'failed', why: 'could not write a file in its box' };
  expect([await ask(codex), await ask(codex)]).toEqual([failed, failed]);
  expect(started).toHaveLength(1);
});

test('a trial with other data says nothing', async () => {
  const { ask } = trials({ data: 'of an older foreword' });
  expect(await ask(codex)).toEqual({ kind: 'untried' });
});

test('arguments that a person added make no other trial', async () => {
  const { ask, started } = trials({});
  await ask(codex);
  const boxed = { command: [...(codex.oneshot?.boxed?.command ?? []), '--model', 'x'] as [string, ...string[]] };
  await ask({ ...codex, oneshot: { ...(codex.oneshot ?? expect.fail()), boxed } });
  expect(started).toHaveLength(1);
});

test('what cannot be tried the same way is not tried', async () => {
  const { ask, started } = trials({});
  const own: Agent = { ...codex, name: 'mine' };
  const elsewhere: Agent = { ...codex, oneshot: { ...(codex.oneshot ?? expect.fail()), command: ['my-codex'] } };
  const other: Agent = { ...codex, box: { writable: ['~/.codex/'] } };
  for (const agent of [own, elsewhere, other, aider]) expect(await ask(agent)).toEqual({ kind: 'untried' });
  rmSync(join(folder, 'bin/codex'));
  expect(await ask(codex)).toEqual({ kind: 'untried' });
  expect(started).toEqual([]);
});

test('a trial that could not be made says nothing against the box', async () => {
  const { ask } = trials();
  expect(await ask(codex)).toEqual({ kind: 'untried' });
});
