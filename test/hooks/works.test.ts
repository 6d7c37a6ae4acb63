// Every session saves itself, with the built hook and the built command: what hooks keep of a session, what a killed one left, and
// what the next session is told. Transcripts are made up in the shape of real ones.

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rootPlaces, stateFolder } from '../../src/system/files/project-state.ts';
import { foreword, homeFor, shop } from '../foreword.ts';
import { whyBusy } from './busy.ts';

const HOOK = join(import.meta.dirname, '../../dist/hook/foreword-hook');

let project = '';
let home = '';
beforeEach(async () => {
  project = shop();
  home = homeFor(project);
  await foreword(['save', 'start here'], { cwd: project });
});
afterEach(() => rmSync(dirname(project), { recursive: true, force: true }));

const works = () => rootPlaces(stateFolder({ HOME: home }), project).works;

/** `isKilled`: the process that calls the hook is gone when it ends. A call that its deadline ended is made again: the machine
 *  may be busy, and a claim that was lost counts for two seconds. */
function hook(event: string, agent: string, payload: object, isKilled = false): string {
  const input = JSON.stringify({ cwd: project, ...payload });
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const command = isKilled ? ['sh', '-c', '"$0" "$@"; exit 0', HOOK] : [HOOK];
  const [program = '', ...args] = [...command, event, agent];
  for (let tries = 0; tries < 4; tries += 1) {
    const before = givenUp();
    const ran = spawnSync(program, args, { cwd: project, env, input, encoding: 'utf8' });
    expect(ran.status).toBe(0);
    if (ran.stdout !== '') return JSON.parse(ran.stdout).hookSpecificOutput.additionalContext;
    if (givenUp() === before) return '';
    whyBusy();
    spawnSync('sleep', ['2.1']);
  }
  throw new Error('the machine is too busy for this test');
}

function givenUp(): number {
  const log = join(stateFolder({ HOME: home }), 'hook.log');
  return existsSync(log) ? readFileSync(log, 'utf8').split('given up after').length : 1;
}

function transcript(session: string): string {
  const file = join(home, '.claude/projects/-shop', `${session}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

const user = (content: unknown, more: object = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
const edits = (id: string, path: string) => [
  {
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name: 'Edit', input: { file_path: join(project, path) } }] },
  },
  user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }]),
];

function write(file: string, ...records: readonly object[]): void {
  for (const record of records) appendFileSync(file, `${JSON.stringify(record)}\n`);
}

test('a session that ended is told to the next one, with its prompts to its own agent alone, until it is forgotten', async () => {
  const file = transcript('one');
  hook('session-start', 'claude', { session_id: 'one', transcript_path: file, source: 'startup' });
  write(file, user('add the health route'), ...edits('t1', 'src/server.js'));
  hook('stop', 'claude', { session_id: 'one', transcript_path: file });
  write(file, user('and its test'), ...edits('t2', 'src/server.js'));
  hook('session-end', 'claude', { session_id: 'one', transcript_path: file, reason: 'other' });

  const other = hook('session-start', 'codex', { session_id: 'two', source: 'startup' });
  expect(other).toContain('A session of claude, which ended just now:');
  expect(other).toContain('Edited: src/server.js (2 edits)');
  expect(other).toContain('Prompts of the person: 2, which stay with claude');
  expect(other.indexOf('start here')).toBeLessThan(other.indexOf('A session of claude'));
  const same = hook('session-start', 'claude', { session_id: 'three', source: 'startup' });
  expect(same).toContain('- "add the health route"\n- "and its test"');

  expect((await foreword(['load'], { cwd: project })).stdout).toContain('Edited: src/server.js (2 edits)');
  const loaded = await foreword(['load', '--agent', 'claude'], { cwd: project });
  expect(loaded.stdout).toContain('- "and its test"');
  const lines = (await foreword(['export'], { cwd: project })).stdout.split('\n');
  expect(lines.filter((line) => line.startsWith('{"kind":"work"'))).toHaveLength(1);

  expect((await foreword(['save', '--clear'], { cwd: project })).status).toBe(0);
  const after = await foreword(['load', '--agent', 'claude'], { cwd: project });
  expect(after.stdout).not.toContain('server.js (2');
  expect(after.stdout).not.toContain('start here');
  expect(hook('session-start', 'claude', { session_id: 'four', source: 'startup' })).not.toContain(
    'A session of claude',
  );
  expect((await foreword(['export'], { cwd: project })).stdout).not.toContain('and its test');
});

test('a session that was killed is finished from the transcript that it left, and one that goes on is not mentioned', () => {
  const file = transcript('dead');
  hook('session-start', 'claude', { session_id: 'dead', transcript_path: file, source: 'startup' }, true);
  write(file, user('begin'), ...edits('t1', 'src/killed.js'));
  appendFileSync(file, '{"type":"assistant","message":{"content":[{"ty');
  const alive = transcript('alive');
  hook('session-start', 'claude', { session_id: 'alive', transcript_path: alive, source: 'startup' });
  write(alive, user('begin'), ...edits('t1', 'src/alive.js'));
  hook('stop', 'claude', { session_id: 'alive', transcript_path: alive });

  const told = hook('session-start', 'claude', { session_id: 'next', source: 'startup' });
  expect(told).toContain('A session of claude, which broke off just now:');
  expect(told).toContain('Edited: src/killed.js');
  expect(told).not.toContain('src/alive.js');
});

test('two sessions side by side leave a record each', async () => {
  for (const id of ['left', 'right'])
    hook('session-start', 'claude', { session_id: id, transcript_path: transcript(id), source: 'startup' });
  for (const id of ['left', 'right']) {
    write(transcript(id), user('work'), ...edits('t1', `src/${id}.js`));
    hook('session-end', 'claude', { session_id: id, transcript_path: transcript(id), reason: 'other' });
  }
  const { stdout } = await foreword(['load'], { cwd: project });
  expect(stdout).toContain('Edited: src/left.js');
  expect(stdout).toContain('Edited: src/right.js');
});

test('nothing is kept where it is switched off, of a question, and of a transcript outside the folder of the agent', async () => {
  const outside = join(project, 'mine.jsonl');
  write(outside, user('one'), user('two'), ...edits('t1', 'src/outside.js'));
  hook('session-end', 'claude', { session_id: 'outside', transcript_path: outside, reason: 'other' });
  const asked = transcript('asked');
  write(asked, user('what is this?'));
  hook('session-end', 'claude', { session_id: 'asked', transcript_path: asked, reason: 'other' });
  const { sessions } = JSON.parse((await foreword(['load', '--json'], { cwd: project })).stdout);
  expect(JSON.stringify(sessions)).not.toContain('src/outside.js');
  expect(JSON.stringify(sessions)).not.toContain('what is this');

  rmSync(works(), { recursive: true });
  mkdirSync(join(project, '.foreword'), { recursive: true });
  writeFileSync(join(project, '.foreword/config.yaml'), 'continuity: { auto: false }\n');
  const file = transcript('off');
  write(file, user('one'), ...edits('t1', 'src/off.js'));
  hook('session-start', 'claude', { session_id: 'off', transcript_path: file, source: 'startup' });
  hook('session-end', 'claude', { session_id: 'off', transcript_path: file, reason: 'other' });
  expect(existsSync(works())).toBe(false);
});

test('secrets of the environment and invisible characters are in no file', () => {
  const file = transcript('secret');
  write(file, user('use sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 \u202eplease'), ...edits('t1', 'src/a.js'));
  hook('session-end', 'claude', { session_id: 'secret', transcript_path: file, reason: 'other' });
  const kept = readdirSync(works()).map((name) => readFileSync(join(works(), name), 'utf8'));
  expect(kept.join('')).toContain('please');
  expect(kept.join('')).not.toContain('abcdefghijklmnopqrstuvwxyz');
  expect(kept.join('')).not.toContain('\u202e');
});

test('a transcript that is too long for a hook is finished by the next command', async () => {
  const file = transcript('long');
  const filler = `${JSON.stringify({ type: 'attachment', text: 'x'.repeat(1000) })}\n`.repeat(1000);
  write(file, user('one'), ...edits('t1', 'src/first.js'));
  for (let times = 0; times < 60; times += 1) appendFileSync(file, filler);
  write(file, ...edits('t2', 'src/last.js'));
  hook('session-end', 'claude', { session_id: 'long', transcript_path: file, reason: 'other' });
  const { stdout } = await foreword(['load'], { cwd: project });
  expect(stdout).toContain('src/first.js');
  expect(stdout).toMatch(/src\/last\.js|the end of its transcript/);
});
