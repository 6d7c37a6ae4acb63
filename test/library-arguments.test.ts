// Whatever JavaScript hands to the library: each exported function refuses it with what is expected, or returns what docs/api.md says.
// No error comes from somewhere inside.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Callable = ((...args: unknown[]) => unknown) & (new (...args: unknown[]) => unknown);

const library: Readonly<Record<string, Callable>> = await import(
  pathToFileURL(join(import.meta.dirname, '../dist/index.js')).href
);

const WRONG: readonly (readonly unknown[])[] = [
  [],
  [null],
  [42],
  ['text'],
  [[]],
  [{}],
  [{}, {}],
  [() => 1],
  [{ attempts: 'x', tasks: 42, cwd: 42, criteria: 'x', command: 'ls' }, 42],
];

/** These have an answer to everything: no attempts, no hand-over; an error is of ours or not; an error can be made of anything. */
const TOTAL = [
  'buildCircuitBreakerContext',
  'buildHelperAgentContext',
  'buildRetryContext',
  'composeHandover',
  'detectTaskLoop',
  'ForewordError',
  'isForewordError',
  'openProject',
];

let folder: string;
const home = process.env.HOME;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-library-'));
  process.env.HOME = folder;
});
afterAll(() => {
  process.env.HOME = home;
  rmSync(folder, { recursive: true, force: true });
});

const functions = Object.entries(library).filter(([, value]) => typeof value === 'function');

test('there are functions to call', () => {
  expect(functions.length).toBeGreaterThan(20);
});

test.each(functions)('%s refuses wrong arguments with what is expected', async (name, called) => {
  for (const args of WRONG) {
    const made = /^[A-Z]/.test(name) ? async () => new called(...args) : async () => called(...args);
    const outcome = await made().then(
      async (value) => {
        await (value as { close?: () => Promise<void> } | undefined)?.close?.();
        return 'returned';
      },
      (error: unknown) => error,
    );
    const what = `${name}(${JSON.stringify(args)})`;
    if (outcome === 'returned') expect(TOTAL, what).toContain(name);
    else {
      expect(outcome, what).toMatchObject({ name: 'ForewordError', message: expect.stringMatching(/\S/) });
      const { hint, faults } = outcome as { readonly hint?: string; readonly faults: readonly unknown[] };
      expect(hint !== undefined || faults.length > 0, `${what}: a hint, or faults`).toBe(true);
    }
  }
});

interface Opened {
  close(): Promise<void>;
}

test('a project that is closed is refused by everything that takes one', async () => {
  const project = library.openProject?.({ cwd: folder }) as Opened;
  await project.close();
  const refused = { code: 'bad-usage', message: expect.stringContaining('a project that is closed') };
  await expect(library.composeContext?.(project)).rejects.toMatchObject(refused);
  await expect(library.composeStartupContext?.(project)).rejects.toMatchObject(refused);
  await expect(library.composeTaskPrompt?.(project, 'a')).rejects.toMatchObject(refused);
  await expect(library.prepareRun?.(project, { tasks: [] })).rejects.toMatchObject(refused);
});

test('an option that nobody reads is refused, with the one that is meant', async () => {
  const project = library.openProject?.({ cwd: folder }) as Opened;
  const expected = (hint: string) => ({ code: 'bad-usage', hint: expect.stringContaining(hint) });
  try {
    expect(() => library.openProject?.({ cdw: folder })).toThrow(expect.objectContaining(expected('cwd')));
    expect(() => library.composeHandover?.({ attempts: [], nextagent: 'x' })).toThrow(
      expect.objectContaining(expected('nextAgent')),
    );
    await expect(library.prepareRun?.(project, { tasks: [], lineUp: [] })).rejects.toMatchObject(expected('lineup'));
    await expect(library.composeContext?.(project, { task: 'a' })).rejects.toMatchObject(expected('taskId'));
    await expect(library.composeTaskPrompt?.(project, 'a', { agnt: 'x' })).rejects.toMatchObject(expected('agent'));
    await expect(library.composeStartupContext?.(project, { task: 'a' })).rejects.toMatchObject(expected('taskId'));
  } finally {
    await project.close();
  }
});

test('an option of the wrong kind is refused before anything is done', async () => {
  const project = library.openProject?.({ cwd: folder }) as Opened;
  try {
    expect(() => library.openProject?.({ clock: {} })).toThrow(expect.objectContaining({ code: 'bad-usage' }));
    expect(() => library.openProject?.({ stores: {} })).toThrow(expect.objectContaining({ code: 'bad-usage' }));
    for (const wrong of [{ concurrency: 0 }, { maxWaitS: -1 }, { lineup: 'mine' }, { onEvent: true }, { tasks: [{}] }])
      await expect(library.prepareRun?.(project, { tasks: [], ...wrong })).rejects.toMatchObject({ code: 'bad-usage' });
  } finally {
    await project.close();
  }
});
