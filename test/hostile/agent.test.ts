// An agent that may write anything in its workspace causes nothing outside of it: neither while it runs, nor when the person
// goes on working in what it left behind.

import { existsSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { prepare } from '../../examples/quickstart/prepare.mjs';
import { everydayRows } from '../long.ts';
import { IS_LONG } from '../scale.ts';
import { whyNoBox, writeEvil } from './agent/box.ts';
import { someLines } from './commands.ts';
import { openGround } from './ground.ts';
import { type Outside, openOutside } from './outside.ts';
import { openPerson } from './person.ts';
import { shipStore } from './traps/state.ts';

let outside: Outside;
afterEach(() => outside?.close());

/** What stands beside each other; the rest takes the place of something that others need. */
const TOGETHER = [
  'plants a store',
  'plants folders of runs',
  'plants hooks and settings of git',
  'plants programs',
  'plants settings',
  'plants blocks',
  'makes files with odd names',
  'prints forged words',
  'prints without end',
] as const;

const ALONE = [
  'puts links in place of what foreword writes',
  'replaces .foreword by a link',
  'replaces .git by a file that points to the neighbour',
  'replaces .git by a link',
  'deletes its folders',
  'puts pipes in place of files',
  'leaves processes behind',
] as const;

const CASES: readonly (readonly [name: string, deeds: readonly string[]])[] = [
  ['plants, forges and floods', TOGETHER],
  ...[...everydayRows(ALONE, 0, 2, 4, 6), ...(IS_LONG ? TOGETHER : [])].map((deed) => [deed, [deed]] as const),
];

const REASON = whyNoBox();

describe.skipIf(REASON !== undefined)(`an agent in a box (${REASON ?? 'bubblewrap'})`, () => {
  test.each(CASES)('that %s causes nothing outside', async (_name, deeds) => {
    outside = await openOutside();
    prepare(outside.repository);
    // It allows a few paths only, and the tasks here write elsewhere.
    rmSync(`${outside.repository}/.foreword/policy.yaml`);
    await shipStore(openGround(outside.repository, outside), `${outside.repository}/.fixture.db`);
    const args = writeEvil(outside, deeds);
    const person = openPerson(outside);
    await person.run({ args });
    if (!deeds.includes('deletes its folders')) expect(existsSync(`${outside.repository}/done-evil.txt`)).toBe(true);
    for (const line of await someLines(outside)) await person.run(line);
    const { stdout } = await person.run({ args: ['load', '--anyway'] });
    expect(stdout.toString()).not.toMatch(/by person\)[^#]*AGENT-WORD/);
    await person.run({ args: [...args, '--again'] });
    expect(await person.faults()).toEqual([]);
  });
});
