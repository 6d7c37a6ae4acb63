import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Agent } from '../kernel/agent.ts';
import { measurementsOfInstalled, measurementsOfVersions } from './known-measurements.ts';
import type { Measurement } from './measurement.ts';
import { keepResults, knownProgram, readResults } from './results.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-known-'));
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\n');
  chmodSync(join(folder, 'claude'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true }));

const machine = () => ({ stateFolder: join(folder, 'state'), path: folder, cwd: join(folder, 'project') });
const CLAUDE = { name: 'claude', interactive: { command: ['claude'] } } as unknown as Agent;
const measured = (version: string, day: string): Measurement => ({
  agent: 'claude',
  version,
  at: `2026-11-${day}T12:00:00.000Z`,
  arrivals: {},
});

function keep(...measurements: readonly Measurement[]): void {
  keepResults(machine().stateFolder, { measurements });
}

test('the measurement of the installed version is found, whatever is newer', () => {
  keep(measured('1.0.0', '01'), measured('2.0.0', '02'));
  expect(measurementsOfVersions([CLAUDE], { claude: '1.0.0 (Claude Code)' }, machine())).toEqual([
    { ...measured('1.0.0', '01'), isStale: false },
  ]);
});

test('without one of that version the newest of another is stale', () => {
  keep(measured('2.0.0', '02'), measured('1.0.0', '01'));
  expect(measurementsOfVersions([CLAUDE], { claude: '3.0.0' }, machine())).toEqual([
    { ...measured('2.0.0', '02'), isStale: true },
  ]);
});

test('an agent that prints no version has no measurement', () => {
  keep(measured('1.0.0', '01'));
  expect(measurementsOfVersions([CLAUDE], { claude: 'unknown' }, machine())).toEqual([]);
  expect(readResults(machine().stateFolder).programs).toEqual([]);
});

test('without starting a program, only a known program shows which measurement is of the installed version', () => {
  keep(measured('1.0.0', '01'), measured('2.0.0', '02'));
  const isInstalled = () => measurementsOfInstalled([CLAUDE], machine()).map((one) => one.isInstalled);
  expect(isInstalled()).toEqual([undefined, undefined]);
  const known = knownProgram('claude', '2.0.0', join(folder, 'claude'));
  keepResults(machine().stateFolder, { programs: known === undefined ? [] : [known] });
  expect(isInstalled()).toEqual([false, true]);
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\n# another version\n');
  expect(isInstalled()).toEqual([undefined, undefined]);
});
