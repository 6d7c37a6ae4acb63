import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProcessEnd } from '../kernel/process.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { TrialBox } from './boxed-turn.ts';
import { readResults } from './results.ts';
import { type BoxesHost, verifyBoxes } from './verify-boxes.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-boxes-test-'));
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\necho "2.1.0 (Claude Code)"\n');
  chmodSync(join(folder, 'claude'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

type Program = Parameters<TrialBox['run']>[0];

const END: ProcessEnd = {
  exitCode: 0,
  signal: null,
  stdout: { text: '', bytes: 0 },
  stderr: { text: '', bytes: 0 },
  durationMs: 1,
};

async function verified(boxes: BoxesHost['boxes']) {
  const lines: string[] = [];
  const host: BoxesHost = {
    env: { PATH: folder },
    cwd: join(folder, 'project'),
    stateFolder: join(folder, 'state'),
    command: ['node', 'start.cjs'],
    args: [],
    isolation: {
      isInside: () => true,
      namespace: () => expect.fail('asked for a namespace'),
      run: () => expect.fail('run again'),
    },
    ports: { clock: manualClock() },
    boxes,
  };
  const done = await verifyBoxes(
    {
      agents: [],
      isKept: false,
      allowsNetwork: false,
      note: (text) => lines.push(text),
      trying: (agent, version) => lines.push(`${agent} ${version}`),
      tried: ({ why }) => lines.push(why ?? 'works'),
    },
    host,
  );
  return { done, lines, stored: readResults(host.stateFolder) };
}

/** A box in which the agent does this. */
const boxed = (act: (program: Program) => Partial<ProcessEnd>): BoxesHost['boxes'] => ({
  open: async () => ({ kind: 'ready', run: async (program) => ({ ...END, ...act(program) }) }),
});

test('an agent that writes its files in the box has passed, and its version is stored', async () => {
  const seen: Program[] = [];
  const { done, lines, stored } = await verified(
    boxed((program) => {
      seen.push(program);
      writeFileSync(join(program.tree, 'written-by-tool.txt'), 'tool');
      writeFileSync(join(program.tree, 'written-by-command.txt'), 'command');
      return {};
    }),
  );
  expect(lines).toEqual(['claude 2.1.0', 'works']);
  const trial = expect.objectContaining({ agent: 'claude', version: '2.1.0' });
  expect(done).toEqual({ trials: [trial], isInterrupted: false });
  expect(stored.boxed).toEqual([trial]);
  expect(stored.boxed?.[0]).not.toHaveProperty('why');
  const [program] = seen;
  expect(program?.request.command[0]).toBe(join(folder, 'claude'));
  // Nothing of the person: a home and a key of our own, and loopback.
  expect(program?.request.env).toMatchObject({ ANTHROPIC_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) });
  expect(program?.request.env.HOME).not.toBe(process.env.HOME);
  expect(existsSync(program?.tree ?? '')).toBe(false);
});

test('an agent that is given the id of its session gets one, as in a run', async () => {
  rmSync(join(folder, 'claude'));
  writeFileSync(join(folder, 'copilot'), '#!/bin/sh\necho 1.0.102\n', { mode: 0o755 });
  const seen: Program[] = [];
  await verified(
    boxed((program) => {
      seen.push(program);
      return {};
    }),
  );
  expect(seen[0]?.request.command.join(' ')).toMatch(/ --session-id=[0-9a-f]{8}-[0-9a-f-]{27} /);
});

test('an agent that cannot has failed, with its last words', async () => {
  const { done, stored } = await verified(
    boxed(({ tree }) => {
      writeFileSync(join(tree, 'written-by-tool.txt'), 'tool');
      return { exitCode: 1, stderr: { text: 'first\nno such namespace\n', bytes: 24 } };
    }),
  );
  const why = 'could not run a command in its box and never called its model: no such namespace';
  expect(done).toMatchObject({ trials: [{ why }] });
  expect(stored.boxed).toMatchObject([{ why }]);
});

test('without a box on the machine nothing is stored', async () => {
  const { done, stored } = await verified({
    open: async () => ({ kind: 'missing', why: 'bubblewrap is not installed' }),
  });
  expect(done).toEqual({ trials: [], missing: 'bubblewrap is not installed', isInterrupted: false });
  expect(stored.boxed ?? []).toEqual([]);
});

test('its scratch folders are gone', async () => {
  const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith('foreword-boxed-'));
  const before = own();
  await verified(boxed(() => ({ exitCode: 1 })));
  expect(own()).toEqual(before);
  expect(readFileSync(join(folder, 'claude'), 'utf8')).toContain('2.1.0');
});
