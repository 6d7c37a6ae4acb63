// A machine on which the hooks find no Node that runs: the agent must not notice, and the log must have the reason.

import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scaled } from '../scale.ts';
import { type Built, onlyPrograms, run } from './built.ts';
import { whyBusy } from './busy.ts';
import type { Field } from './field.ts';
import { onStage } from './stage.ts';

let built: Built;
let field: Field;
let env: Record<string, string>;
onStage('no-node', (stage) => {
  ({ built, field, env } = stage);
});

/** What a call may cost beside one that has nothing to print. */
const MORE_MS = 50;
const CALLS = scaled(300);

const call = async (session: string, FOREWORD_NODE: string, more: Record<string, string> = {}) => {
  const ran = await run([built.script], {
    cwd: field.root,
    env: { ...env, FOREWORD_NODE, ...more },
    args: ['pre-tool', 'claude'],
    input: [JSON.stringify({ session_id: session, cwd: field.root, tool_input: {} })],
  });
  expect(ran).toMatchObject({ status: 0, signal: null, stdout: '', stderr: '' });
  return ran.ms;
};

const nodeThat = (body: string, mode = 0o755): string => {
  const path = join(field.folder, 'node');
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, mode);
  return path;
};

const withoutNode = () => ({
  PATH: onlyPrograms(join(field.folder, 'bin'), ['dd', 'mkdir', 'date', 'touch', 'wc', 'sleep']),
});

const median = (all: readonly number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

/** As quick as a call that prints nothing, give or take; on a machine that is too busy for that, not stalled. */
function expectQuick(times: readonly number[], silent: readonly number[]): void {
  const most = Math.max(...silent) + MORE_MS;
  if (Math.max(...times) > most) whyBusy();
  expect(median(times)).toBeLessThan(median(silent) + MORE_MS);
  expect(Math.max(...times)).toBeLessThan(1400);
}

test.each([
  ['exits with 1', () => ({ path: nodeThat('exit 1'), more: {} })],
  ['writes something and exits with 1', () => ({ path: nodeThat('echo broken >&2; exit 1'), more: {} })],
  ['is missing', () => ({ path: '/nowhere/node', more: withoutNode() })],
  ['is not executable', () => ({ path: nodeThat('exit 1', 0o644), more: withoutNode() })],
  ['cannot be started', () => ({ path: nodeThat('#'), more: withoutNode() })],
])('a Node that %s costs no call more than a silent one and 50 ms', async (why, prepare) => {
  const { path, more } = prepare();
  if (why === 'cannot be started') writeFileSync(path, '\u007fELF no program');
  mkdirSync(join(field.places.gate, 'known@0/done'), { recursive: true, mode: 0o700 });
  const silent: number[] = [];
  const times: number[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    silent.push(await call('known', path, more));
    times.push(await call(`session-${index}`, path, more));
  }
  expectQuick(times, silent);
  expect(field.log()).toMatch(/cannot be run|ended with/);
});

test('a Node that fails is started three times for a context, and then once a minute', async () => {
  const starts = join(field.folder, 'starts');
  const path = nodeThat(`echo x >> '${starts}'; exit 1`);
  for (let index = 0; index < scaled(200); index += 1) await call('one', path);
  const { length } = readStarts(starts);
  expect(length).toBe(3);
  expect(field.log().match(/ended with 1/g)).toHaveLength(3);
  expect(readdirSync(field.places.gate)).toEqual(['one@0']);
});

test('a Node that hangs keeps three calls for 1.5 seconds, and then one a minute', async () => {
  const path = nodeThat('exec sleep 60');
  const times: number[] = [];
  for (let index = 0; index < 12; index += 1) times.push(await call('one', path));
  expect(times.filter((ms) => ms > 1400)).toHaveLength(3);
  expect(times.slice(0, 3).every((ms) => ms > 1400)).toBe(true);
  expect(field.log().match(/given up after 1500 ms/g)).toHaveLength(3);
});

function readStarts(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trim().split('\n');
}
