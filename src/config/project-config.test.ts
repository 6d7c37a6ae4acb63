import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { openProjectConfig } from './project-config.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('project-config');
  mkdirSync(join(root, '.foreword'));
  writeFileSync(join(root, '.foreword/config.yaml'), 'lineup: [codex]\nhistory: { size: 3 }\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = ({ store, ...more }: { readonly file?: string; readonly store?: string; readonly cwd?: string } = {}) =>
  openProjectConfig({
    root,
    cwd: root,
    env: {},
    stateFolder: join(root, 'state'),
    file: undefined,
    flags: { store },
    ...more,
  });

test('what decides which programs run is left out until a person agreed to exactly that', () => {
  const before = open();
  expect([before.config.lineup.length, before.config.history.size]).toEqual([5, 3]);
  expect(before.trust).toMatchObject({ parts: { lineup: ['codex'] }, isAgreed: false, before: undefined });
  before.trust.agree();
  const after = open();
  expect(after.config.lineup).toEqual(['codex']);
  expect(after.trust).toMatchObject({ parts: { lineup: ['codex'] }, isAgreed: true, before: before.trust.text });
  writeFileSync(join(root, '.foreword/config.yaml'), 'lineup: [pi]\n');
  expect(open().trust).toMatchObject({ isAgreed: false, before: before.trust.text });
});

test('a file that a person named with --config is seen from the current folder, and needs no agreement', () => {
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/mine.yaml'), 'lineup: [pi]\n');
  const { config, trust } = open({ cwd: join(root, 'src'), file: 'mine.yaml' });
  expect([config.lineup, trust.parts, trust.isAgreed]).toEqual([['pi'], {}, true]);
});

test('the password of a store is not shown', () => {
  const { config, origins } = open({ store: 'redis://user:secret@host/1' });
  expect(config.store).toBe('redis://user:secret@host/1');
  expect(origins().store).toEqual({ value: 'redis://…@host/1', from: '--store' });
});

test('a file that is exchanged while it is read is not taken for what the person agreed to', () => {
  const file = join(root, '.foreword/config.yaml');
  open().trust.agree();
  const [agreed, other] = ['lineup: [codex]\nhistory: { size: 3 }\n', 'lineup: [pi]\n'];
  writeFileSync(file, agreed);
  // Flags are looked at after the file was read.
  const flags = {
    get store() {
      writeFileSync(file, other);
      return undefined;
    },
  };
  const stateFolder = join(root, 'state');
  const { config, trust } = openProjectConfig({ root, cwd: root, env: {}, stateFolder, file: undefined, flags });
  expect([config.lineup.length, trust.isAgreed]).toEqual([5, false]);
});
