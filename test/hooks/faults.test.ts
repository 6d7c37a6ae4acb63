// A full disk, markers that pile up, and hooks run without the script.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { continuity } from '../../src/stores/contract/samples.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { onSmallDisk } from '../skipping.ts';
import { type Built, run } from './built.ts';
import { answered, whyBusy } from './busy.ts';
import { contextOf, type Field } from './field.ts';
import { onStage } from './stage.ts';

let built: Built;
let field: Field;
let env: Record<string, string>;
onStage('faults', (stage) => {
  ({ built, field, env } = stage);
});

const GATE = 'Never push to main.';
const payload = (more: object = {}) =>
  JSON.stringify({ session_id: 'ses-1', cwd: field.root, ...more, tool_input: {} });

onSmallDisk('on a full disk the gate prints every time, the others as they can, and all end with 0', () => {
  mkdirSync(field.stateHome);
  writeFileSync(join(field.folder, 'payload'), payload());
  const script = `
      mount -t tmpfs -o size=64k,nr_inodes=$3 tmpfs "$XDG_STATE_HOME" || exit 9
      dd if=/dev/zero of="$XDG_STATE_HOME/fill" bs=1k 2>/dev/null
      for event in pre-tool pre-tool session-start prompt stop pre-compact; do
        "$1" $event claude <"$2" >"$2-$event-$((n += 1))" || exit 8
      done`;
  // With no room for a folder, then with room for some.
  for (const inodes of [2, 3, 6, 12]) {
    const ran = spawnSync(
      'unshare',
      ['-rm', 'sh', '-c', script, 'sh', built.script, join(field.folder, 'payload'), String(inodes)],
      { cwd: field.root, env, encoding: 'utf8' },
    );
    expect(ran.status, ran.stderr).toBe(0);
    const answers = Object.fromEntries(
      readdirSync(field.folder)
        .filter((name) => name.startsWith('payload-'))
        .map((name) => [name, contextOf(readFileSync(join(field.folder, name), 'utf8'))]),
    );
    expect(answers['payload-pre-tool-1']).toContain(GATE);
    if (inodes < 6) expect(answers['payload-pre-tool-2']).toContain(GATE);
  }
});

test('without the script Node reads all of standard input by itself, and does not wait for its end', async () => {
  const hook = (input: readonly string[], args: readonly string[], isLeftOpen = true) =>
    run([process.execPath, join(built.folder, 'hook.cjs')], { cwd: field.root, env, args, input, isLeftOpen });
  const text = payload();
  const first = await hook([text.slice(0, 30), text.slice(30)], ['pre-tool', 'claude']);
  expect(contextOf(first.stdout)).toContain(GATE);
  expect(await hook([text], ['pre-tool', 'claude'])).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(await hook([], ['pre-tool', 'claude'], false)).toMatchObject({ status: 0, stdout: '' });
  const begun = await hook(['{"session_id":"half"'], ['pre-tool', 'claude']);
  expect(begun).toMatchObject({ status: 0, stdout: '' });
  expect(begun.ms).toBeGreaterThan(1350);
  if (begun.ms > 1500) whyBusy();
  expect(field.log()).toContain('given up after 1400 ms');
});

test('what was saved by the last session is printed at the start of the next', async () => {
  mkdirSync(join(field.root, '.foreword'));
  const stores = await openSqliteStores(field.files().store);
  await stores.continuity.append({ ...continuity('c1'), currentTask: 'api_health', nextSteps: ['write the route'] });
  await stores.close();
  const ran = await answered(field, () =>
    run([built.script], {
      cwd: field.root,
      env,
      args: ['session-start', 'codex'],
      input: [payload({ source: 'startup' })],
    }),
  );
  const said = contextOf(ran.stdout);
  expect(said).toContain('## From the last session');
  expect(said).toContain('- write the route');
});

test('marks of sessions that ended long ago are removed, once an hour, by a hook that printed', async () => {
  const old = join(field.places.gate, 'old@0');
  const young = join(field.places.hooks, 'young');
  const days = (count: number) => Date.now() / 1000 - count * 86_400;
  const age = () => {
    for (const [folder, count] of [
      [old, 16],
      [young, 14],
    ] as const) {
      mkdirSync(join(folder, 'done'), { recursive: true });
      utimesSync(folder, days(count), days(count));
    }
  };
  age();
  const call = (session_id: string) =>
    answered(field, () =>
      run([built.script], { cwd: field.root, env, args: ['pre-tool', 'claude'], input: [payload({ session_id })] }),
    );
  await call('one');
  expect(readdirSync(field.places.gate)).toEqual(['one@0']);
  // Of the one that printed, what it printed is kept until a model was given it.
  expect(readdirSync(field.places.hooks)).toEqual(['one', 'young']);
  age();
  await call('two');
  expect(existsSync(old)).toBe(true);
  utimesSync(field.places.swept, days(1), days(1));
  await call('two');
  expect(existsSync(old)).toBe(true);
  await call('three');
  expect(existsSync(old)).toBe(false);
  expect(existsSync(young)).toBe(true);
});

test('a session that goes on for weeks keeps its marks while it reports', async () => {
  const folder = join(field.places.hooks, 'long');
  mkdirSync(join(folder, '0/gate/done'), { recursive: true });
  writeFileSync(join(folder, 'seen.json'), '{}');
  const then = Date.now() / 1000 - 20 * 86_400;
  utimesSync(folder, then, then);
  await run([built.script], { cwd: field.root, env, args: ['pre-tool', 'claude'], input: [payload()] });
  expect(existsSync(folder)).toBe(true);
});

test('compiled code that is missing, damaged or of another file changes nothing, and no hook writes it', async () => {
  const code = join(built.folder, 'hook-main.cjs.code');
  const whole = readFileSync(code);
  const call = async (session_id: string) => {
    const ran = await answered(field, () =>
      run([built.script], { cwd: field.root, env, args: ['pre-tool', 'claude'], input: [payload({ session_id })] }),
    );
    expect(contextOf(ran.stdout)).toContain(GATE);
  };
  try {
    await call('whole');
    const head = whole.subarray(0, whole.indexOf(10) + 1);
    for (const [name, bytes] of [
      ['empty', Buffer.alloc(0)],
      ['noise', Buffer.concat([head, Buffer.from('x'.repeat(5000))])],
      ['half', whole.subarray(0, whole.length / 2)],
      ['other', Buffer.concat([Buffer.from('another build 1\n'), whole.subarray(head.length)])],
    ] as const) {
      writeFileSync(code, bytes);
      await call(name);
      expect(readFileSync(code)).toEqual(bytes);
    }
    rmSync(code);
    await call('missing');
    expect(existsSync(code)).toBe(false);
  } finally {
    writeFileSync(code, whole);
  }
});
