// The folders of the plug-ins as they are built: complete in themselves, and their program runs without a package beside it.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXTENSIONS } from '../src/agents/extensions.ts';

const BUILT = join(import.meta.dirname, '../dist/plugins');
const folder = mkdtempSync(join(tmpdir(), 'foreword-plugins-'));
const project = join(folder, 'project');
const own = join(folder, 'plugins/foreword');
const env = { PATH: process.env.PATH ?? '', HOME: folder };
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasSqlite = major > 22 || (major === 22 && minor >= 13);

beforeAll(() => {
  cpSync(BUILT, join(folder, 'plugins'), { recursive: true });
  mkdirSync(project);
  execFileSync('git', ['init', '-q'], { cwd: project });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every agent with a plug-in has its files, which name nothing outside of the folder', () => {
  const version = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version;
  for (const [agent, facts] of Object.entries(EXTENSIONS)) {
    const parts = { name: 'foreword', version, description: '', entries: () => [], server: () => ['node'] };
    for (const [path, value] of Object.entries(facts.files(parts))) {
      const text = readFileSync(join(BUILT, facts.folder, path), 'utf8');
      if (typeof value === 'string') expect(text, `${agent} ${path}`).toBe(value);
      else expect(JSON.parse(text), `${agent} ${path}`).toBeTypeOf('object');
      expect(text).not.toContain(dirname(BUILT));
      const programs = text.match(/program\/[a-z.-]+/g) ?? [];
      for (const program of programs) expect(existsSync(join(BUILT, facts.folder, program)), program).toBe(true);
    }
    const names = readdirSync(join(BUILT, facts.folder));
    for (const name of ['program', 'skills', 'README.md']) expect(names).toContain(name);
  }
});

test('one agent, one kind of hook file in a folder: what two read by themselves lies in two folders', () => {
  const byFolder = Object.values(EXTENSIONS).map((facts) => facts.folder);
  const reading = byFolder.filter((name) => existsSync(join(BUILT, name, 'hooks/hooks.json')));
  expect(new Set(reading).size).toBe(2);
});

const hook = (event: string, fields: object, cwd = project, program = join(own, 'program/foreword-hook')) =>
  spawnSync('sh', [program, event, 'claude'], {
    cwd,
    env,
    input: JSON.stringify({ session_id: 's1', cwd, ...fields }),
    encoding: 'utf8',
  }).stdout;

test.each(readdirSync(join(BUILT, 'foreword/evals')))('the eval case %s asks for what only our hooks say', (name) => {
  const at = join(own, 'evals', name);
  const { execution, graders } = JSON.parse(readFileSync(join(at, 'case.yaml'), 'utf8'));
  const cwd = join(folder, name);
  mkdirSync(cwd);
  execFileSync('sh', [join(at, 'scaffold.sh')], { cwd, env });
  const told =
    hook('session-start', { source: 'startup' }, cwd) + hook('pre-tool', { tool_name: 'Read', tool_input: {} }, cwd);
  for (const { pattern } of graders) {
    expect(execution.prompt).not.toMatch(new RegExp(pattern));
    expect(told).toMatch(new RegExp(pattern.replace(/\\\..*$/, '')));
  }
});

test('in a project that is off it prints nothing; after its own `on` the next session is told', () => {
  expect(hook('session-start', { source: 'startup' })).toBe('');
  const on = spawnSync(process.execPath, [join(own, 'program/foreword.cjs'), 'on'], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  expect(on.stdout).toContain('foreword is on in');
  expect(readdirSync(project)).toEqual(['.git']);
  expect(hook('session-start', { source: 'startup' })).toContain('[foreword startup fw_');
});

test.each(['the plug-in', 'the command'])('beside init a text is told once, also when %s comes first', (first) => {
  const cwd = join(folder, `beside ${first}`);
  mkdirSync(join(cwd, '.context'), { recursive: true });
  writeFileSync(join(cwd, '.context/CONSTITUTION.md'), '# Constitution\n\nNever push to main.\n');
  execFileSync('git', ['init', '-q'], { cwd });
  const programs = [join(own, 'program/foreword-hook'), join(import.meta.dirname, '../dist/hook/foreword-hook')];
  if (first === 'the command') programs.reverse();
  const both = (event: string, fields: object) =>
    programs.map((program) => hook(event, { session_id: first, ...fields }, cwd, program));
  const [told = '', again] = both('session-start', { source: 'startup' });
  expect(told).toContain('[foreword startup fw_');
  expect(again).toBe('');
  const [gate = '', gateAgain] = both('pre-tool', { tool_name: 'Read', tool_input: {}, tool_use_id: 't1' });
  expect(gate).toContain('Never push to main.');
  expect(gateAgain).toBe('');
});

test('its server answers, and without SQLite it names the cure', () => {
  const calls = ['save', 'context'].map((name, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: name === 'save' ? { summary: 'half way' } : {} },
  }));
  const input = calls.map((call) => `${JSON.stringify(call)}\n`).join('');
  const program = join(own, 'program/foreword.cjs');
  const ran = spawnSync(process.execPath, [program, 'mcp'], { cwd: project, env, input, encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  expect(ran.stdout).toContain('# agent_context');
  expect(ran.stdout).toContain(hasSqlite ? 'Saved for the next session.' : 'Use Node 22.13 or newer');
  if (hasSqlite) expect(ran.stdout).toContain('half way');
});

test('a store that Node cannot read is named in the log, and the files are still told', () => {
  const other = join(folder, 'other');
  mkdirSync(join(other, '.foreword'), { recursive: true });
  writeFileSync(join(other, '.foreword/tasks.yaml'), '- { id: api_health, summary: a health endpoint }\n');
  const command = join(import.meta.dirname, '../dist/command/start.cjs');
  execFileSync(process.execPath, [command, 'save', 'register the route'], { cwd: other, env });
  const input = JSON.stringify({ session_id: 's2', cwd: other, source: 'startup' });
  const words = [join(own, 'program/foreword-hook'), 'session-start', 'claude'];
  const { stdout } = spawnSync('sh', words, { cwd: other, env, input, encoding: 'utf8' });
  expect(stdout).toContain('api_health');
  if (hasSqlite) expect(stdout).toContain('register the route');
  else
    expect(readFileSync(join(folder, '.local/state/foreword/hook.log'), 'utf8')).toContain('Use Node 22.13 or newer');
});
