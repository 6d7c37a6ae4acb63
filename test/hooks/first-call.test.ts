// The first use of a tool, many times at the same moment, and with the one that prints killed on its way.

import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scaled } from '../scale.ts';
import { type Built, run } from './built.ts';
import { givenUp, whyBusy } from './busy.ts';
import { contextOf, type Field } from './field.ts';
import { onStage } from './stage.ts';

let built: Built;
let field: Field;
let env: Record<string, string>;
onStage('first-call', (stage) => {
  ({ built, field, env } = stage);
});

const GATE = 'Never push to main.';
const payload = (session: string, more: object = {}) =>
  JSON.stringify({ session_id: session, cwd: field.root, ...more, tool_input: { command: 'ls' } });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As many at once as the machine can; returns what each printed. */
function together(count: number, input: string): readonly string[] {
  const folder = join(field.folder, 'answers');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const file = join(field.folder, 'payload.json');
  writeFileSync(file, input);
  const script = 'n=$1; while [ "$n" -gt 0 ]; do "$2" pre-tool claude <"$3" >"$4/$n" & n=$((n - 1)); done; wait';
  const ran = spawnSync('sh', ['-c', script, 'sh', String(count), built.script, file, folder], {
    cwd: field.root,
    env,
  });
  expect(ran.status).toBe(0);
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** Of these calls exactly one prints; on a machine so busy that its deadline ended it, one of the next. */
async function expectOne(count: number, input: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const before = givenUp(field);
    const answers = together(tries === 0 ? count : 4, input);
    const said = answers.filter((text) => text !== '');
    if (said.length === 0 && givenUp(field) > before && tries < 3) {
      whyBusy();
      await pause(2100);
      continue;
    }
    expect(said).toHaveLength(1);
    expect(contextOf(said[0] ?? '')).toContain(GATE);
    return;
  }
}

test('of 64 calls at the same moment exactly one prints', async () => {
  for (let round = 0; round < scaled(200); round += 1) await expectOne(64, payload(`round-${round}`));
});

test('and only that one starts Node', async () => {
  const node = join(field.folder, 'counted-node');
  const starts = join(field.folder, 'starts');
  writeFileSync(node, `#!/bin/sh\necho x >> '${starts}'\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  env.FOREWORD_NODE = node;
  // On a machine so busy that the one needs more than a second, others ask Node whether it is dead.
  for (let round = 0; round < 20; round += 1) {
    const begun = performance.now();
    rmSync(starts, { force: true });
    await expectOne(64, payload(`counted-${round}`));
    if (performance.now() - begun > 1000 && round < 19) continue;
    expect(readFileSync(starts, 'utf8')).toBe('x\n');
    return;
  }
});

test('so it is among calls that the script leaves to Node', async () => {
  for (let round = 0; round < scaled(20); round += 1)
    await expectOne(12, JSON.stringify(JSON.parse(payload(`pretty-${round}`)), null, 2));
});

test('and among calls of both kinds', () => {
  const hidden = { x: 'y'.repeat(5000) };
  const both = [payload('both'), payload('both', hidden)];
  const file = join(field.folder, 'payload');
  for (const [index, text] of both.entries()) writeFileSync(`${file}-${index}`, text);
  const script = 'for n in 1 2 3 4 5 6; do for k in 0 1; do "$1" pre-tool claude <"$2-$k" & done; done; wait';
  const ran = spawnSync('sh', ['-c', script, 'sh', built.script, file], { cwd: field.root, env, encoding: 'utf8' });
  if (ran.stdout === '' && givenUp(field) > 0) {
    whyBusy();
    return;
  }
  expect(ran.stdout.trim().split('\n')).toHaveLength(1);
  expect(contextOf(ran.stdout)).toContain(GATE);
});

/** A call in a process group of its own. */
function start(session: string, name: string, more: Readonly<Record<string, string>> = {}) {
  const out = openSync(join(field.folder, `out-${name}`), 'w');
  const child = spawn(built.script, ['pre-tool', 'claude'], {
    cwd: field.root,
    env: { ...env, ...more },
    detached: true,
    stdio: ['pipe', out, 'ignore'],
  });
  closeSync(out);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(payload(session));
  const ended = new Promise((resolve) => child.on('close', resolve));
  return {
    kill: async () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
      await ended;
    },
    ended,
    isGroupThere: () => {
      try {
        return process.kill(-(child.pid ?? 0), 0);
      } catch {
        return false;
      }
    },
    hasSpoken: () => statSync(join(field.folder, `out-${name}`)).size > 0,
  };
}

test('a call that is killed after its claim and before it printed is made up for by exactly one more, after two seconds', async () => {
  const node = join(field.folder, 'slow-node');
  writeFileSync(node, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
  const first = start('killed', 'first', { FOREWORD_NODE: node });
  const claim = join(field.places.gate, 'killed@0');
  for (let tries = 0; statSync(claim, { throwIfNoEntry: false }) === undefined && tries < 500; tries += 1)
    await pause(10);
  await first.kill();
  const call = async () =>
    (await run([built.script], { cwd: field.root, env, args: ['pre-tool', 'claude'], input: [payload('killed')] }))
      .stdout;
  const claimedAt = statSync(claim).mtimeMs;
  const early = await call();
  if (Date.now() - claimedAt < 1900) expect(early).toBe('');
  else whyBusy();
  await pause(Math.max(0, claimedAt + 2050 - Date.now()));
  if (early === '') await expectOne(16, payload('killed'));
  expect(await call()).toBe('');
});

test('no process of a call is left when it ends, whether it printed or its deadline ended it', async () => {
  const hung = join(field.folder, 'hung-node');
  writeFileSync(hung, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
  for (const [session, more] of [
    ['printed', {}],
    ['hung', { FOREWORD_NODE: hung }],
  ] as const) {
    const call = start(session, session, more);
    await call.ended;
    expect(call.isGroupThere()).toBe(false);
  }
});

test('killed at any moment: nothing is lost, and it is printed twice only where it was printed before the kill', async () => {
  const count = scaled(500);
  const killed: { readonly session: string; readonly hadSpoken: boolean }[] = [];
  for (let index = 0; index < count; index += 1) {
    const session = `any-${index}`;
    const call = start(session, session);
    await pause(Math.random() * 160);
    await call.kill();
    killed.push({ session, hadSpoken: call.hasSpoken() });
  }
  await pause(2100);
  for (const { session, hadSpoken } of killed) {
    if (hadSpoken) expect(together(4, payload(session)).filter((text) => text !== '').length).toBeLessThanOrEqual(1);
    else await expectOne(4, payload(session));
    expect(together(1, payload(session))).toEqual(['']);
  }
  // Otherwise the moments were badly chosen, and nothing was tried.
  expect(killed.some(({ hadSpoken }) => !hadSpoken)).toBe(true);
});
