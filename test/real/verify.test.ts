// `foreword verify` with the real agents: every way in that we use with them is served, in a home that holds nothing but
// what was found out.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { labFolder, labPrograms } from '../../scripts/lab/install.mjs';
import { arrivalOf, makeRuler } from '../../src/verify/arrival.ts';
import { recipeFor } from '../../src/verify/lab/recipe.ts';
import { type Measurement, TRIED, type Tried } from '../../src/verify/measurement.ts';
import { temporaryFolder } from '../bundle.ts';
import { foreword } from '../foreword.ts';
import { AGENTS, figure, RealField, takesLaunchHooks } from './field.ts';

let home = '';
beforeAll(() => {
  home = temporaryFolder('real-verify');
  mkdirSync(join(home, 'tmp'));
});
afterAll(() => rmSync(home, { recursive: true }));

test.each(AGENTS)('%s is served on every way in that it is offered', async (name) => {
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    FOREWORD_LAB: labFolder(),
  };
  const { status, stdout, stderr } = await foreword(['verify', name, '--json'], { cwd: home, env });
  expect(status, stdout + stderr).toBe(0);
  const { agents, isolated } = JSON.parse(stdout) as { agents: readonly Measurement[]; isolated: boolean };
  expect(isolated).toBe(true);
  expect(agents).toHaveLength(1);
  const [found = expect.fail()] = agents;
  expect(found.version).toBe(labPrograms()[name]?.version);
  const recipe = recipeFor(name);
  const isWithout: Partial<Record<Tried, boolean>> = {
    'start-hook': !takesLaunchHooks(name),
    'hook-compaction': recipe?.compactCommand === undefined,
    'hook-subagent': recipe?.subagent === undefined,
  };
  const kinds = TRIED.map((tried) => [tried, found.arrivals[tried]?.kind]);
  expect(kinds).toEqual(TRIED.map((tried) => [tried, isWithout[tried] === true ? 'not offered' : 'served']));
  for (const tried of TRIED) {
    const arrival = found.arrivals[tried];
    if (arrival !== undefined && 'ms' in arrival) figure(name, `verify ${tried}`, arrival.ms);
  }
  expect(readdirSync(join(home, 'tmp'))).toEqual([]);
  expect(readdirSync(join(home, '.local/state/foreword'))).toEqual(['verify.json']);
});

/** Where hooks stand for these, which replace a long text by a preview. */
const HOOK_FILES: Readonly<Record<string, string>> = { claude: '.claude/settings.json', codex: '.codex/hooks.json' };
/** As the pinned versions do it; docs/agents.md names these. */
const CUT_AT: Readonly<Record<string, number>> = { claude: 1920, codex: 4860 };
const LONG = AGENTS.filter((name) => Object.hasOwn(HOOK_FILES, name));

test.each(LONG)('a hook of somebody who says more than %s takes is seen to be cut, and where', async (name) => {
  const field = await RealField.make(name, [], { isBare: true });
  try {
    const { lines, probe } = makeRuler('fwvlong', 12_000);
    const said = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: lines.join('\n') } };
    const file = join(field.scratch.home, HOOK_FILES[name] ?? '');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(field.scratch.home, 'said.json'), JSON.stringify(said));
    const hook = { type: 'command', command: `cat '${join(field.scratch.home, 'said.json')}'`, timeout: 10 };
    writeFileSync(file, JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }] } }));
    const ran = await field.oneshot('Good morning.', field.recipe.vouchArgs);
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    const given = field.model.requests().map(({ at, isMain, texts }) => ({
      at,
      isMain,
      texts: texts.filter(({ role }) => role !== 'assistant').map(({ text }) => text),
    }));
    expect(arrivalOf(probe, given, 0)).toMatchObject({ kind: 'truncated', at: CUT_AT[name] });
  } finally {
    await field.leave();
  }
});
