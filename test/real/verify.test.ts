// `foreword verify` with the real agents: every way in that we use with them is served, in a home that holds nothing but
// what was found out.

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { labFolder, labPrograms } from '../../scripts/lab/install.mjs';
import { type Measurement, TRIED } from '../../src/core/measurement.ts';
import { temporaryFolder } from '../bundle.ts';
import { foreword } from '../foreword.ts';
import { AGENTS, figure } from './field.ts';

/** Agents that take no hooks at their launch. */
const WITHOUT_LAUNCH_HOOK = ['gemini'];

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
  const isWithout = WITHOUT_LAUNCH_HOOK.includes(name);
  const kinds = TRIED.map((tried) => [tried, found.arrivals[tried]?.kind]);
  expect(kinds).toEqual(TRIED.map((tried) => [tried, isWithout && tried === 'start-hook' ? 'not offered' : 'served']));
  for (const tried of TRIED) {
    const arrival = found.arrivals[tried];
    if (arrival !== undefined && 'ms' in arrival) figure(name, `verify ${tried}`, arrival.ms);
  }
  expect(readdirSync(join(home, 'tmp'))).toEqual([]);
  expect(readdirSync(join(home, '.local/state/foreword'))).toEqual(['verify.json']);
});
