// `foreword init --team`: the entries that were committed, in the real agents. Without foreword nothing is printed, nothing changes
// and nothing is in the requests; with it on the PATH the model is given the context, once also where init was run too.

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { IS_LONG } from '../scale.ts';
import { AGENTS, COMMAND, calling, marksIn, RealField } from './field.ts';

/** Those whose entries can be committed. */
const HAVING = AGENTS.filter((name) => ['claude', 'codex', 'gemini', 'copilot', 'qwen'].includes(name));
/** Codex runs a hook only once a person looked at it; whoever vouches for it otherwise says so for one invocation. */
const VOUCHED: Readonly<Record<string, readonly string[]>> = { codex: ['--dangerously-bypass-hook-trust'] };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

/** A clone with the committed entries, and nothing of foreword on the machine. */
async function clone(name: string): Promise<RealField> {
  const of = await RealField.make(name, [], { isBare: true });
  field = of;
  mkdirSync(join(of.scratch.project, '.context'));
  writeFileSync(join(of.scratch.project, '.context/CONSTITUTION.md'), '# Constitution\n\nNever push to main.\n');
  const { stdout } = await of.must('init', '--team', '--yes', '--agents', name);
  expect(stdout).not.toContain('skipped');
  of.git('add', '.');
  of.git('-c', 'user.name=lab', '-c', 'user.email=lab@example.com', 'commit', '-qm', 'team');
  rmSync(join(of.scratch.home, '.local/state/foreword'), { recursive: true });
  return of;
}

/** As npm links the programs of a package that is installed globally. */
function installed(of: RealField): string {
  const bin = join(of.scratch.home, 'npm/bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(COMMAND, join(bin, 'foreword'));
  symlinkSync(join(COMMAND, '../../hook/foreword-hook'), join(bin, 'foreword-hook'));
  return `${bin}:${of.scratch.env.PATH}`;
}

const prompt = (of: RealField, name: string, env: Readonly<Record<string, string>> = {}) => {
  of.next(calling(of.recipe.commandCall('echo one')));
  return of.beside(name).oneshot('Good morning. Run echo one, please.', VOUCHED[name] ?? [], env);
};

/** What Gemini CLI itself says of new hooks in a project, once. */
const ANNOUNCED = /WARNING: The following project-level hooks.*?and remove them\.\n+/s;

test.each(HAVING)('%s without foreword: not a word on the screen or in the requests, no changed file', async (name) => {
  const of = await clone(name);
  if (IS_LONG) of.git('checkout', '-q', 'HEAD~1');
  const before = IS_LONG ? await prompt(of, name) : undefined;
  if (IS_LONG) of.git('checkout', '-q', '-');
  const { status, stdout, stderr } = await prompt(of, name);
  expect(status, stdout + stderr).toBe(0);
  expect(of.turns().length).toBeGreaterThan(1);
  const words = stderr.replace(name === 'gemini' ? ANNOUNCED : '', '');
  expect(stdout + words).not.toMatch(/foreword-hook|\[foreword|command -v|hook.{0,20}(fail|error)/i);
  if (before !== undefined) expect(linesOf(words)).toEqual(linesOf(before.stderr));
  for (const { body } of of.model.requests()) expect(JSON.stringify(body)).not.toMatch(/foreword-hook|\[foreword/);
  expect(of.git('status', '--porcelain')).toBe('');
});

/** Without what differs from run to run. */
function linesOf(text: string): readonly string[] {
  return text.replace(/[0-9a-f-]{8,}|\d+/g, '0').split('\n');
}

test.each(HAVING)('%s with foreword on the PATH: start and first tool are given once, with init too', async (name) => {
  const of = await clone(name);
  const PATH = installed(of);
  const told: unknown[] = [];
  for (const isInit of IS_LONG ? [false, true] : [false]) {
    if (isInit) await of.must('init', '--yes', '--agents', name);
    const { status, stdout, stderr } = await prompt(of, name, { PATH });
    expect(status, stdout + stderr).toBe(0);
    const last = of.turns().at(-1);
    told.push([marksIn(last, 'startup').length, marksIn(last, 'gate').length]);
  }
  expect(told).toEqual(told.map(() => [1, 1]));
});
