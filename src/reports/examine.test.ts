import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Agent } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import { type ExamineProbes, type ExamineRequest, examine } from './examine.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-examine-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const agent = (name: string) => ({ name, oneshot: { command: [name] }, env: [], errors: [] }) as unknown as Agent;

function program(name: string, line: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(folder, name), 0o755);
}

function request(installed: readonly string[]): ExamineRequest {
  return {
    root: join(folder, 'project'),
    lineup: ['one'],
    env: { PATH: folder },
    agents: [agent('one'), agent('two'), agent('three')],
    installed: new Set(installed),
    stateFolder: join(folder, 'state'),
    clock: { now: () => 0 },
  };
}

const PROBES: ExamineProbes = {
  sandbox: async () => ({ kind: 'missing', reason: 'none here', hint: '' }),
  box: async () => ({ level: 'none: not looked for', agents: {} }),
  store: async () => ({ kind: 'memory', level: 'volatile', detail: 'nothing yet' }),
  state: () => ({ gone: [] }),
  hooks: async () => [],
  contextFiles: () => [],
  plugIns: async () => ({ plugIns: [], own: '0.2.0' }),
  hookNode: () => undefined,
  measured: () => [],
  absences: () => ['no namespaces'],
  openTerminal: async () => ({ onExit: (listener) => listener({ status: 0 }) }),
};

test('installed agents are asked for their version; the first line they print counts', async () => {
  program('one', 'echo one 1.2.3; echo more');
  program('two', 'echo broken >&2; exit 1');
  program('three', 'echo never asked');
  const asked: unknown[] = [];
  const measured = (versions: unknown) => {
    asked.push(versions);
    return [];
  };
  const found = await examine(request(['one', 'two']), { ...PROBES, measured });
  expect(found.versions).toEqual({ one: 'one 1.2.3', two: 'unknown' });
  expect(asked).toEqual([found.versions]);
  expect(found.agents).toEqual(['one', 'two']);
  expect(found.absences).toEqual(['no namespaces']);
});

test('tmux is listed with its version, or with what needs it', async () => {
  expect((await examine(request([]), PROBES)).tmux).toBe('not installed: --tmux and --detach need it');
  program('tmux', 'test "$1" = -V && echo tmux 3.4');
  expect((await examine(request([]), PROBES)).tmux).toBe('tmux 3.4');
});

test('a store or a terminal that fails is a finding and stops nothing', async () => {
  const found = await examine(request(['one']), {
    ...PROBES,
    store: async () => {
      throw new ForewordError('store-unreachable', 'No server.', { hint: 'Start it.' });
    },
    openTerminal: async () => {
      throw new Error('no native part');
    },
  });
  expect(found.store).toEqual({ kind: 'unknown', level: 'unknown', detail: 'No server. Start it.' });
  expect(found.terminal).toBe('cannot be opened: no native part');
  expect(found.problems).toContain('No server. Start it.');
});
