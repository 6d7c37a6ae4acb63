// `foreword` alone: the start for newcomers, on a terminal of its own.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foreword, shop } from '../foreword.ts';
import { until } from '../processes/processes.ts';
import { type Seat, sitDown } from '../run/seat.ts';

let project = '';
let home = '';
beforeEach(() => {
  project = shop();
  rmSync(join(project, '.foreword'), { recursive: true });
  home = join(dirname(project), 'home');
  mkdirSync(join(home, 'bin'), { recursive: true });
});
afterEach(() => rmSync(dirname(project), { recursive: true }));

const env = () => ({ HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin`, TMPDIR: dirname(project) });
const sit = (columns = 80, more = {}): Seat =>
  sitDown({ project, folder: home }, [], { columns, rows: 24, env: { ...env(), ...more } });
const text = (seat: Seat): string => [...seat.above(), ...seat.screen()].join('\n');

/** Every file of home and project, with its content. */
function everything(): Readonly<Record<string, string>> {
  const files = [home, project].flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)),
  );
  return Object.fromEntries(files.map((file) => [file, statSync(file).isFile() ? readFileSync(file, 'utf8') : '']));
}

/** Its settings are there and its program is not, so there is nothing to try. */
const useClaude = () => mkdirSync(join(home, '.claude'));

test('one yes, and a person reads what the next session will be told', async () => {
  useClaude();
  const seat = sit();
  await seat.sees('Write this? [y/N]');
  expect(text(seat)).toMatch(/Claude Code +program not found +nothing yet/);
  expect(text(seat)).toMatch(/^What foreword init would change\nhooks +6: Claude Code 6; /m);
  seat.type('y');
  expect(await seat.ended()).toBe(0);
  expect(text(seat)).toMatch(/Your next session in this project will be told \(foreword load\):\n {2}## /);
  expect(text(seat)).toContain('# agent_context');
  expect(text(seat)).not.toMatch(/: \[\]/);
  expect(text(seat)).toMatch(/Next:\n- Start your agent as always/);
  expect(text(seat)).not.toContain('@@');
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain('foreword-hook');
});

test('a key shows the diff; Ctrl-C leaves everything as it was', async () => {
  useClaude();
  const before = everything();
  const seat = sit(44, { NO_COLOR: '1', PAGER: 'cat' });
  await seat.sees('d: show the diff');
  seat.type('d');
  await until('it asks again', () => text(seat).split('d: show the diff').length > 2, 20_000);
  expect(text(seat)).toContain('@@');
  seat.type('\u0003');
  expect(await seat.ended()).toBe(130);
  expect(text(seat)).toContain('foreword: nothing was written.');
  expect(seat.bytes()).not.toContain('\u001b[1m');
  expect(everything()).toEqual(before);
});

test('a y that was typed before the question was shown is no consent, and one behind it is', async () => {
  useClaude();
  const seat = sit();
  await seat.sees('foreword: the context');
  seat.type('y\ry');
  await seat.sees('Write this? [y/N]');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(everything()).not.toHaveProperty([join(home, '.claude/settings.json')]);
  seat.type('n');
  expect(await seat.ended()).toBe(2);
});

test('an agent can be left out at the question, and the diff is shown page by page', async () => {
  useClaude();
  mkdirSync(join(home, '.codex'));
  const seat = sit(100, { PAGER: 'sed s/^/PAGED/' });
  await seat.sees('a: fewer agents');
  seat.type('d');
  await seat.sees(/^PAGED/);
  await until('it asks again', () => text(seat).split('a: fewer agents').length > 2, 20_000);
  seat.type('a');
  await seat.sees('Which of these agents (');
  seat.type('claude\r');
  await until('it asks again', () => text(seat).split('Write this?').length > 3, 20_000);
  seat.type('y');
  expect(await seat.ended()).toBe(0);
  expect(readdirSync(join(home, '.codex'))).toEqual([]);
  expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain('foreword-hook');
});

test('an agent that cannot start is said to be that, and Ctrl-C while it is tried leaves everything as it was', async () => {
  const codex = join(home, 'bin/codex');
  writeFileSync(codex, '#!/bin/sh\n[ "$1" != --version ] || { echo 9.9.9; exit; }\nexit 7\n', { mode: 0o755 });
  const seat = sit(120);
  await seat.sees('cannot start: codex exited before it was ready', 60_000);
  await seat.sees('Write this? [y/N]');
  expect(text(seat)).toContain('Does it reach Codex? (foreword verify codex --quick)');
  seat.type('n');
  expect(await seat.ended()).toBe(2);
  writeFileSync(codex, '#!/bin/sh\n[ "$1" != --version ] || { echo 9.9.9; exit; }\nsleep 60\n');
  const before = everything();
  const again = sit(120);
  await again.sees('trying session start', 60_000);
  again.type('\u0003');
  expect(await again.ended()).toBe(130);
  expect(text(again)).toContain('nothing was changed');
  expect(everything()).toEqual(before);
});

test('without an agent a person learns which there are, and without a terminal it is the help', async () => {
  const seat = sit();
  expect(await seat.ended()).toBe(3);
  expect(text(seat)).toContain('No coding agent was found on this machine.');
  expect(text(seat).replaceAll('\n', '')).toContain('Claude Code, Codex,');
  const piped = await foreword([], { cwd: project, env: env() });
  expect([piped.status, piped.stdout.split('\n')[2]]).toEqual([0, 'Usage: foreword COMMAND [flags]']);
});
