// `foreword init --team`: the entries that were committed, in the real agents. Without foreword nothing is printed, nothing changes
// and nothing is in the requests; with it on the PATH the model is given the context, once also where init was run too.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { TrialWorkspace } from '../../src/verify/trial-workspace.ts';
import { IS_LONG } from '../scale.ts';
import { AGENTS, COMMAND, calling, marksIn, RealField } from './field.ts';
import { openTrial } from './trial.ts';

/** Those whose entries can be committed. */
const HAVING = AGENTS.filter((name) => ['claude', 'codex', 'gemini', 'copilot', 'qwen'].includes(name));
/** Codex runs a hook only once a person looked at it; whoever vouches for it otherwise says so for one invocation. */
const VOUCHED: Readonly<Record<string, readonly string[]>> = { codex: ['--dangerously-bypass-hook-trust'] };

let field: RealField | undefined;
let trial: TrialWorkspace | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
  await trial?.close();
  trial = undefined;
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

/** Without what differs from run to run, and what Copilot CLI says at the first start in a home. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/^Package extraction took .*\n/m, '')
    .replace(/[0-9a-f-]{8,}|\d+/g, '0')
    .split('\n');
}

/** What these show of any hooks while they run or load them, in a line that is theirs; they never name foreword (docs/team.md). */
const OWN_WORDS: Readonly<Record<string, RegExp>> = {
  claude: /\(running [\w ]*hooks?\b[^)\n]*\)?/g,
  copilot: /Loading: .*\bhooks?\b.*/g,
};
/** Codex and Gemini CLI announce hooks of a project by themselves, and are left out unless they are named. */
const IN_TERMINAL = HAVING.filter((name) => name !== 'codex' && name !== 'gemini');
const PATIENCE_MS = 120_000;
/** A line that is shown for a moment is seen. */
const LOOK_MS = 40;

test.each(IN_TERMINAL)(
  '%s in a terminal without foreword: no line of ours at any moment, no changed file',
  async (name) => {
    const { opened } = await openTrial(name);
    trial = opened;
    const { home, project, env } = opened.scratch;
    opened.write('.context/CONSTITUTION.md', '# Constitution\n\nNever push to main.\n');
    await opened.commit();
    expect(await opened.foreword('init', '--team', '--yes', '--agents', name)).not.toContain('skipped');
    await opened.commit();
    rmSync(join(home, '.local/state/foreword'), { recursive: true, force: true });
    const driver = await opened.openAgent();
    const screens = new Set<string>();
    const looking = setInterval(() => screens.add(opened.shown()), LOOK_MS);
    try {
      await driver.untilReady(PATIENCE_MS);
      opened.model.next(calling(opened.recipe.commandCall('echo one')));
      const at = await driver.submit('Good morning. Run echo one, please.');
      const first = await opened.turn(at, PATIENCE_MS);
      const second = await opened.turn((first?.at ?? 0) + 1, PATIENCE_MS);
      expect(second, opened.shown()).toBeDefined();
      await driver.untilReady(PATIENCE_MS);
    } finally {
      clearInterval(looking);
    }
    // The folders of the test and of the agents' programs have our name.
    const linesOn = (screen: string) => screen.replaceAll(/\S*foreword(-real-|\/lab\/)\S*/g, '').split('\n');
    const naming = (lines: readonly string[]) => lines.filter((line) => /foreword|hook/i.test(line));
    expect(screens.size).toBeGreaterThan(3);
    const all = [...screens].flatMap((screen) => linesOn(screen.replaceAll(OWN_WORDS[name] ?? '', '')));
    expect([...new Set(naming(all))]).toEqual([]);
    expect(naming(linesOn(opened.shown()))).toEqual([]);
    for (const { body } of opened.model.requests())
      expect(JSON.stringify(body)).not.toMatch(/foreword-hook|\[foreword/);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: project, env, encoding: 'utf8' })).toBe('');
  },
);

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
