import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../kernel/clock.ts';
import type { MeasureOptions } from './measure.ts';
import type { Measurement } from './measurement.ts';
import { knownProgram, readResults } from './results.ts';
import type { TrialPorts } from './trial-workspace.ts';
import { type VerifyHost, type VerifyRequest, verifyAgents } from './verify.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-verify-test-'));
  for (const name of ['claude', 'pi']) {
    writeFileSync(join(folder, name), `#!/bin/sh\n# ${name}\n`);
    chmodSync(join(folder, name), 0o755);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const measured = (agent: string): Measurement => ({
  agent,
  version: '1.0.0',
  at: '2026-11-15T12:00:00.000Z',
  arrivals: { file: { kind: 'not offered' } },
});

/** Every wait is over at once. */
function fastClock(): Clock {
  let now = 0;
  const wait: Clock['wait'] = async (ms) => {
    now += ms;
  };
  return { now: () => now, wait };
}

function field(more: Partial<VerifyRequest> & { readonly host?: Partial<VerifyHost> } = {}) {
  const seen: string[] = [];
  const options: MeasureOptions[] = [];
  const { host, ...request } = more;
  const real: VerifyHost = {
    env: { PATH: folder },
    cwd: join(folder, 'project'),
    stateFolder: join(folder, 'state'),
    command: ['node', 'start.cjs'],
    args: ['verify', 'pi'],
    isolation: {
      isInside: () => true,
      namespace: () => expect.fail('asked for a namespace'),
      run: () => expect.fail('run again'),
    },
    ports: { clock: fastClock() } as TrialPorts,
    measure: async (one) => {
      options.push(one);
      one.onVersion('1.0.0');
      return measured(one.agent.name);
    },
    ...host,
  };
  const done = () =>
    verifyAgents(
      {
        agents: [],
        isKept: false,
        allowsNetwork: false,
        note: (text) => void seen.push(text),
        progress: {
          agent: (name, version) => void seen.push(`${name} ${version ?? '?'}`),
          cannotStart: () => undefined,
          givenUp: () => undefined,
          trying: () => undefined,
          arrived: () => undefined,
        },
        ...request,
      },
      real,
    );
  return { done, seen, options, stateFolder: real.stateFolder };
}

const OUTSIDE = { isInside: () => false, run: async () => 7 };

test('the agents that are installed are measured one after the other, and each result is kept', async () => {
  const { done, seen, options, stateFolder } = field();
  const measurements = [measured('claude'), measured('pi')];
  expect(await done()).toEqual({ measurements, isIsolated: true, isInterrupted: false });
  expect(seen).toEqual(['claude ?', 'claude 1.0.0', 'pi ?', 'pi 1.0.0']);
  expect(readResults(stateFolder)).toEqual({
    format: 1,
    boxed: [],
    measurements,
    programs: ['claude', 'pi'].map((name) => knownProgram(name, '1.0.0', join(folder, name))),
  });
  expect(existsSync(options[0]?.folder ?? expect.fail())).toBe(false);
});

test('scratch folders that are to be kept stay, and their path is reported', async () => {
  const done = await field({ agents: ['pi'], isKept: true }).done();
  const kept = typeof done === 'object' ? (done.kept ?? '') : '';
  expect(existsSync(kept)).toBe(true);
  rmSync(kept, { recursive: true });
});

test('outside of a network of its own everything is run again inside of one', async () => {
  const ran: unknown[] = [];
  const run = async (command: readonly string[]) => ran.push(command) + 6;
  const isolation: VerifyHost['isolation'] = {
    ...OUTSIDE,
    run,
    namespace: () => ({ isAvailable: true, wrap: (command) => ['unshare', ...command] }),
  };
  expect(await field({ host: { isolation } }).done()).toBe(7);
  expect(ran).toEqual([['unshare', 'node', 'start.cjs', 'verify', 'pi']]);
});

test('where agents cannot be kept off the network, only --allow-network goes on', async () => {
  const isolation = { ...OUTSIDE, namespace: () => ({ isAvailable: false, reason: 'no unshare' }) as const };
  await expect(field({ host: { isolation } }).done()).rejects.toMatchObject({ code: 'missing-program' });
  const { done, seen } = field({ agents: ['pi'], allowsNetwork: true, host: { isolation } });
  expect(await done()).toMatchObject({ isIsolated: false, measurements: [measured('pi')] });
  expect(seen[0]).toMatch(/^the agents can reach the network: no unshare\./);
});

test('an interrupted measurement is shown and not kept, and no further agent is tried', async () => {
  const measure = async ({ agent }: MeasureOptions) => {
    process.emit('SIGTERM');
    return measured(agent.name);
  };
  const { done, stateFolder } = field({ host: { measure } });
  expect(await done()).toMatchObject({ isInterrupted: true, measurements: [measured('claude')] });
  expect(readResults(stateFolder).measurements).toEqual([]);
});

test('results that cannot be kept are a note, not a failure', async () => {
  writeFileSync(join(folder, 'taken'), '');
  const { done, seen } = field({ agents: ['pi'], host: { stateFolder: join(folder, 'taken/state') } });
  expect(await done()).toMatchObject({ measurements: [measured('pi')] });
  expect(seen.at(-1)).toMatch(/^the results could not be stored: /);
});
