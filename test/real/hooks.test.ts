// The hooks that `foreword init` puts into a home, heard by the real agents: what the model was given at the start of the
// session and at the first tool use, once each, and a home that is as before afterwards.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AGENTS, CONTEXT_FILES, calling, figure, marksIn, RealField, timesGiven } from './field.ts';
import { eachAgent } from './offered.ts';

/** A settings file as a person may have it, with a hook of another tool and formatted by no tool of ours. */
const OTHERS: Readonly<Record<string, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
};
const OTHERS_TEXT = '{"hooks" :{"SessionStart":[ {"hooks":[{"type":"command",\t"command":"true","timeout":10}]}\n]}}';

/** Codex runs a hook only once a person looked at it; whoever vouches for it otherwise says so for one invocation. */
const VOUCHED: Readonly<Record<string, readonly string[]>> = { codex: ['--dangerously-bypass-hook-trust'] };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent('%s is given the startup context and the gate once each, and uninstall leaves no trace', async (name) => {
  field = await RealField.make(name);
  const { home, project } = field.scratch;
  const others = OTHERS[name];
  if (others !== undefined) {
    mkdirSync(dirname(join(home, others)), { recursive: true });
    writeFileSync(join(home, others), OTHERS_TEXT);
  }
  // At its first start an agent may rewrite its settings in its own way; what is compared are the files after that.
  await field.oneshot('Good morning.');
  field.model.reset();
  const before = hashes(home);
  await field.must('init', '--yes', '--agents', name);
  const installed = hashes(home);
  const touched = [...new Set([...before.keys(), ...installed.keys()])].filter(
    (path) => before.get(path) !== installed.get(path),
  );
  expect(touched).not.toEqual([]);

  field.next(
    calling(field.recipe.commandCall('echo one')),
    calling(field.recipe.fileCall(join(project, 'made.txt'), 'made')),
  );
  const startedAt = Date.now();
  const ran = await field.oneshot('Make the file.', VOUCHED[name]);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('made');

  const turns = field.turns();
  expect(turns).toHaveLength(3);
  const last = turns.at(-1);
  const [startup = '', ...moreStartups] = marks(turns, 'startup');
  const [gate = '', ...moreGates] = marks(turns, 'gate');
  expect({ startup, gate, moreStartups, moreGates }).toEqual({
    startup: expect.stringMatching(/fw_/),
    gate: expect.stringMatching(/fw_/),
    moreStartups: [],
    moreGates: [],
  });
  expect(turns.map((turn) => timesGiven(turn, startup))).toEqual([1, 1, 1]);
  expect(turns.map((turn) => timesGiven(turn, gate))).toEqual([0, 1, 1]);
  // Not by the mark alone: the words themselves, too, and in the body as it came over the line.
  expect(timesGiven(last, 'register the route')).toBe(1);
  for (const must of ['CONSTITUTION.md', 'AGENT_PLAYBOOK.md'])
    expect(timesGiven(last, CONTEXT_FILES[must]?.trimEnd() ?? expect.fail())).toBe(1);
  const body = JSON.stringify(last?.body);
  expect([startup, gate].map((mark) => body.split(mark).length - 1)).toEqual([1, 1]);
  figure(name, 'hook to model', (turns[0]?.at ?? 0) - startedAt);

  await field.must('uninstall', '--yes');
  const after = hashes(home);
  expect(touched.map((path) => [path, after.get(path)])).toEqual(touched.map((path) => [path, before.get(path)]));
});

eachAgent('%s hears nothing from the hooks in a project that has no context', async (name) => {
  field = await RealField.make(name, [], { isBare: true });
  await field.must('init', '--yes', '--agents', name, '--cwd', field.scratch.home);
  field.next(calling(field.recipe.commandCall('echo one')));
  const ran = await field.oneshot('Say something.', VOUCHED[name]);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(field.turns()).toHaveLength(2);
  expect([...marks(field.turns(), 'startup'), ...marks(field.turns(), 'gate')]).toEqual([]);
  expect(existsSync(join(field.scratch.project, '.foreword'))).toBe(false);
});

/** No event tells of it; its transcript does, and that is how it is written there. What is kept of the history depends on
 *  its length, so the gate may last for a run more. */
test.each(AGENTS.filter((name) => name === 'gemini'))(
  '%s is told again what a compaction took away, and nothing twice',
  async (name) => {
    field = await RealField.make(name);
    await field.must('init', '--yes', '--agents', name);
    const goOn = async (prompt: string) => {
      field?.next(calling(field.recipe.commandCall('echo one')));
      const ran = await field?.resume(prompt, ['--resume', 'latest']);
      expect(ran?.status, ran?.stderr).toBe(0);
      const last = field?.turns().at(-1);
      field?.model.reset();
      return marks(last === undefined ? [] : [last], 'gate');
    };
    field.next(calling(field.recipe.commandCall('echo one')));
    await field.oneshot('Begin.');
    const [said = '', ...others] = marks(field.turns(), 'gate');
    expect({ said, others }).toEqual({ said: expect.stringMatching(/fw_/), others: [] });
    field.model.reset();
    expect(await goOn('Go on.')).toEqual([said]);
    const settings = join(field.scratch.home, '.gemini/settings.json');
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), model: COMPACT_ALWAYS }));
    const seen: string[] = [];
    for (let runs = 0; runs < 4; runs += 1) {
      const had = await goOn('Go on, shorter.');
      expect(had.length).toBeLessThanOrEqual(1);
      seen.push(had[0] ?? '');
    }
    // Gone once, and there again under an id of its own.
    expect(seen).toContain('');
    expect(seen.slice(seen.indexOf('')).some((mark) => mark !== '' && mark !== said)).toBe(true);
  },
);

/** As soon as there is anything to compact. */
const COMPACT_ALWAYS = { compressionThreshold: 0.000001 };

/** The different marks of one kind in what the model was given. */
function marks(turns: ReturnType<RealField['turns']>, what: 'startup' | 'gate'): string[] {
  return [...new Set(turns.flatMap((turn) => marksIn(turn, what)))];
}

/** SHA-256 by path of everything in a home but our own state. */
function hashes(home: string): ReadonlyMap<string, string> {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(home, '.local/state/foreword')));
  return new Map(files.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
}
