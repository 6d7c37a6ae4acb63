// Hooks of one prompt that run at the same moment: between any two steps of the one in the file system, the other runs whole.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Field } from '../../test/hooks/field.ts';
import { hasContextOfHost } from './first-conversation.ts';

const WATCHED = ['existsSync', 'mkdirSync', 'mkdtempSync', 'renameSync', 'readdirSync', 'rmSync', 'statSync'] as const;
const real = { ...fs };
let beforeStep = (): void => undefined;

let field: Field;
beforeEach(() => {
  field = new Field();
  for (const name of WATCHED) {
    const step = (...given: readonly unknown[]): unknown => {
      beforeStep();
      return Reflect.apply(real[name], fs, given);
    };
    Object.assign(fs, { [name]: step });
  }
  syncBuiltinESMExports();
});
afterEach(() => {
  beforeStep = () => undefined;
  for (const name of WATCHED) Object.assign(fs, { [name]: real[name] });
  syncBuiltinESMExports();
  field.remove();
});

const notes: string[] = [];
const ask = (name: string, session: string): boolean =>
  hasContextOfHost({
    state: { kind: 'open', folder: field.state, places: field.places },
    env: { FOREWORD_SESSION: session },
    name,
    note: (line) => notes.push(line),
  });

/** What both are told, when `other` runs before step `at` of `one`; `undefined` when it has no such step. */
function interleaved(one: string, other: string, at: number): readonly [boolean, boolean] | undefined {
  let step = 0;
  let ofOther: boolean | undefined;
  beforeStep = () => {
    if (step++ !== at) return;
    beforeStep = () => undefined;
    ofOther = ask(other, `live-${at}`);
  };
  const ofOne = ask(one, `live-${at}`);
  return ofOther === undefined ? undefined : [ofOne, ofOther];
}

test('two hooks of the first prompt both know that its context is the host’s, wherever they meet', () => {
  let at = 0;
  for (let told = interleaved('ses-1', 'ses-1', at); told !== undefined; told = interleaved('ses-1', 'ses-1', ++at))
    expect(told, `before step ${at}`).toEqual([true, true]);
  expect(at).toBeGreaterThan(2);
  expect(notes).toEqual([]);
});

test('of two conversations that begin at the same moment, exactly one is the first', () => {
  for (let at = 0; ; at += 1) {
    const told = interleaved('ses-1', 'ses-2', at);
    if (told === undefined) return expect(at).toBeGreaterThan(2);
    expect(
      told.filter((isFirst) => isFirst),
      `before step ${at}`,
    ).toEqual([true]);
  }
});

test('nothing but the session’s folder is left of a hook that came second', () => {
  expect([ask('ses-1', 'live'), ask('ses-2', 'live')]).toEqual([true, false]);
  expect(fs.readdirSync(field.places.hooks)).toEqual(['live']);
  expect(fs.readdirSync(join(field.places.hooks, 'live'))).toEqual(['ses-1']);
});
